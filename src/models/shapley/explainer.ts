/**
 * Shares scores out among features: Shapley values, what each feature adds to the score of a document beyond an
 * expected score, on average over all orders in which features become known (Lundberg and Lee 2017).
 */
import type { FeatureBlock } from '../../data/dataset.js';

/**
 * Shares the scores of a model out among its features.
 *
 * @example
 * import { type Explainer, explainerOf } from 'listwise/models';
 *
 * const explainer: Explainer = explainerOf(model);
 * console.log(explainer.base);
 */
export interface Explainer {
  /**
   * What stands for a feature that is not known: the ways of the training documents in each tree, the training mean, or
   * the values of background documents.
   */
  readonly how: 'paths' | 'mean' | 'background';
  /** The expected score, which documents are compared with. */
  readonly base: number;
  readonly featureNames: readonly string[];
  /**
   * Values of the rows of a block: out[i * (features + 1) + f], then the base. A row adds up to the score. Columns and
   * `absent` are as for `scoreBlock`.
   */
  values(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void;
  /**
   * Interactions of the rows of a block: a matrix of features + 1 rows and columns each, the base in the last cell. A
   * matrix is symmetric; what a feature does alone is on the diagonal, and a row adds up to the feature's value.
   */
  interactions(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void;
}

/** Fills in the rest of a matrix from its pairs f < g and the values of features; two cells share each pair. */
export function completeInteractions(matrix: Float64Array, values: Float64Array, base: number): void {
  const features = values.length;
  const width = features + 1;
  for (let f = 0; f < features; f++) matrix[f * width + f] = values[f]!;
  for (let f = 0; f < features; f++) {
    for (let g = f + 1; g < features; g++) {
      const half = matrix[f * width + g]! / 2;
      if (half === 0) continue;
      matrix[f * width + g] = half;
      matrix[g * width + f] = half;
      matrix[f * width + f]! -= half;
      matrix[g * width + g]! -= half;
    }
  }
  matrix[width * width - 1] = base;
}
