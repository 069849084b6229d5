/** Adds a constant to every score. Lucene refuses scores below 0; the order stays. */
import { ListwiseError, quote } from '../errors.js';
import { LinearModel } from '../models/linear/linear.js';
import { NetModel } from '../models/net/net.js';
import type { Ranker } from '../models/ranker.js';
import { TreesModel } from '../models/trees/trees.js';

/** A number, or `auto`: the least whole number for which no document can score below 0. */
export function parseOffset(text: string, model: Ranker): number {
  if (text === 'auto') return leastOffset(model);
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new ListwiseError('option-invalid', `--offset must be a number or "auto", found ${quote(text)}`);
  }
  return value;
}

function leastOffset(model: Ranker): number {
  if (!(model instanceof TreesModel)) {
    throw new ListwiseError(
      'option-invalid',
      `scores of a ${model.kind} model have no lower bound: give --offset a number`,
    );
  }
  const lowest = model.trees.map(tree => tree.value.reduce((a, b) => Math.min(a, b)));
  let offset = Math.max(0, Math.ceil(-lowest.reduce((sum, value) => sum + value, model.base)));
  while (roundedSum(model.base + offset, lowest) < 0) offset++;
  return offset;
}

/**
 * The sum as engines have it, rounded to 32 bits after every tree. Rounding keeps order: no document is below its
 * lowest leaves.
 */
function roundedSum(base: number, values: readonly number[]): number {
  return values.reduce((sum, value) => Math.fround(sum + Math.fround(value)), Math.fround(base));
}

export function withOffset(model: Ranker, offset: number): Ranker {
  if (offset === 0) return model;
  if (model instanceof TreesModel) {
    const { featureNames, trees, base, sums } = model;
    return new TreesModel({ featureNames, trees, base: base + offset, sums });
  }
  if (model instanceof LinearModel) {
    const { featureNames, weights, bias, mean, scale, missing } = model;
    return new LinearModel({ featureNames, weights, bias: bias + offset, standardise: { mean, scale }, missing });
  }
  if (model instanceof NetModel) {
    const { featureNames, shape, mean, scale } = model;
    const parameters = model.parameters.slice();
    parameters[parameters.length - 1]! += offset;
    return new NetModel({ featureNames, ...shape, parameters, standardise: { mean, scale } });
  }
  throw new ListwiseError('model-unsupported', `a ${model.kind} model takes no offset`);
}
