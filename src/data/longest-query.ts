import type { Dataset } from './dataset.js';

/** How many documents the longest query has. */
export function longestQuery({ queries, offsets }: Pick<Dataset, 'queries' | 'offsets'>): number {
  let longest = 0;
  for (let q = 0; q < queries; q++) longest = Math.max(longest, offsets[q + 1]! - offsets[q]!);
  return longest;
}
