/** Reads SVMlight and LETOR files. */
import { ListwiseError } from '../../../errors.js';
import type { Dataset } from '../../dataset.js';
import { PRIMARY_LABEL } from '../../dataset.js';
import { DatasetBuilder } from '../../dataset-builder.js';
import type { Input } from '../../inputs.js';
import type { Reader, ReadOptions } from '../../reader.js';
import { parseText } from './reference.js';
import { RowQueries } from './row-queries.js';

export const svmlight: Reader = {
  name: 'svmlight',
  title: 'SVMlight / LETOR text',
  extensions: ['txt', 'svm', 'svmlight', 'libsvm', 'letor', 'dat', 'data', 'test', 'train', 'vali'],
  read: readSvmlight,
};

async function readSvmlight(inputs: readonly Input[], options: ReadOptions): Promise<Dataset> {
  const featureBase = options.featureBase ?? 1;
  const absent = options.absent === 'missing' ? Number.NaN : 0;
  const builder = new DatasetBuilder({ absent, featureBase });
  const outside = options.outsideQueries === undefined ? undefined : new RowQueries(options.outsideQueries);
  for (const input of inputs) {
    const parts: Uint8Array[] = [];
    for await (const part of input.open()) parts.push(part);
    try {
      for (const row of parseText(Buffer.concat(parts), { featureBase, needQuery: outside === undefined })) {
        const width = row.features.reduce((most, { index }) => Math.max(most, index + 1), 0);
        const columns = new Float32Array(width).fill(absent);
        for (const { index, value } of row.features) columns[index] = value;
        builder.append({
          rows: 1,
          width,
          stride: 1,
          columns,
          labels: { [PRIMARY_LABEL]: Float64Array.of(row.label) },
          queries: outside?.take(1) ?? [{ id: row.query!, rows: 1 }],
          documentIds: row.documentId === undefined ? undefined : [row.documentId],
        });
      }
    } catch (error) {
      if (error instanceof ListwiseError)
        throw new ListwiseError(error.code, error.detail, { file: input.name, ...error.place });
      throw error;
    }
  }
  outside?.finish();
  return builder.finish();
}
