/**
 * A linear model: score = bias + sum over features f of weight_f (x_f - mean_f) / scale_f. Without standardisation mean
 * is 0 and scale 1.
 */
import type { FeatureBlock } from '../../data/dataset.js';
import type { DataDescription } from '../../data/description.js';
import { ListwiseError, quote } from '../../errors.js';
import { refuseInfinite, refuseZeroScale } from '../finite-numbers.js';
import { modelObject } from '../model-object.js';
import type { ModelReader } from '../model-reader.js';
import { areNarrow, readNumbers, widthIn, writtenNumbers } from '../narrow-numbers.js';
import type { ModelJson, Ranker } from '../ranker.js';
import type { TrainingRecord } from '../training-record.js';
import { LinearPerturbation } from './linear-perturbation.js';

/**
 * What a weighted sum of features is made of.
 *
 * @example
 * import { LinearModel } from 'listwise';
 * import type { LinearParts } from 'listwise/models';
 *
 * const parts: LinearParts = { featureNames: ['bm25', 'clicks'], weights: [1, 0.2], missing: [0, 3] };
 * const model = new LinearModel(parts);
 */
export interface LinearParts {
  featureNames: readonly string[];
  weights: ArrayLike<number>;
  bias?: number | undefined;
  /** Kept in the model, so that it takes features as they are in the data. */
  standardise?: { mean: ArrayLike<number>; scale: ArrayLike<number> } | undefined;
  /** What a missing value counts as, in the unit of the data (default: the mean where standardised, else 0). */
  missing?: ArrayLike<number> | undefined;
  ignoresOthers?: boolean;
  description?: DataDescription | undefined;
  training?: TrainingRecord | undefined;
}

/**
 * A weighted sum of the features.
 *
 * @example
 * import { LinearModel } from 'listwise';
 *
 * const model = new LinearModel({ featureNames: ['bm25', 'clicks'], weights: [1, 0.2] });
 * console.log(model.scoreRow([12.5, 3]));
 */
export class LinearModel implements Ranker {
  readonly kind = 'linear';
  readonly featureNames: readonly string[];
  readonly weights: Float64Array;
  readonly bias: number;
  readonly mean: Float64Array;
  readonly scale: Float64Array;
  readonly missing: Float64Array;
  readonly ignoresOthers: boolean;
  readonly description: DataDescription | undefined;
  readonly training: TrainingRecord | undefined;

  constructor(parts: LinearParts) {
    const n = parts.featureNames.length;
    this.featureNames = parts.featureNames;
    this.bias = parts.bias ?? 0;
    this.weights = Float64Array.from(parts.weights);
    this.mean = parts.standardise ? Float64Array.from(parts.standardise.mean) : new Float64Array(n);
    this.scale = parts.standardise ? Float64Array.from(parts.standardise.scale) : new Float64Array(n).fill(1);
    this.missing = parts.missing ? Float64Array.from(parts.missing) : this.mean.slice();
    this.ignoresOthers = parts.ignoresOthers ?? false;
    this.description = parts.description;
    this.training = parts.training;
    for (const values of [this.weights, this.mean, this.scale, this.missing]) {
      if (values.length !== n) throw new RangeError(`${values.length} values for ${n} features of a linear model`);
    }
    const { bias, weights, mean, scale, missing } = this;
    for (const [name, values] of Object.entries({ weights, mean, scale, missing, bias: [bias] }))
      refuseInfinite(name, values);
    refuseZeroScale(scale, this.featureNames);
  }

  with(parts: Partial<LinearParts>): LinearModel {
    return new LinearModel({ ...this, standardise: this, ...parts });
  }

  plus(offset: number): LinearModel {
    return this.with({ bias: this.bias + offset });
  }

  scoreBlock(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    out.fill(this.bias, 0, block.rows);
    for (let f = 0; f < columns.length; f++) {
      const column = columns[f]!;
      if (this.weights[f] === 0) continue;
      if (column < 0) addConstant(out, block.rows, this.term(f, absent));
      else {
        const values = block.data.subarray(column * block.stride, column * block.stride + block.rows);
        addColumn(out, values, this.weights[f]!, this.mean[f]!, this.scale[f]!, this.missing[f]!);
      }
    }
  }

  scoreRow(features: ArrayLike<number>): number {
    let score = this.bias;
    for (let f = 0; f < this.weights.length; f++) score += this.term(f, features[f]!);
    return score;
  }

