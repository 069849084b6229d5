import { ListwiseError } from '../../errors.js';

/**
 * What a significance test says about paired differences. All tests are two-sided.
 *
 * @example
 * import { type TestResult, tTest } from 'listwise/analysis';
 *
 * const { p, method }: TestResult = tTest(Float64Array.of(0.1, 0.2, -0.05));
 */
export interface TestResult {
  /** NaN where the test cannot be made; `note` then says why. */
  readonly p: number;
  readonly statistic: number;
  /** Differences that the test used. */
  readonly n: number;
  /** How the p-value was found, in words. */
  readonly method: string;
  readonly note?: string;
}

/** No test can say anything about a difference that is not a number: it is refused, not left out. */
export function refuseNotFinite(differences: Float64Array): void {
  const bad = differences.findIndex(value => !Number.isFinite(value));
  if (bad < 0) return;
  throw new ListwiseError('value-invalid', `difference ${bad + 1} is ${differences[bad]}; tests need finite numbers`);
}
