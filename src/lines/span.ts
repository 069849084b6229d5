/** How long a line is. */
import type { Dataset } from '../data/dataset.js';
import type { Line } from './sweep.js';

/** Queries that are looked at. */
const QUERIES = 64;

/**
 * The step by which scores move about as much as they differ, in the middle of queries; 1 where they do neither. A
 * power of 2: sums in another order, as rows may be, come to the same.
 */
export function spanOf({ offsets, queries }: Dataset, { start, slope }: Line): number {
  const apart = Math.ceil(queries / QUERIES);
  let sum = 0;
  let count = 0;
  for (let q = 0; q < queries; q += apart) {
    const ratio = deviation(start, offsets[q]!, offsets[q + 1]!) / deviation(slope, offsets[q]!, offsets[q + 1]!);
    if (!(ratio > 0 && ratio < Infinity)) continue;
    sum += Math.log2(ratio);
    count++;
  }
  return count > 0 ? 2 ** Math.round(sum / count) : 1;
}

/** Mean distance from the mean. */
function deviation(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]!;
  const mean = sum / (to - from);
  let distance = 0;
  for (let i = from; i < to; i++) distance += Math.abs(values[i]! - mean);
  return distance / (to - from);
}
