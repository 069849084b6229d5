/** How long a line is. */
import type { Dataset } from '../data/dataset.js';
import type { Line } from './sweep.js';

export interface Span {
  /**
   * The step by which scores move about as much as they differ, in queries where they move at all; 1 where they do
   * neither. A power of 2: sums in another order, as rows may be, come to the same.
   */
  readonly typical: number;
  /** A step that is short for every query: the largest score over the fastest growth. Rounding is a share of it. */
  readonly least: number;
}

export function spanOf({ offsets, queries }: Dataset, { start, slope }: Line): Span {
  let product = 0;
  let square = 0;
  for (let q = 0; q < queries; q++) {
    const growth = deviation(slope, offsets[q]!, offsets[q + 1]!);
    if (growth === 0) continue;
    product += growth * deviation(start, offsets[q]!, offsets[q + 1]!);
    square += growth * growth;
  }
  const ratio = product / square;
  const fastest = largest(slope);
  return {
    typical: ratio > 0 && ratio < Infinity ? 2 ** Math.round(Math.log2(ratio)) : 1,
    least: fastest > 0 ? largest(start) / fastest : 0,
  };
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

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (size > most) most = size;
  }
  return most;
}
