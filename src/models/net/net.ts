/**
 * A dense net: features standardised as (x - mean) / scale, missing values 0 after that, hidden layers of one
 * activation, one score. Scoring is in float64; training runs the same net in float32, so its scores agree to float32
 * rounding (about 1e-6 of the largest score), not to the bit.
 */
import type { FeatureBlock } from '../../data/dataset.js';
import type { DataDescription } from '../../data/description.js';
import { quote, quoteJson } from '../../errors.js';
import { activations } from '../../kernels/layouts/dense.js';
import { type Activation, type LayerShape, layersOf, type NetShape, parameterCount } from '../../kernels/net-shape.js';
import { refuseInfinite, refuseZeroScale } from '../finite-numbers.js';
import { isStandardised } from '../linear/linear.js';
import { modelObject } from '../model-object.js';
import type { ModelReader } from '../model-reader.js';
import { areNarrow, readNumbers, widthIn, writtenNumbers } from '../narrow-numbers.js';
import type { ModelJson, Ranker } from '../ranker.js';
import type { TrainingRecord } from '../training-record.js';
import { activationFunctions } from './activation-functions.js';
import { NetPerturbation } from './net-perturbation.js';

/**
 * What a dense net is made of.
 *
 * @example
 * import { NetModel } from 'listwise';
 * import type { NetParts } from 'listwise/models';
 *
 * const parts: NetParts = { featureNames: ['bm25'], hidden: [1], activation: 'tanh', parameters: [1, 0, 1, 0] };
 * const model = new NetModel(parts);
 */
export interface NetParts {
  featureNames: readonly string[];
  /** Units of each hidden layer; at least one layer. */
  hidden: readonly number[];
  activation: Activation;
  /** Layer by layer: weights [unit][input], then biases; see kernels/net-shape.ts. */
  parameters: ArrayLike<number>;
  standardise?: { mean: ArrayLike<number>; scale: ArrayLike<number> } | undefined;
  ignoresOthers?: boolean;
  description?: DataDescription | undefined;
  training?: TrainingRecord | undefined;
}

/**
 * A dense net of any hidden layers over standardised features.
 *
 * @example
 * import { NetModel, train } from 'listwise';
 *
 * const { model } = await train({ model: 'net', data, options: { hidden: [16, 8] } });
 * const copy: NetModel = model.with({ ignoresOthers: true });
 */
export class NetModel implements Ranker {
  readonly kind = 'net';
  readonly featureNames: readonly string[];
  readonly shape: NetShape;
  readonly parameters: Float64Array;
  readonly mean: Float64Array;
  readonly scale: Float64Array;
  readonly ignoresOthers: boolean;
  readonly description: DataDescription | undefined;
  readonly training: TrainingRecord | undefined;
  /** Where each layer's weights and biases are among the parameters. */
  readonly layers: readonly LayerShape[];
  readonly #activate: (x: number) => number;
  /** Sums of each layer's units for one document. */
  readonly #sums: readonly Float64Array[];

  constructor(parts: NetParts) {
    const inputs = parts.featureNames.length;
    this.featureNames = parts.featureNames;
    this.shape = { inputs, hidden: [...parts.hidden], activation: parts.activation };
    this.layers = layersOf(this.shape);
    this.parameters = Float64Array.from(parts.parameters);
    this.mean = parts.standardise ? Float64Array.from(parts.standardise.mean) : new Float64Array(inputs);
    this.scale = parts.standardise ? Float64Array.from(parts.standardise.scale) : new Float64Array(inputs).fill(1);
    this.ignoresOthers = parts.ignoresOthers ?? false;
    this.description = parts.description;
    this.training = parts.training;
    this.#activate = activationFunctions[parts.activation];
    this.#sums = this.layers.map(({ units }) => new Float64Array(units));
    const last = this.layers.at(-1)!;
    if (this.parameters.length !== last.bias + 1 || this.mean.length !== inputs || this.scale.length !== inputs) {
      throw new RangeError(`${this.parameters.length} parameters for a net that has ${last.bias + 1}`);
    }
    const { parameters, mean, scale } = this;
    for (const [name, values] of Object.entries({ parameters, mean, scale })) refuseInfinite(name, values);
    refuseZeroScale(scale, this.featureNames);
  }

  with(parts: Partial<NetParts>): NetModel {
    return new NetModel({ ...this, ...this.shape, standardise: this, ...parts });
  }

  plus(offset: number): NetModel {
    const last = this.parameters.length - 1;
    return this.with({ parameters: this.parameters.with(last, this.parameters[last]! + offset) });
  }

