/** Who shares out the scores of a model. */
import type { FeatureBlock } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import { isOfKind } from '../all.js';
import type { Ranker } from '../ranker.js';
import { BackgroundExplainer } from './background-explainer.js';
import type { Explainer } from './explainer.js';
import { LinearExplainer } from './linear-explainer.js';
import { PathsExplainer } from './paths-explainer.js';

/**
 * Shares the scores of a model out among its features. `background` has documents to compare with, its
 * columns in the order of the model's features. Without it, trees are explained by the ways of their training documents
 * and linear models by the mean that they were standardised with.
 *
 * @example
 * import { explainerOf, sampleRows } from 'listwise/models';
 *
 * const byPaths = explainerOf(model);
 * const against = explainerOf(model, sampleRows(model, data, 100).block);
 * console.log(byPaths.base, against.base);
 */
export function explainerOf(model: Ranker, background?: FeatureBlock): Explainer {
  if (isOfKind(model, 'trees')) {
    return background === undefined ? new PathsExplainer(model) : new BackgroundExplainer(model, background);
  }
  if (isOfKind(model, 'linear')) return new LinearExplainer(model, background);
  throw new ListwiseError(
    'model-unsupported',
    `Shapley values are for sums of trees and linear models, and this is a ${model.kind} model; importance by permutation is for any model`,
  );
}
