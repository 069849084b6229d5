/** Whether no query has two documents that differ in a feature. */
import type { Dataset } from './dataset.js';

/** Ends at the first query in which the feature varies; a missing value is one of its own. */
export function isConstantWithinQueries({ blocks, offsets, queries }: Dataset, feature: number): boolean {
  let q = 0;
  for (const { start, rows, stride, data: values } of blocks) {
    const from = feature * stride - start;
    for (; q < queries && offsets[q]! < start + rows; q++) {
      const first = values[from + offsets[q]!]!;
      for (let row = offsets[q]! + 1; row < offsets[q + 1]!; row++) {
        const value = values[from + row]!;
        if (value !== first && !(Number.isNaN(value) && Number.isNaN(first))) return false;
      }
    }
  }
  return true;
}
