/**
 * TREC run files: `query Q0 document rank score tag`, one retrieved document a line. Only the score decides the order.
 */
import { quote } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { finiteNumber } from '../../../io/text-lines.js';
import type { StringTable } from '../../string-table.js';
import { type LineFormat, readDocumentValues } from './ranked-documents.js';

/**
 * What a system retrieved: queries in order of first appearance, documents of a query in input order.
 *
 * @example
 * import type { Run } from 'listwise/data';
 *
 * const documents = (run: Run): number => run.documentIds.length;
 */
export interface Run {
  /** As it appears in messages. */
  readonly name: string;
  readonly queryIds: readonly string[];
  /** queries + 1 row numbers. */
  readonly offsets: Uint32Array;
  readonly documentIds: StringTable;
  readonly scores: Float64Array;
}

const runLine: LineFormat = {
  layout: 'at least 6: query, Q0, document, rank, score, tag',
  fields: { min: 6, max: Number.POSITIVE_INFINITY },
  valueAt: 4,
  value(field) {
    const score = finiteNumber(field);
    return score ?? { code: 'score-invalid', detail: `score ${quote(field)} is not a finite number` };
  },
};

/**
 * Reads a run as trec_eval takes it: query, Q0, document, rank, score, name.
 *
 * @example
 * import { readRun } from 'listwise';
 * import { fileInput } from 'listwise/data';
 *
 * const run = await readRun(await fileInput('bm25.run'));
 * console.log(run.name, run.queryIds.length);
 */
export async function readRun(input: Input): Promise<Run> {
  const { queryIds, offsets, documentIds, values } = await readDocumentValues(input, runLine);
  return { name: input.name, queryIds, offsets, documentIds, scores: values };
}
