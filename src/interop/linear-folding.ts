/** A linear model without standardisation: score = bias + sum of weight x, for formats that know nothing else. */
import { plural } from '../errors.js';
import type { LinearModel } from '../models/linear/linear.js';
import type { Changes } from './format.js';

export function folded(model: LinearModel, changes: Changes): { weights: Float64Array; bias: number } {
  const weights = model.weights.map((weight, f) => weight / model.scale[f]!);
  const bias = weights.reduce((sum, weight, f) => sum - weight * model.mean[f]!, model.bias);
  if (model.mean.some(mean => mean !== 0) || model.scale.some(scale => scale !== 1)) {
    changes.notice('standardisation is folded into the weights; scores can differ in their last digits');
  }
  const counted = model.missing.filter((value, f) => value !== 0 && weights[f] !== 0).length;
  if (counted > 0) {
    changes.loses(
      `missing values count as 0 there; in ${plural(counted, 'feature')} of the model they count as something else`,
    );
  }
  return { weights, bias };
}