  #standardised(feature: number, value: number): number {
    return Number.isNaN(value) ? 0 : (value - this.mean[feature]!) / this.scale[feature]!;
  }

  scoreBlock(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    const { rows } = block;
    const first = this.layers[0]!;
    // The first layer by columns, as the data lies: sums[unit][row]. In chunks, so that the sums stay in the cache.
    const chunk = 1024;
    const sums = new Float64Array(first.units * chunk);
    const column = new Float64Array(chunk);
    const hidden = new Float64Array(first.units);
    for (let start = 0; start < rows; start += chunk) {
      const count = Math.min(chunk, rows - start);
      for (let u = 0; u < first.units; u++) {
        sums.fill(this.parameters[first.bias + u]!, u * count, (u + 1) * count);
      }
      for (let f = 0; f < columns.length; f++) {
        const at = columns[f]! * block.stride + start;
        for (let i = 0; i < count; i++) {
          column[i] = this.#standardised(f, columns[f]! < 0 ? absent : block.data[at + i]!);
        }
        for (let u = 0; u < first.units; u++) {
          addProduct(sums, u * count, this.parameters[first.weights + u * first.inputs + f]!, column, count);
        }
      }
      for (let i = 0; i < count; i++) {
        for (let u = 0; u < first.units; u++) hidden[u] = sums[u * count + i]!;
        this.#above(hidden, out, start + i);
      }
    }
  }

  scoreRow(features: ArrayLike<number>): number {
    const out = new Float64Array(1);
    this.#score(features, 0, out, 0);
    return out[0]!;
  }

  scoreRows(rows: Float32Array, n: number, out: Float64Array): void {
    for (let i = 0; i < n; i++) this.#score(rows, i * this.shape.inputs, out, i);
  }

  /**
   * Writes the score of the document whose features begin at `from` to out[i]. Written, not returned: a number returned
   * by a function that is not inlined is an object for the garbage collector.
   */
  #score(features: ArrayLike<number>, from: number, out: Float64Array, i: number): void {
    const { inputs, units, weights, bias } = this.layers[0]!;
    const hidden = this.#sums[0]!;
    for (let u = 0; u < units; u++) hidden[u] = this.parameters[bias + u]!;
    for (let f = 0; f < inputs; f++) {
      const x = this.#standardised(f, features[from + f]!);
      for (let u = 0; u < units; u++) hidden[u]! += this.parameters[weights + u * inputs + f]! * x;
    }
    this.#above(hidden, out, i);
  }

  /** Writes the score from the sums of the first hidden layer, before their activation, which they get in place. */
  #above(sums: Float64Array, out: Float64Array, document: number): void {
    let below = sums;
    for (let l = 1; l < this.layers.length; l++) {
      const { inputs, units, weights, bias } = this.layers[l]!;
      const next = this.#sums[l]!;
      for (let i = 0; i < inputs; i++) below[i] = this.#activate(below[i]!);
      for (let u = 0; u < units; u++) {
        let sum = this.parameters[bias + u]!;
        for (let i = 0; i < inputs; i++) sum += this.parameters[weights + u * inputs + i]! * below[i]!;
        next[u] = sum;
      }
      below = next;
    }
    out[document] = below[0]!;
  }

  size() {
    const { hidden, activation } = this.shape;
    return {
      'hidden units': `${hidden.join(', ')} (${activation})`,
      parameters: this.parameters.length,
      standardised: isStandardised(this) ? 'yes' : 'no',
    };
  }

  inputStrengths(): Float64Array {
    const { inputs, units, weights } = this.layers[0]!;
    return Float64Array.from({ length: inputs }, (_, f) => {
      let squares = 0;
      for (let u = 0; u < units; u++) squares += this.parameters[weights + u * inputs + f]! ** 2;
      return Math.sqrt(squares);
    });
  }

  /** The same model over these features, among which its feature f is columns[f]; the others count for nothing. */
  withFeatures(featureNames: readonly string[], columns: Int32Array): NetModel {
    const inputs = featureNames.length;
    const shape = { ...this.shape, inputs };
    const parameters = new Float64Array(parameterCount(shape));
    const [from, to] = [this.layers[0]!, layersOf(shape)[0]!];
    parameters.set(this.parameters.subarray(from.bias), to.bias);
    const mean = new Float64Array(inputs);
    const scale = new Float64Array(inputs).fill(1);
    for (let f = 0; f < from.inputs; f++) {
      const at = columns[f]!;
      mean[at] = this.mean[f]!;
      scale[at] = this.scale[f]!;
      for (let u = 0; u < from.units; u++) parameters[u * inputs + at] = this.parameters[u * from.inputs + f]!;
    }
    return this.with({ featureNames, parameters, standardise: { mean, scale } });
  }

  perturbation(): NetPerturbation {
    return new NetPerturbation(this);
  }

  toJSON(): ModelJson {
    const narrow = areNarrow(this.parameters);
    return modelObject(this, {
      ...(narrow ? { values: 'float32' } : {}),
      hidden: this.shape.hidden,
      activation: this.shape.activation,
      mean: [...this.mean],
      scale: [...this.scale],
      parameters: writtenNumbers(this.parameters, narrow),
    });
  }
}

/** sums[from + i] += weight x[i], in a loop of its own so that it is compiled well. */
function addProduct(sums: Float64Array, from: number, weight: number, x: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) sums[from + i]! += weight * x[i]!;
}

export function readNet(reader: ModelReader): NetModel {
  const n = reader.featureNames.length;
  const hidden = reader.numbers('hidden');
  if (hidden.length === 0 || !hidden.every(units => Number.isInteger(units) && units > 0)) {
    reader.fail(`"hidden" must be an array of whole numbers of at least 1, found ${quoteJson(hidden)}`);
  }
  const named = reader.text('activation');
  const activation = activations.find(name => name === named);
  if (activation === undefined) {
    return reader.fail(`"activation" must be one of ${activations.join(', ')}, found ${quote(named)}`);
  }
  const last = layersOf({ inputs: n, hidden, activation }).at(-1)!;
  return new NetModel({
    featureNames: reader.featureNames,
    hidden,
    activation,
    parameters: readNumbers(reader.numbers('parameters', last.bias + 1), widthIn(reader, 'values') === 'float32'),
    standardise: { mean: reader.numbers('mean', n), scale: reader.numbers('scale', n) },
  });
}
