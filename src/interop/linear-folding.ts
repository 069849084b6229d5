/**
 * Linear models for other systems: without standardisation, score = bias + sum of weight x, for formats that know
 * nothing else; or with the normalisers that an engine has, (x - mean) / scale in 32 bits.
 */
import { plural } from '../errors.js';
import type { LinearModel } from '../models/linear/linear.js';
import type { Changes, ExportJob } from './format.js';

export interface FoldedLinear {
  readonly weights: Float64Array;
  readonly bias: number;
}

/** The weights with the standardisation in them. */
export function foldedLinear(model: LinearModel): FoldedLinear {
  const weights = model.weights.map((weight, f) => weight / model.scale[f]!);
  return { weights, bias: weights.reduce((sum, weight, f) => sum - weight * model.mean[f]!, model.bias) };
}

/** The same for a file that is written, with what is to be said about it. */
export function folded(model: LinearModel, changes: Changes): FoldedLinear {
  if (model.mean.some(mean => mean !== 0) || model.scale.some(scale => scale !== 1)) {
    changes.notice('standardisation is folded into the weights; scores can differ in their last digits');
  }
  loseMissing(model, changes);
  return foldedLinear(model);
}

export interface Normaliser {
  readonly mean: number;
  /** Above 0. */
  readonly scale: number;
}

/** What an engine divides its features by; undefined where a model is not standardised, or not in 32 bits. */
function normalisersOf({ mean, scale }: LinearModel): Normaliser[] | undefined {
  if (mean.every(value => value === 0) && scale.every(value => value === 1)) return undefined;
  const found = Array.from(mean, (value, f) => ({ mean: Math.fround(value), scale: Math.fround(Math.abs(scale[f]!)) }));
  return found.every(one => one.scale > 0 && Number.isFinite(one.scale + one.mean)) ? found : undefined;
}

/** What an engine takes: its own normalisers where it has them, else weights with the standardisation in them. */
export function linearFor(model: LinearModel, { rule, changes }: ExportJob): NormalisedLinear {
  const normalised = rule?.linear?.standardises === 'normalisers' ? normalisedLinear(model) : undefined;
  if (normalised === undefined) return folded(model, changes);
  loseMissing(model, changes);
  return normalised;
}

export interface NormalisedLinear extends FoldedLinear {
  /** None where the weights have the standardisation in them. */
  readonly normalisers?: readonly Normaliser[] | undefined;
}

/** The model as an engine with normalisers of its own has it; undefined where it needs none, or none can say it. */
export function normalisedLinear(model: LinearModel): NormalisedLinear | undefined {
  const normalisers = normalisersOf(model);
  return normalisers && { weights: turned(model), bias: model.bias, normalisers };
}

/** Weights where all scales are above 0. */
function turned({ weights, scale }: LinearModel): Float64Array {
  return weights.map((weight, f) => weight * Math.sign(scale[f]!));
}

function loseMissing(model: LinearModel, changes: Changes): void {
  const counted = model.missing.filter((value, f) => value !== 0 && model.weights[f] !== 0).length;
  if (counted === 0) return;
  changes.loses(
    `missing values count as 0 there; in ${plural(counted, 'feature')} of the model they count as something else`,
    'ways',
  );
}

/** For engines that have no intercept. */
export function loseBias(bias: number, changes: Changes): void {
  if (bias === 0) return;
  changes.loses(
    `there is no intercept: every score is ${Math.abs(bias)} ${bias > 0 ? 'less' : 'more'} than here, and the order is the same`,
    'constant',
  );
}
