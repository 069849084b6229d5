/**
 * The potential of each document of a query: the weight of the pairs in which it is the better one less that of those
 * in which it is the worse. The pair of x0 (worse) and x1 (better) weighs e^(f(x0) - f(x1)), which is a product of one
 * factor a document, whatever the number of grades: sums over lower and higher grades do, and no pair is visited.
 */

/** Documents of a query that have a label, those of low labels first. */
export function byLabel(labels: Float64Array, from: number, to: number): Uint32Array {
  const rows: number[] = [];
  for (let row = from; row < to; row++) if (!Number.isNaN(labels[row])) rows.push(row);
  return Uint32Array.from(rows.sort((a, b) => labels[a]! - labels[b]! || a - b));
}

/** Pairs of different labels among documents sorted by label. */
export function pairsOf(labels: Float64Array, sorted: Uint32Array): number {
  let pairs = 0;
  let lower = 0;
  for (let k = 1; k < sorted.length; k++) {
    if (labels[sorted[k]!] !== labels[sorted[k - 1]!]) lower = k;
    pairs += lower;
  }
  return pairs;
}

/** Writes potentials of the sorted documents, by row; returns the weight of all pairs. */
export function potentials(
  labels: Float64Array,
  sorted: Uint32Array,
  scores: Float64Array,
  weight: number,
  out: Float64Array,
): number {
  const n = sorted.length;
  let least = Infinity;
  let most = -Infinity;
  for (let k = 0; k < n; k++) {
    least = Math.min(least, scores[sorted[k]!]!);
    most = Math.max(most, scores[sorted[k]!]!);
  }
  const centre = (least + most) / 2; // no factor overflows while scores span less than 1,400
  let total = 0;
  let lower = 0; // sum over documents of lower labels of e^(f - centre)
  let own = 0;
  for (let k = 0; k < n; k++) {
    const row = sorted[k]!;
    if (k > 0 && labels[row] !== labels[sorted[k - 1]!]) {
      lower += own;
      own = 0;
    }
    own += Math.exp(scores[row]! - centre);
    out[row] = weight * Math.exp(centre - scores[row]!) * lower;
    total += out[row]!;
  }
  let higher = 0; // sum over documents of higher labels of e^(centre - f)
  own = 0;
  for (let k = n - 1; k >= 0; k--) {
    const row = sorted[k]!;
    if (k < n - 1 && labels[row] !== labels[sorted[k + 1]!]) {
      higher += own;
      own = 0;
    }
    own += Math.exp(centre - scores[row]!);
    out[row]! -= weight * Math.exp(scores[row]! - centre) * higher;
  }
  return total;
}
