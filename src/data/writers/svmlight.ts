/** Writes SVMlight/LETOR text: exact values, the document id in the comment, everything else in side files. */
import { ListwiseError, quote } from '../../errors.js';
import type { Dataset } from '../dataset.js';
import type { FileSet } from '../whole-file.js';
import type { WriteOptions, Writer } from '../writer.js';
import { shortestFloat32 } from './shortest-float.js';
import { numberText, writeColumn, writeLabelFiles } from './side-files.js';

export const svmlight: Writer = {
  name: 'svmlight',
  title: 'SVMlight / LETOR text, further columns in side files',
  extensions: ['txt', 'svm', 'svmlight', 'libsvm', 'letor', 'dat', 'data'],
  gzip: true,
  write: writeSvmlight,
};

async function writeSvmlight(data: Dataset, target: string, files: FileSet, options: WriteOptions): Promise<void> {
  if (data.rowWeights !== undefined && data.queryWeights !== undefined) {
    throw new ListwiseError(
      'file-unwritable',
      'SVMlight has room for weights a document or a query, not for both as this data has; write csv, jsonl or parquet',
    );
  }
  const ids = featureIds(data, options);
  await files.text(target, async sink => {
    for (let q = 0; q < data.queries; q++) await sink.write(queryLines(data, q, ids, options.sparse ?? false));
  });
  const weights = data.rowWeights ?? data.queryWeights;
  if (weights !== undefined) await writeColumn(files, `${target}.weight`, weights);
  if (data.positions !== undefined) await writeColumn(files, `${target}.position`, data.positions);
  if (data.initialScores !== undefined) await writeColumn(files, `${target}.init`, data.initialScores);
  const flags = await writeLabelFiles(data, target, files);
  if (flags.length > 0) options.note?.(`read it again with ${flags.join(' ')}`);
}

/** Features keep their numbers where their names are rising numbers; other names are lost to this format. */
function featureIds(data: Dataset, options: WriteOptions): string[] {
  const names = data.featureNames;
  const numbered = names.every(
    (name, f) => /^(0|[1-9][0-9]{0,8})$/.test(name) && (f === 0 || Number(name) > Number(names[f - 1])),
  );
  if (!numbered) options.note?.('SVMlight has no feature names: the features are numbered from 1');
  else if (names[0] === '0') options.note?.('the features count from 0: read it again with --feature-base 0');
  return numbered ? [...names] : names.map((_, f) => String(f + 1));
}

function queryLines(data: Dataset, query: number, ids: readonly string[], sparse: boolean): string {
  const from = data.offsets[query]!;
  const to = data.offsets[query + 1]!;
  const block = data.blockOf(from);
  const labels = data.label();
  const qid = ` qid:${word(data.queryIds[query]!, 'query')}`;
  let text = '';
  for (let row = from; row < to; row++) {
    if (Number.isNaN(labels[row]!)) {
      throw new ListwiseError('label-invalid', `row ${row + 1} has no label, and SVMlight has no mark for that`);
    }
    text += numberText(labels[row]!, '') + qid;
    for (let f = 0; f < ids.length; f++) {
      const value = block.data[f * block.stride + row - block.start]!;
      // The first row names the last feature in any case: it says how many there are.
      const leftOut = sparse && Object.is(value, 0) && !(row === 0 && f === ids.length - 1);
      if (!leftOut) text += ` ${ids[f]}:${Number.isNaN(value) ? 'nan' : shortestFloat32(value)}`;
    }
    const id = data.documentIds?.get(row);
    text += id ? ` # docid = ${word(id, 'document')}\n` : '\n';
  }
  return text;
}

function word(id: string, what: string): string {
  if (/^[^\s#\0]+$/.test(id)) return id;
  throw new ListwiseError(
    'file-unwritable',
    `${what} id ${quote(id)} holds a blank, a line end or #, which SVMlight cannot; write csv, jsonl or parquet`,
  );
}
