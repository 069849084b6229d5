import type { Random } from '../../numeric/random.js';

/** A size between 1 and many times the mean: the sum of two exponentials (a gamma distribution of shape 2), rounded. */
export function spreadSize(random: Random, mean: number): number {
  const one = -Math.log(1 - random.uniform());
  const other = -Math.log(1 - random.uniform());
  return Math.max(1, Math.round(((one + other) / 2) * mean));
}
