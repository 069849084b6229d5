/**
 * The value of a measure over folds. It is the mean over the folds of each fold's mean over its queries, as LETOR
 * reports it; its interval says how far other queries of the same kind might move it.
 */
import { moments } from '../analysis/significance/t-test.js';
import type { Measure } from '../measures/measure.js';
import { studentCritical } from '../numeric/special-functions.js';

/** Of one fold, in the scale that the measure's mean is taken over (see Aggregate): enough to put folds together. */
export interface FoldValue {
  /** Queries that count. */
  readonly n: number;
  readonly mean: number;
  /** Sum of squared distances from the mean. */
  readonly squares: number;
}

export interface Estimate {
  readonly mean: number;
  readonly interval: readonly [number, number];
}

/** `values` are those of the queries, NaN where one is skipped. */
export function foldValue(measure: Measure, values: Float64Array): FoldValue {
  const counted = values.filter(value => !Number.isNaN(value)).map(value => measure.aggregate.of(value));
  const { n, mean, deviation } = moments(counted);
  return { n, mean, squares: n < 2 ? 0 : deviation ** 2 * (n - 1) };
}

/**
 * Queries of all folds have one deviation s, taken around the common mean; a mean over k folds of n_1 … n_k queries
 * then has the deviation s sqrt(1/n_1 + … + 1/n_k) / k. For folds of equal size that is the usual interval over all
 * queries.
 */
export function overFolds(measure: Measure, folds: readonly FoldValue[], alpha = 0.05): Estimate {
  const k = folds.length;
  const mean = folds.reduce((sum, fold) => sum + fold.mean, 0) / k;
  const n = folds.reduce((sum, fold) => sum + fold.n, 0);
  const centre = folds.reduce((sum, fold) => sum + fold.n * fold.mean, 0) / n;
  const squares = folds.reduce((sum, fold) => sum + fold.squares + fold.n * (fold.mean - centre) ** 2, 0);
  const deviation = Math.sqrt(squares / (n - 1));
  const spread = Math.sqrt(folds.reduce((sum, fold) => sum + 1 / fold.n, 0)) / k;
  const reach = n < 2 ? Number.NaN : studentCritical(alpha, n - 1) * deviation * spread;
  const { finish } = measure.aggregate;
  return { mean: finish(mean), interval: [finish(mean - reach), finish(mean + reach)] };
}
