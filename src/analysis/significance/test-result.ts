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
