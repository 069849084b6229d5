/** What a weak ranker counts. */

/** A ranker that is never wrong would get an infinite weight. */
const LEAST_ERROR = 1e-6;

export function weightOf(r: number): number {
  const bounded = Math.max(LEAST_ERROR - 1, Math.min(1 - LEAST_ERROR, r));
  return 0.5 * Math.log((1 + bounded) / (1 - bounded));
}
