/** The simplest scorer worth beating: the one feature that ranks the training data best, upwards or downwards. */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import type { Measure } from '../../measures/measure.js';
import { type LinearModel, singleFeature } from '../../models/linear/linear.js';
import { atOnce } from '../../steps.js';
import { type SingleFeature, singleFeatureSteps } from './single-features.js';

/**
 * The one feature that ranks data best.
 *
 * @example
 * import { bestFeature } from 'listwise';
 * import type { BestFeature } from 'listwise/training';
 *
 * const { feature, value }: BestFeature = bestFeature(data, 'ndcg@10');
 */
export interface BestFeature {
  readonly model: LinearModel;
  readonly feature: string;
  /** Whether high or low values rank first. */
  readonly direction: 'high' | 'low';
  /** The measure's mean on the training data. */
  readonly value: number;
}

/**
 * The one feature that ranks the data best by itself, upwards or downwards: the least that a model must beat. Ties go
 * to the feature that comes first.
 *
 * @example
 * import { bestFeature } from 'listwise';
 *
 * const { feature, direction, value } = bestFeature(data, 'ndcg@10');
 * console.log(`${feature} alone, ${direction} values first, reaches ${value.toFixed(4)}`);
 */
export function bestFeature(data: Dataset, measure: string | Measure): BestFeature {
  let best: SingleFeature | undefined;
  for (const one of atOnce(singleFeatureSteps(data, measure))) {
    if (best === undefined || one.result.mean > best.result.mean) best = one;
  }
  if (best === undefined) throw new ListwiseError('data-empty', 'the data has no features to choose from');
  const { feature, direction, result } = best;
  const model = singleFeature(feature, data.featureNames, direction === 'high' ? 1 : -1);
  return { model, feature, direction, value: result.mean };
}
