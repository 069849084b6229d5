/**
 * A measure's figure over folds. The figure is the mean over the folds of each fold's mean over its queries, as LETOR
 * reports it; its interval says how far other queries of the same kind might move it.
 */
import { moments } from '../analysis/significance/t-test.js';
import type { Measure } from '../measures/measure.js';
import { studentCritical } from '../numeric/special-functions.js';

/** Of one fold, in the scale that the measure's mean is taken over (see Aggregate): enough to put folds together. */
export interface FoldFigure {
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
export function foldFigure(measure: Measure, values: Float64Array): FoldFigure {
  const counted = values.filter(value => !Number.isNaN(value)).map(value => measure.aggregate.of(value));
  const { n, mean, deviation } = moments(counted);
  return { n, mean, squares: n < 2 ? 0 : deviation ** 2 * (n - 1) };
}

/**
 * Queries of all folds have one deviation s, taken around the common mean; a mean over k folds of n_1 … n_k queries
 * then has the deviation s sqrt(1/n_1 + … + 1/n_k) / k. For folds of equal size that is the usual interval over all
 * queries.
 */
export function overFolds(measure: Measure, figures: readonly FoldFigure[], alpha = 0.05): Estimate {
  const k = figures.length;
  const mean = figures.reduce((sum, figure) => sum + figure.mean, 0) / k;
  const n = figures.reduce((sum, figure) => sum + figure.n, 0);
  const centre = figures.reduce((sum, figure) => sum + figure.n * figure.mean, 0) / n;
  const squares = figures.reduce((sum, figure) => sum + figure.squares + figure.n * (figure.mean - centre) ** 2, 0);
  const deviation = Math.sqrt(squares / (n - 1));
  const spread = Math.sqrt(figures.reduce((sum, figure) => sum + 1 / figure.n, 0)) / k;
  const reach = n < 2 ? Number.NaN : studentCritical(alpha, n - 1) * deviation * spread;
  const { finish } = measure.aggregate;
  return { mean: finish(mean), interval: [finish(mean - reach), finish(mean + reach)] };
}
