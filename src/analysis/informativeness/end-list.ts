/**
 * The best and the worst list there can be: documents in the order of their gains. Ranks of equal discount hold the
 * same mixture, which has the largest entropy of all arrangements with that value. At these ends the multipliers of the
 * general problem are infinite.
 */
export type End = 'best' | 'worst';

/** Probabilities [class][rank]; `counts` are by class, lowest gain first; `discount` never rises with the rank. */
export function endList(end: End, counts: Float64Array, discount: Float64Array): Float64Array {
  const n = discount.length;
  const probabilities = new Float64Array(counts.length * n);
  const left = counts.slice();
  let at = end === 'best' ? left.length - 1 : 0; // the class to be dealt out next, from the top of the list
  const step = end === 'best' ? -1 : 1;
  for (let start = 0, next = 0; start < n; start = next) {
    while (next < n && discount[next] === discount[start]) next++;
    for (let places = next - start; places > 0; ) {
      const dealt = Math.min(places, left[at]!);
      for (let r = start; r < next; r++) probabilities[at * n + r]! = dealt / (next - start);
      left[at]! -= dealt;
      places -= dealt;
      if (left[at] === 0) at += step;
    }
  }
  return probabilities;
}
