/** The reference: the most violated ranking by trying all of them. For up to 8 documents. */

/** Psi in one dimension, the scores: Psi(y) . w of a ranking, documents by rank. */
export type Psi = (order: readonly number[]) => number;

/** max over rankings of Delta(y') + Psi(y') . w, less Psi of the right ranking. */
export function largestViolation(
  n: number,
  delta: (order: readonly number[]) => number,
  psi: Psi,
  right: number,
): number {
  let largest = -Infinity;
  for (const order of permutations(Array.from({ length: n }, (_, d) => d))) {
    largest = Math.max(largest, delta(order) + psi(order) - right);
  }
  return largest;
}

function* permutations(items: readonly number[]): Generator<readonly number[], void, void> {
  if (items.length === 0) yield [];
  for (const [i, first] of items.entries()) {
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) yield [first, ...rest];
  }
}

/** 1/(R N) sum over relevant i and others j of y_ij (s_i - s_j). */
export function pairPsi(scores: Float64Array, isRelevant: (document: number) => boolean): Psi {
  return order => {
    let sum = 0;
    let pairs = 0;
    for (const [a, i] of order.entries()) {
      for (const [b, j] of order.entries()) {
        if (!isRelevant(i) || isRelevant(j)) continue;
        pairs++;
        sum += (a < b ? 1 : -1) * (scores[i]! - scores[j]!);
      }
    }
    return sum / pairs;
  };
}
