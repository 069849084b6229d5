/** How much of a long query the pair kernels do at a time, so that signals get through. */

/** Some 30 ms of work, and a count that is far from the end of 32 bits. */
const PAIRS_A_STEP = 1 << 24;

/** Rows of the pairs of n documents; all of them where the query is not long. */
export function rowsAStep(n: number): number {
  return Math.max(1, Math.floor(PAIRS_A_STEP / Math.max(1, n)));
}
