/** TREC relevance judgments: `query iteration document label`, one judged document a line. */
import { quote } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { finiteNumber } from '../../../io/text-lines.js';
import { Dataset } from '../../dataset.js';
import { PRIMARY_LABEL } from '../../primary-label.js';
import { type LineFormat, readDocumentValues } from './ranked-documents.js';

const qrelsLine: LineFormat = {
  layout: '4: query, iteration, document, label',
  fields: { min: 4, max: 4 },
  valueAt: 3,
  value(field) {
    const label = finiteNumber(field);
    if (label === undefined) {
      return { code: 'label-invalid', detail: `label ${quote(field)} is not a finite number` };
    }
    // A negative label means: in the pool, but not judged.
    return label < 0 ? Number.NaN : label;
  },
};

/**
 * The judgments as a data set without features: one row a document of the file, label NaN where it says "unjudged"
 * (negative). Blank lines and lines that start with # are left out, as trec_eval does.
 *
 * @example
 * import { readQrels } from 'listwise';
 * import { fileInput } from 'listwise/data';
 *
 * const judged = await readQrels(await fileInput('qrels.txt'));
 * console.log(judged.queries);
 */
export async function readQrels(input: Input): Promise<Dataset> {
  const { values, ...rest } = await readDocumentValues(input, qrelsLine);
  return new Dataset({
    ...rest,
    featureNames: [],
    blocks: [{ start: 0, rows: values.length, stride: values.length, data: new Float32Array(0) }],
    labels: new Map([[PRIMARY_LABEL, values]]),
  });
}
