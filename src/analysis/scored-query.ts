/** The documents of one query under a model. */
import type { Dataset } from '../data/dataset.js';
import { didYouMean, ListwiseError, quote } from '../errors.js';
import { DatasetView, type Ties } from '../measures/query-view.js';
import { type MatchOptions, matchFeatures } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';

export interface ScoredQuery {
  readonly n: number;
  /** Features row by row, in the model's order. */
  readonly rows: Float32Array;
  readonly scores: Float64Array;
  /** Documents by rank, and ranks (from 1) by document. */
  readonly order: Uint32Array;
  readonly ranks: Uint32Array;
  readonly view: DatasetView;
}

export function scoreQuery(
  model: Ranker,
  data: Dataset,
  q: number,
  options: MatchOptions & { ties?: Ties | undefined },
): ScoredQuery {
  const rows = rowsOfQuery(model, data, q, options);
  const features = model.featureNames.length;
  const start = data.offsets[q]!;
  const n = data.offsets[q + 1]! - start;
  const scores = new Float64Array(n);
  for (let i = 0; i < n; i++) scores[i] = model.scoreRow(rows.subarray(i * features, (i + 1) * features));
  const view = new DatasetView(data, options.ties).moveTo(q, scores, start);
  const order = view.order.slice(0, n);
  const ranks = new Uint32Array(n);
  for (const [r, i] of order.entries()) ranks[i] = r + 1;
  return { n, rows, scores, order, ranks, view };
}

export function queryNumber(data: Dataset, query: string): number {
  const q = data.queryIds.indexOf(query);
  if (q >= 0) return q;
  throw new ListwiseError(
    'option-invalid',
    `the data has no query ${quote(query)}${didYouMean(query, data.queryIds)} It has ${data.queries}, from ${quote(data.queryIds[0]!)} to ${quote(data.queryIds.at(-1)!)}`,
  );
}

/** The documents of a query row by row, features in the model's order. */
export function rowsOfQuery(model: Ranker, data: Dataset, query: number, options: MatchOptions = {}): Float32Array {
  const columns = matchFeatures(model, data, options);
  const start = data.offsets[query]!;
  const n = data.offsets[query + 1]! - start;
  const rows = new Float32Array(n * columns.length);
  for (const [f, column] of columns.entries()) {
    for (let i = 0; i < n; i++) {
      rows[i * columns.length + f] = column < 0 ? (options.absent ?? 0) : data.feature(start + i, column);
    }
  }
  return rows;
}
