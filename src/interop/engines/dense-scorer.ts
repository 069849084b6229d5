/** How engines score linear models and nets, the plain way. */
import type { LinearModel } from '../../models/linear/linear.js';
import { activationFunctions } from '../../models/net/activation-functions.js';
import type { NetModel } from '../../models/net/net.js';
import { foldedLinear, normalisedLinear } from '../linear-folding.js';
import { foldedLayer, plainLayer } from '../net-folding.js';
import type { LinearRule, NetRule } from './rule.js';

const asIs = (value: number) => value;

/** What a feature that is missing counts as: engines have 0, and take the mean from it as from any other value. */
const present = (value: number) => (Number.isNaN(value) ? 0 : value);

interface Standardised {
  readonly mean: ArrayLike<number>;
  readonly scale: ArrayLike<number>;
}

/** (x - mean) / scale, in 32 bits. */
function standardised({ mean, scale }: Standardised) {
  const [centre, width] = [Float32Array.from(mean), Float32Array.from(scale)];
  return (value: number, f: number) => Math.fround(Math.fround(value - centre[f]!) / width[f]!);
}

/** Added up in the order of the features, after the intercept where one is held. */
export function linearScore(model: LinearModel, rule: LinearRule) {
  const round = rule.width === 32 ? Math.fround : asIs;
  const { weights, bias, input } = linearParts(model, rule);
  return (features: ArrayLike<number>) =>
    weights.reduce(
      (sum, weight, f) => round(sum + round(round(weight) * input(Math.fround(features[f]!), f))),
      rule.intercept ? round(bias) : 0,
    );
}

/** What the engine has of a model, and what it makes of the value of a feature. */
function linearParts(model: LinearModel, { standardises }: LinearRule) {
  if (standardises === 'as-here') {
    const { weights, bias } = model;
    const [missing, turn] = [Float32Array.from(model.missing), standardised(model)];
    return { weights, bias, input: (value: number, f: number) => turn(Number.isNaN(value) ? missing[f]! : value, f) };
  }
  const own = standardises === 'normalisers' ? normalisedLinear(model) : undefined;
  const { weights, bias } = own ?? foldedLinear(model);
  if (own?.normalisers === undefined) return { weights, bias, input: present };
  const turn = standardised({
    mean: own.normalisers.map(({ mean }) => mean),
    scale: own.normalisers.map(({ scale }) => scale),
  });
  return { weights, bias, input: (value: number, f: number) => turn(present(value), f) };
}

/** The bias first, then the inputs in their order; the first layer may take the standardisation in. */
export function netScore(model: NetModel, { standardises }: NetRule) {
  const round = Math.fround;
  const activate = activationFunctions[model.shape.activation];
  const layers = model.layers.map((_, l) => (standardises === 'as-here' ? plainLayer : foldedLayer)(model, l));
  const turn = standardises === 'as-here' ? standardised(model) : asIs;
  return (features: ArrayLike<number>): number => {
    let values = Array.from(features, (value, f) => present(turn(round(value), f)));
    layers.forEach(({ weights, bias }, l) => {
      const sumsOfUnits = bias.map((start, unit) =>
        values.reduce((sum, value, i) => round(sum + round(weights[unit]![i]! * value)), start),
      );
      values = l === layers.length - 1 ? sumsOfUnits : sumsOfUnits.map(sum => round(activate(sum)));
    });
    return values[0]!;
  };
}
