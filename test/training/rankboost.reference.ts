/** The reference: a round of RankBoost pair by pair, every threshold between two values of every feature. */

export interface ReferencePair {
  readonly worse: number;
  readonly better: number;
}

/** Weights of the pairs under these scores, by row: they add up to 1. */
export function distributionOf(pairs: readonly ReferencePair[], scores: Float64Array): number[] {
  const weights = pairs.map(({ worse, better }) => Math.exp(scores[worse]! - scores[better]!));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map(weight => weight / total);
}

/** The largest |r| of any weak ranker; `columns[f][row]`, missing values are tried on either side. */
export function largestR(
  columns: readonly Float32Array[],
  pairs: readonly ReferencePair[],
  distribution: readonly number[],
): number {
  let largest = 0;
  for (const column of columns) {
    for (const threshold of column.filter(value => !Number.isNaN(value))) {
      for (const missing of [false, true]) {
        const h = Array.from(column, value => Number(Number.isNaN(value) ? missing : value > threshold));
        const r = pairs.reduce((sum, { worse, better }, p) => sum + distribution[p]! * (h[better]! - h[worse]!), 0);
        largest = Math.max(largest, Math.abs(r));
      }
    }
  }
  return largest;
}
