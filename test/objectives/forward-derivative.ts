/**
 * The rank distributions of SoftRank with their derivatives carried forward through the recursion, one array of
 * derivatives a document, as in Taylor et al. 2008: O(n^2 depth) a document. Kept as the plain reference for the
 * adjoint form and as the baseline of its benchmark.
 */
import { density, normal } from '#listwise/numeric/normal.js';

/** As RankDistributions.expectedDiscount. */
export function expectedDiscountForward(
  sigma: number,
  j: number,
  scores: Float64Array,
  n: number,
  discount: Float64Array,
  depth: number,
  scale: number,
  gradient: Float64Array,
): number {
  const spread = Math.SQRT2 * sigma;
  const p = new Float64Array(depth);
  p[0] = 1;
  /** slopes[m][r] is the derivative of p(r) by the score of document m. */
  const slopes = Array.from({ length: n }, () => new Float64Array(depth));
  for (let i = 0; i < n; i++) {
    if (i === j) continue;
    const x = (scores[i]! - scores[j]!) / spread;
    const win = normal(x);
    const winSlope = density(x) / spread;
    for (let m = 0; m < n; m++) {
      const slope = slopes[m]!;
      const own = m === i ? winSlope : m === j ? -winSlope : 0;
      for (let r = depth - 1; r >= 0; r--) {
        const pBefore = r > 0 ? p[r - 1]! : 0;
        const slopeBefore = r > 0 ? slope[r - 1]! : 0;
        slope[r] = slopeBefore * win + slope[r]! * (1 - win) + own * (pBefore - p[r]!);
      }
    }
    for (let r = depth - 1; r > 0; r--) p[r] = p[r - 1]! * win + p[r]! * (1 - win);
    p[0]! *= 1 - win;
  }
  let value = 0;
  for (let r = 0; r < depth; r++) value += scale * discount[r]! * p[r]!;
  for (let m = 0; m < n; m++) {
    for (let r = 0; r < depth; r++) gradient[m]! += scale * discount[r]! * slopes[m]![r]!;
  }
  return value;
}
