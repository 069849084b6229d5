/**
 * Kendall's tau-b between two figures of the same items: (pairs ordered alike - pairs ordered the other way round) / the geometric
 * mean of the pairs that are not tied in the one and in the other. NaN where a figure has the same value throughout.
 */
export function kendallTau(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let balance = 0;
  let untiedA = 0;
  let untiedB = 0;
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < i; j++) {
      const ours = Math.sign(a[i]! - a[j]!);
      const theirs = Math.sign(b[i]! - b[j]!);
      balance += ours * theirs;
      untiedA += Math.abs(ours);
      untiedB += Math.abs(theirs);
    }
  }
  return balance / Math.sqrt(untiedA * untiedB);
}
