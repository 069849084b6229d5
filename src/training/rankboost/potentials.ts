/**
 * The potential of each document of a query: the weight of the pairs in which it is the better one less that of those
 * in which it is the worse. The pair of x0 (worse) and x1 (better) weighs e^(f(x0) - f(x1)), which is a product of one
 * factor a document, whatever the number of grades: sums over lower and higher grades do, and no pair is visited.
 */
import type { Places } from './places.js';

/** Writes factors and potentials of the documents of a query, by place; returns the weight of all its pairs. */
export function potentials(
  { labels, offsets }: Places,
  query: number,
  scores: Float64Array,
  weight: number,
  factors: Float64Array,
  out: Float64Array,
): number {
  const first = offsets[query]!;
  const last = offsets[query + 1]! - 1;
  let least = Infinity;
  let most = -Infinity;
  for (let k = first; k <= last; k++) {
    const score = scores[k]!;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  const centre = (least + most) / 2; // no factor overflows while scores span less than 1,400
  let total = 0;
  let lower = 0; // sum over documents of lower labels of e^(f - centre)
  let same = 0;
  for (let k = first; k <= last; k++) {
    if (k > first && labels[k] !== labels[k - 1]) {
      lower += same;
      same = 0;
    }
    const factor = Math.exp(scores[k]! - centre);
    factors[k] = factor;
    same += factor;
    const potential = (weight / factor) * lower;
    out[k] = potential;
    total += potential;
  }
  let higher = 0; // sum over documents of higher labels of e^(centre - f)
  same = 0;
  for (let k = last; k >= first; k--) {
    if (k < last && labels[k] !== labels[k + 1]) {
      higher += same;
      same = 0;
    }
    same += 1 / factors[k]!;
    out[k]! -= weight * factors[k]! * higher;
  }
  return total;
}
