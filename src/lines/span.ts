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
  let largest = 0;
  let fastest = 0;
  for (let q = 0; q < queries; q++) {
    const growth = extentOf(slope, offsets[q]!, offsets[q + 1]!);
    fastest = Math.max(fastest, growth.largest);
    const scores = extentOf(start, offsets[q]!, offsets[q + 1]!);
    largest = Math.max(largest, scores.largest);
    product += growth.deviation * scores.deviation;
    square += growth.deviation * growth.deviation;
  }
  const ratio = product / square;
  return {
    typical: ratio > 0 && ratio < Infinity ? 2 ** Math.round(Math.log2(ratio)) : 1,
    least: fastest > 0 ? largest / fastest : 0,
  };
}

/** Mean distance from the mean, and the largest size. */
function extentOf(values: Float64Array, from: number, to: number) {
  let sum = 0;
  let largest = 0;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    sum += value;
    largest = Math.max(largest, Math.abs(value));
  }
  const mean = sum / (to - from);
  let distance = 0;
  for (let i = from; i < to; i++) distance += Math.abs(values[i]! - mean);
  return { deviation: distance / (to - from), largest };
}
