/** Wilcoxon's signed-rank test. Zero differences are dropped. */
import { normalTwoSided } from '../../numeric/special-functions.js';
import { refuseNotFinite, type TestResult } from './test-result.js';

/** Up to this many differences the distribution is counted out, where neither ties nor zeros stand against it. */
const EXACT_UP_TO = 50;

/**
 * Wilcoxon's signed-rank test of paired differences.
 *
 * @example
 * import { wilcoxonTest } from 'listwise/analysis';
 *
 * const { p } = wilcoxonTest(Float64Array.of(0.1, 0.2, -0.05, 0.15));
 */
export function wilcoxonTest(differences: Float64Array): TestResult {
  refuseNotFinite(differences);
  const kept = differences.filter(difference => difference !== 0);
  const n = kept.length;
  if (differences.length === 0) {
    const note = 'a signed-rank test needs at least one query, there are none';
    return { p: Number.NaN, statistic: Number.NaN, n, method: 'Wilcoxon signed-rank', note };
  }
  if (n === 0) return { p: 1, statistic: 0, n, method: 'Wilcoxon signed-rank: all differences are zero' };
  const { positive, tied } = signedRanks(kept);
  const total = (n * (n + 1)) / 2;
  if (n <= EXACT_UP_TO && tied === 0 && n === differences.length) {
    return { p: exactTwoSided(positive, n), statistic: positive, n, method: 'Wilcoxon signed-rank, exact' };
  }
  // Variance of the rank sum with ties: (n(n+1)(2n+1) - sum over groups (t³ - t)/2) / 24. No continuity correction.
  const variance = (n * (n + 1) * (2 * n + 1) - tied / 2) / 24;
  const z = (positive - total / 2) / Math.sqrt(variance);
  return {
    p: normalTwoSided(z),
    statistic: positive,
    n,
    method: 'Wilcoxon signed-rank, normal approximation with tie correction',
  };
}

/** The sum of the ranks of positive differences, and the sum of t³ - t over groups of t equal sizes. */
function signedRanks(differences: Float64Array): { positive: number; tied: number } {
  const n = differences.length;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => Math.abs(differences[a]!) - Math.abs(differences[b]!),
  );
  let positive = 0;
  let tied = 0;
  for (let start = 0; start < n; ) {
    let end = start + 1;
    while (end < n && Math.abs(differences[order[end]!]!) === Math.abs(differences[order[start]!]!)) end++;
    const rank = (start + 1 + end) / 2; // equal sizes share the mean of their ranks
    for (let i = start; i < end; i++) if (differences[order[i]!]! > 0) positive += rank;
    const size = end - start;
    tied += size ** 3 - size;
    start = end;
  }
  return { positive, tied };
}

/** From the number of subsets of 1..n with each sum; exact in double precision up to n = 53. */
function exactTwoSided(positive: number, n: number): number {
  const total = (n * (n + 1)) / 2;
  const subsets = new Float64Array(total + 1);
  subsets[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let sum = total; sum >= rank; sum--) subsets[sum]! += subsets[sum - rank]!;
  }
  let tail = 0;
  for (let sum = 0; sum <= Math.min(positive, total - positive); sum++) tail += subsets[sum]!;
  return Math.min(1, (2 * tail) / 2 ** n);
}