  scoreRows(rows: Float32Array, n: number, out: Float64Array): void {
    const { weights, mean, scale, missing } = this;
    const features = weights.length;
    out.fill(this.bias, 0, n);
    for (let i = 0; i < n; i++) {
      let score = out[i]!; // from an array of numbers: a sum that begins at a property is kept as an object
      for (let f = 0; f < features; f++) {
        const value = rows[i * features + f]!;
        const x = Number.isNaN(value) ? missing[f]! : value;
        score += weights[f]! * ((x - mean[f]!) / scale[f]!);
      }
      out[i] = score;
    }
  }

  /** What a value of feature f adds to the score. */
  term(f: number, value: number): number {
    const x = Number.isNaN(value) ? this.missing[f]! : value;
    return this.weights[f]! * ((x - this.mean[f]!) / this.scale[f]!);
  }

  contributions(rows: Float32Array, n: number): Float64Array {
    const features = this.weights.length;
    const parts = new Float64Array(n * features);
    for (let f = 0; f < features; f++) {
      let mean = 0;
      for (let i = 0; i < n; i++) mean += this.term(f, rows[i * features + f]!) / n;
      for (let i = 0; i < n; i++) parts[i * features + f] = this.term(f, rows[i * features + f]!) - mean;
    }
    return parts;
  }

  /** The same model over these features, among which its feature f is columns[f]; the others count for nothing. */
  withFeatures(featureNames: readonly string[], columns: Int32Array): LinearModel {
    const placed = (values: Float64Array, other: number) => {
      const all = new Float64Array(featureNames.length).fill(other);
      for (let f = 0; f < values.length; f++) all[columns[f]!] = values[f]!;
      return all;
    };
    return this.with({
      featureNames,
      weights: placed(this.weights, 0),
      standardise: { mean: placed(this.mean, 0), scale: placed(this.scale, 1) },
      missing: placed(this.missing, 0),
    });
  }

  perturbation(): LinearPerturbation {
    return new LinearPerturbation(this);
  }

  size() {
    return { weights: this.weights.length, standardised: isStandardised(this) ? 'yes' : 'no' };
  }

  featureWeights(): Float64Array {
    return this.weights;
  }

  toJSON(): ModelJson {
    const narrow = areNarrow([...this.weights, this.bias]);
    const [bias, ...weights] = writtenNumbers([this.bias, ...this.weights], narrow);
    return modelObject(this, {
      ...(narrow ? { values: 'float32' } : {}),
      weights,
      bias,
      mean: [...this.mean],
      scale: [...this.scale],
      missing: [...this.missing],
    });
  }
}

// The same arithmetic as `term`, in a loop of its own so that it is compiled well.
function addColumn(
  out: Float64Array,
  values: Float32Array,
  weight: number,
  mean: number,
  scale: number,
  missing: number,
): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    out[i]! += weight * (((Number.isNaN(value) ? missing : value) - mean) / scale);
  }
}

export function addConstant(out: Float64Array, rows: number, term: number): void {
  for (let i = 0; i < rows; i++) out[i]! += term;
}

export function readLinear(reader: ModelReader): LinearModel {
  const n = reader.featureNames.length;
  const narrow = widthIn(reader, 'values') === 'float32';
  return new LinearModel({
    featureNames: reader.featureNames,
    weights: readNumbers(reader.numbers('weights', n), narrow),
    bias: readNumbers([reader.number('bias')], narrow)[0],
    standardise: { mean: reader.numbers('mean', n), scale: reader.numbers('scale', n) },
    missing: reader.numbers('missing', n),
  });
}

/**
 * Ranks by one feature alone, highest first (or lowest first with weight -1); `featureNames` are those of the data.
 *
 * @example
 * import { evaluate, scoreData } from 'listwise';
 * import { singleFeature } from 'listwise/models';
 *
 * const byPrice = singleFeature('price', data.featureNames, -1);
 * console.log(evaluate(data, scoreData(byPrice, data), 'ndcg@10')[0]?.mean);
 */
export function singleFeature(name: string, featureNames: readonly string[], weight = 1): LinearModel {
  const feature = featureNames.indexOf(name);
  if (feature < 0) {
    throw new ListwiseError('feature-mismatch', `the data has no feature ${quote(name)}`);
  }
  const weights = new Float64Array(featureNames.length);
  weights[feature] = weight;
  return new LinearModel({ featureNames, weights });
}

/** Whether features enter with another mean or scale than they have. */
export function isStandardised({
  mean,
  scale,
}: {
  readonly mean: Float64Array;
  readonly scale: Float64Array;
}): boolean {
  return mean.some(value => value !== 0) || scale.some(value => value !== 1);
}
