/** How well two objectives agree about a query: the share of documents pulled the same way (Svore et al. 2011). */

/** Counts a document when the signs are the same, or when the second lambda is 0. NaN for an empty query. */
export function lambdaAgreement(first: ArrayLike<number>, second: ArrayLike<number>, n: number): number {
  let agreed = 0;
  for (let i = 0; i < n; i++) {
    if (second[i] === 0 || Math.sign(first[i]!) === Math.sign(second[i]!)) agreed++;
  }
  return agreed / n;
}
