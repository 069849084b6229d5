import type { Dataset } from '../data/dataset.js';
import { DatasetView } from '../measures/query-view.js';

/** The rank of each row within its query, from 1; equal scores in the order of the data. */
export function ranksOf(data: Dataset, scores: ArrayLike<number>): Uint32Array {
  const ranks = new Uint32Array(data.rows);
  const view = new DatasetView(data, 'input');
  for (let q = 0; q < data.queries; q++) {
    const { order, n } = view.moveTo(q, scores);
    for (let r = 0; r < n; r++) ranks[data.offsets[q]! + order[r]!] = r + 1;
  }
  return ranks;
}
