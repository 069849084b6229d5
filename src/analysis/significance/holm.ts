/**
 * Holm's step-down correction (1979): adjusted p-values that can be compared with alpha as they are, when several
 * hypotheses are tested at once. A NaN is no hypothesis and stays NaN.
 *
 * @example
 * import { holm } from 'listwise/analysis';
 *
 * console.log(holm([0.01, 0.04, 0.03])); // 0.03, 0.06, 0.06
 */
export function holm(pValues: readonly number[]): number[] {
  const tested = pValues.map((p, i) => ({ p, i })).filter(({ p }) => !Number.isNaN(p));
  tested.sort((a, b) => a.p - b.p);
  const adjusted = pValues.map(() => Number.NaN);
  let least = 0;
  for (const [k, { p, i }] of tested.entries()) {
    least = Math.max(least, Math.min(1, (tested.length - k) * p));
    adjusted[i] = least;
  }
  return adjusted;
}
