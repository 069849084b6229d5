/** The paired t-test, with the confidence interval of the mean difference and its effect size. */
import { studentCritical, studentTwoSided } from '../../numeric/special-functions.js';
import { refuseNotFinite, type TestResult } from './test-result.js';

export interface Moments {
  readonly n: number;
  readonly mean: number;
  /** Standard deviation with divisor n - 1; NaN for fewer than two values. */
  readonly deviation: number;
}

export function moments(values: Float64Array): Moments {
  const n = values.length;
  let sum = 0;
  for (const value of values) sum += value;
  const rough = sum / n;
  let drift = 0; // what rounding left in the mean
  for (const value of values) drift += value - rough;
  const mean = rough + drift / n;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { n, mean, deviation: n < 2 ? Number.NaN : Math.sqrt(squares / (n - 1)) };
}

/**
 * Student's t-test of paired differences.
 *
 * @example
 * import { tTest } from 'listwise/analysis';
 *
 * const { p } = tTest(Float64Array.of(0.1, 0.2, -0.05, 0.15));
 */
export function tTest(differences: Float64Array): TestResult {
  refuseNotFinite(differences);
  const { n, mean, deviation } = moments(differences);
  const method = "paired t-test, Student's t with n - 1 degrees of freedom";
  if (n < 2) {
    const note = `a t-test needs at least two queries, there ${n === 1 ? 'is one' : 'are none'}`;
    return { p: Number.NaN, statistic: Number.NaN, n, method, note };
  }
  if (differences.every(difference => difference === 0)) return { p: 1, statistic: 0, n, method };
  const statistic = mean / (deviation / Math.sqrt(n));
  return { p: studentTwoSided(statistic, n - 1), statistic, n, method };
}

/**
 * The interval of the true mean difference with probability 1 - alpha, by Student's t; NaN for fewer than two.
 *
 * @example
 * import { meanInterval } from 'listwise/analysis';
 *
 * const [low, high] = meanInterval(Float64Array.of(0.1, 0.2, -0.05, 0.15), 0.05);
 */
export function meanInterval(differences: Float64Array, alpha: number): readonly [number, number] {
  const { n, mean, deviation } = moments(differences);
  if (n < 2) return [Number.NaN, Number.NaN];
  const reach = (studentCritical(alpha, n - 1) * deviation) / Math.sqrt(n);
  return [mean - reach, mean + reach];
}

/**
 * Cohen's d of the differences: their mean in standard deviations; 0 where all are zero.
 *
 * @example
 * import { effectSize } from 'listwise/analysis';
 *
 * const d = effectSize(Float64Array.of(0.1, 0.2, -0.05, 0.15));
 */
export function effectSize(differences: Float64Array): number {
  const { mean, deviation } = moments(differences);
  return mean === 0 && deviation === 0 ? 0 : mean / deviation;
}
