import type { Dataset } from './dataset.js';

/** The number of each row's query. */
export function queryOfRow({ rows, queries, offsets }: Dataset): Uint32Array {
  const numbers = new Uint32Array(rows);
  for (let q = 0; q < queries; q++) numbers.fill(q, offsets[q], offsets[q + 1]);
  return numbers;
}
