/**
 * The expected value of a measure when the label at each rank is random, independently of the other ranks: a function
 * of the expected gains g_r at ranks r = 1, 2, … It is optional: analyses that need it refuse a measure that has none,
 * by name.
 *
 * - linear: norm times the sum over r of worth_r g_r.
 * - precision: norm times the sum over r of worth_r g_r (1 + the sum over t < r of g_t); gains are 0 or 1 (average
 *   precision).
 * - cascade: norm times the sum over r of worth_r g_r times the product over t < r of (1 - g_t); gains are at most 1
 *   (RR, ERR).
 *
 * For a list whose labels are certain it is the measure itself.
 */
import type { QueryView } from '../measure.js';

export interface ExpectationForm {
  readonly form: 'linear' | 'precision' | 'cascade';
  /** The gain of a label; NaN is an unjudged document. */
  gain(label: number): number;
  /**
   * Writes what each rank is worth into discount[0..n), never rising with the rank, and returns the norm; NaN where the
   * measure is undefined for the query. It may not depend on the order of the documents.
   */
  fill(view: QueryView, discount: Float64Array): number;
}

/** The sums above, without the norm, from the expected gains by rank. */
export const expectedSums: Readonly<
  Record<ExpectationForm['form'], (discount: Float64Array, gains: Float64Array) => number>
> = {
  linear(discount, gains) {
    let sum = 0;
    for (let r = 0; r < gains.length; r++) sum += discount[r]! * gains[r]!;
    return sum;
  },
  precision(discount, gains) {
    let sum = 0;
    let above = 0;
    for (let r = 0; r < gains.length; r++) {
      sum += discount[r]! * gains[r]! * (1 + above);
      above += gains[r]!;
    }
    return sum;
  },
  cascade(discount, gains) {
    let sum = 0;
    let reached = 1;
    for (let r = 0; r < gains.length; r++) {
      sum += discount[r]! * gains[r]! * reached;
      reached *= 1 - gains[r]!;
    }
    return sum;
  },
};
