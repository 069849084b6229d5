/**
 * A round of AdaRank (Xu, Li 2007): the weak ranker with the best weighted measure, and its weight. Queries that the
 * measure is undefined for have a distribution of 0.
 */

export interface WeakRanker {
  /** Its number among all. */
  readonly ranker: number;
  /** sum over queries of P(i) M(i, h). */
  readonly phi: number;
  readonly alpha: number;
}

/** A weak ranker that is right on every query would get an infinite weight. */
const LEAST_ERROR = 1e-6;

/** `values[h][i]` is the measure of query i ranked by h; of equals the first is chosen. */
export function chooseRanker(
  values: readonly Float64Array[],
  distribution: Float64Array,
  isAside: (ranker: number) => boolean,
): WeakRanker | undefined {
  let best: WeakRanker | undefined;
  for (let ranker = 0; ranker < values.length; ranker++) {
    if (isAside(ranker)) continue;
    const phi = weighted(values[ranker]!, distribution);
    if (best === undefined || phi > best.phi) best = { ranker, phi, alpha: 0 };
  }
  return best && { ...best, alpha: 0.5 * Math.log((1 + best.phi) / Math.max(LEAST_ERROR, 1 - best.phi)) };
}

function weighted(values: Float64Array, distribution: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) if (distribution[i]! > 0) sum += distribution[i]! * values[i]!;
  return sum;
}

/** P(i) proportional to e^-M(i, f); queries without a value take no part. */
export function reweigh(values: Float64Array): Float64Array {
  const weights = values.map(value => (Number.isNaN(value) ? 0 : Math.exp(-value)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map(weight => weight / total);
}

/** The mean over queries that have a value. */
export function meanOf(values: Float64Array): number {
  let sum = 0;
  let queries = 0;
  for (let q = 0; q < values.length; q++) {
    const value = values[q]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    queries++;
  }
  return sum / queries;
}
