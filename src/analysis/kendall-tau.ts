/**
 * Kendall's tau-b between two values of the same items: (pairs ordered alike - pairs ordered the other way round) /
 * the geometric mean of the pairs that are not tied in the one and in the other. Values that differ by at most
 * `tolerance` are tied. NaN where one of the two is the same throughout.
 *
 * @example
 * import { kendallTau } from 'listwise/analysis';
 *
 * console.log(kendallTau([0.3, 0.2, 0.1], [3, 2, 1])); // 1
 */
export function kendallTau(a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 0): number {
  const sign = (difference: number) => (Math.abs(difference) <= tolerance ? 0 : Math.sign(difference));
  let balance = 0;
  let untiedA = 0;
  let untiedB = 0;
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < i; j++) {
      const ours = sign(a[i]! - a[j]!);
      const theirs = sign(b[i]! - b[j]!);
      balance += ours * theirs;
      untiedA += Math.abs(ours);
      untiedB += Math.abs(theirs);
    }
  }
  return balance / Math.sqrt(untiedA * untiedB);
}
