/** Writes SVMlight/LETOR text: exact values, the document id in the comment, everything else in side files. */
import { ListwiseError, quote } from '../../errors.js';
import type { FileSet } from '../../io/whole-file.js';
import { concatenate } from '../concatenate.js';
import type { Dataset } from '../dataset.js';
import { exactNumbers } from '../exact-texts.js';
import { numberText, writeColumn, writeLabelFiles } from './side-files.js';
import { TextBuffer } from './text-buffer.js';
import type { WriteOptions, Writer } from './writer.js';

export const svmlight: Writer = {
  name: 'svmlight',
  title: 'SVMlight / LETOR text, further columns in side files',
  extensions: ['txt', 'svm', 'svmlight', 'libsvm', 'letor', 'dat', 'data'],
  gzip: true,
  write: writeSvmlight,
};

async function writeSvmlight(
  parts: Iterable<Dataset>,
  target: string,
  files: FileSet,
  options: WriteOptions,
): Promise<void> {
  const written: Dataset[] = [];
  await files.text(target, async sink => {
    let features: FeatureText[] | undefined;
    for (const data of parts) {
      if (data.rowWeights !== undefined && data.queryWeights !== undefined) {
        throw new ListwiseError(
          'file-unwritable',
          'SVMlight has room for weights a document or a query, not for both as this data has; write csv, jsonl or parquet',
        );
      }
      features ??= featureTexts(data, options);
      const sparse = options.sparse ?? false;
      const lines = new TextBuffer();
      for (let q = 0; q < data.queries; q++) {
        // The first row of the file names the last feature in any case: it says how many there are.
        appendQuery(lines, data, q, features, sparse, written.length === 0 && q === 0);
        options.progress?.(data.offsets[q + 1]! - data.offsets[q]!);
        if (lines.length > 1 << 16) await sink.write(lines.take());
      }
      await sink.write(lines.take());
      written.push(data.with({ featureNames: [], blocks: [], documentIds: undefined }));
    }
  });
  const data = concatenate(written);
  const weights = data.rowWeights ?? data.queryWeights;
  if (weights !== undefined) await writeColumn(files, `${target}.weight`, weights);
  if (data.positions !== undefined) await writeColumn(files, `${target}.position`, data.positions);
  if (data.initialScores !== undefined) await writeColumn(files, `${target}.init`, data.initialScores);
  const others = await writeLabelFiles(data, target, files);
  if (others.length > 0) options.note?.(`read it again with ${others.join(' ')}`);
}

/** What stands before a feature's value: ` 12:`. */
type FeatureText = Uint8Array;

/** Features keep their numbers where their names are rising numbers; other names are lost to this format. */
function featureTexts(data: Dataset, options: WriteOptions): FeatureText[] {
  const names = data.featureNames;
  const numbered = names.every(
    (name, f) => /^(0|[1-9][0-9]{0,8})$/.test(name) && (f === 0 || Number(name) > Number(names[f - 1])),
  );
  if (!numbered) options.note?.('SVMlight has no feature names: the features are numbered from 1');
  else if (names[0] === '0') options.note?.('the features count from 0: read it again with `featureBase: 0`');
  return names.map((name, f) => Buffer.from(` ${numbered ? name : f + 1}:`));
}

function appendQuery(
  lines: TextBuffer,
  data: Dataset,
  query: number,
  features: readonly FeatureText[],
  sparse: boolean,
  first: boolean,
): void {
  const from = data.offsets[query]!;
  const to = data.offsets[query + 1]!;
  const block = data.blockOf(from);
  const labels = data.label();
  const exact = data.featureNames.map(name => exactNumbers(data, name));
  const qid = ` qid:${word(data.queryIds[query]!, 'query')}`;
  for (let row = from; row < to; row++) {
    if (Number.isNaN(labels[row]!)) {
      throw new ListwiseError('label-invalid', `row ${row + 1} has no label, and SVMlight has no mark for that`);
    }
    lines.text(numberText(labels[row]!, '') + qid);
    for (let f = 0; f < features.length; f++) {
      const value = block.data[f * block.stride + row - block.start]!;
      if (sparse && Object.is(value, 0) && !(first && row === from && f === features.length - 1)) continue;
      lines.bytes(features[f]!);
      const written = exact[f]?.(row);
      if (Number.isNaN(value)) lines.text('nan');
      else if (written !== undefined) lines.text(written);
      else lines.float32(value);
    }
    const id = data.documentIds?.get(row);
    lines.text(id ? ` # docid = ${word(id, 'document')}\n` : '\n');
  }
}

function word(id: string, what: string): string {
  if (/^[^\s#\0]+$/.test(id)) return id;
  throw new ListwiseError(
    'file-unwritable',
    `${what} id ${quote(id)} holds a blank, a line end or #, which SVMlight cannot; write csv, jsonl or parquet`,
  );
}
