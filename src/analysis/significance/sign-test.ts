/** The sign test: wins against losses, exact by the binomial distribution. Ties are dropped. */
import { binomialLowerTail } from '../../numeric/special-functions.js';
import { refuseNotFinite, type TestResult } from './test-result.js';

/**
 * The sign test of paired differences.
 *
 * @example
 * import { signTest } from 'listwise/analysis';
 *
 * const { p } = signTest(Float64Array.of(0.1, 0.2, -0.05, 0.15));
 */
export function signTest(differences: Float64Array): TestResult {
  refuseNotFinite(differences);
  let wins = 0;
  let losses = 0;
  for (const difference of differences) {
    if (difference > 0) wins++;
    else if (difference < 0) losses++;
  }
  const n = wins + losses;
  const method = 'sign test, exact';
  if (differences.length === 0) {
    const note = 'a sign test needs at least one query, there are none';
    return { p: Number.NaN, statistic: Number.NaN, n, method, note };
  }
  const p = wins === losses ? 1 : Math.min(1, 2 * binomialLowerTail(Math.min(wins, losses), n));
  return { p, statistic: wins, n, method };
}
