/**
 * Ridge regression of the label on standardised features: the weights w that minimise sum over documents of (label -
 * bias - w z)^2 + penalty * documents * |w|^2, z the features at mean 0 and deviation 1. It knows nothing of queries or
 * ranks and has one exact solution; a baseline, no ranking trainer. A missing value counts as the mean.
 */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import { LinearModel } from '../../models/linear/linear.js';

/**
 * How ridge regression is done.
 *
 * @example
 * import { ridge } from 'listwise';
 * import type { RidgeOptions } from 'listwise/training';
 *
 * const options: RidgeOptions = { penalty: 0.01 };
 * const model = ridge(data, options);
 */
export interface RidgeOptions {
  /** The label source to fit (default: the primary one). */
  labels?: string | undefined;
  /** Weight of the squared weights, per document (default 0.001). */
  penalty?: number | undefined;
}

/**
 * Ridge regression of the label on the features: a baseline that knows nothing of ranking, solved exactly.
 *
 * @example
 * import { evaluate, ridge, scoreData } from 'listwise';
 *
 * const baseline = ridge(data);
 * console.log(evaluate(test, scoreData(baseline, test), 'ndcg@10')[0]?.mean);
 */
export function ridge(data: Dataset, options: RidgeOptions = {}): LinearModel {
  const { penalty = 0.001 } = options;
  if (!(penalty > 0)) throw new ListwiseError('option-invalid', `the penalty is a number above 0, found ${penalty}`);
  const labels = data.label(options.labels);
  const judged = labels.filter(label => !Number.isNaN(label));
  if (judged.length === 0) throw new ListwiseError('data-empty', 'no document has a label to fit');
  const bias = judged.reduce((sum, label) => sum + label, 0) / judged.length;
  const { mean, scale } = standardisation(data);
  const { products, targets } = normalEquations(data, labels, bias, mean, scale);
  const d = data.features;
  for (let f = 0; f < d; f++) products[f * d + f]! += penalty * judged.length;
  const weights = solvePositive(products, targets, d);
  return new LinearModel({ featureNames: data.featureNames, weights, bias, standardise: { mean, scale } });
}

/** Mean and deviation of each feature over the values that are not missing; a constant feature has scale 1. */
function standardisation(data: Dataset): { mean: Float64Array; scale: Float64Array } {
  const mean = new Float64Array(data.features);
  const scale = new Float64Array(data.features).fill(1);
  for (let f = 0; f < data.features; f++) {
    const values = data.column(f).filter(value => !Number.isNaN(value));
    if (values.length === 0) continue;
    let sum = 0;
    for (const value of values) sum += value;
    mean[f] = sum / values.length;
    let squares = 0;
    for (const value of values) squares += (value - mean[f]!) ** 2;
    const deviation = Math.sqrt(squares / values.length);
    if (deviation > 0) scale[f] = deviation;
  }
  return { mean, scale };
}

/** Rows standardised at a time: a chunk of a hundred features stays in the processor's cache. */
const CHUNK = 512;

/** Z'Z (d x d) and Z'(label - bias) over judged rows. */
function normalEquations(
  data: Dataset,
  labels: Float64Array,
  bias: number,
  mean: Float64Array,
  scale: Float64Array,
): { products: Float64Array; targets: Float64Array } {
  const d = data.features;
  const products = new Float64Array(d * d);
  const targets = new Float64Array(d);
  const z = new Float64Array(d * CHUNK);
  const residual = new Float64Array(CHUNK);
  for (const block of data.blocks) {
    for (let from = 0; from < block.rows; from += CHUNK) {
      const rows = Math.min(CHUNK, block.rows - from);
      for (let i = 0; i < rows; i++) residual[i] = labels[block.start + from + i]! - bias;
      for (let f = 0; f < d; f++) {
        for (let i = 0; i < rows; i++) {
          const value = (block.data[f * block.stride + from + i]! - mean[f]!) / scale[f]!;
          z[f * CHUNK + i] = Number.isNaN(value) || Number.isNaN(residual[i]!) ? 0 : value;
        }
      }
      for (let i = 0; i < rows; i++) if (Number.isNaN(residual[i]!)) residual[i] = 0;
      for (let f = 0; f < d; f++) {
        targets[f]! += dot(z, f * CHUNK, residual, 0, rows);
        for (let g = 0; g <= f; g++) products[f * d + g]! += dot(z, f * CHUNK, z, g * CHUNK, rows);
      }
    }
  }
  return { products, targets };
}

function dot(a: Float64Array, fromA: number, b: Float64Array, fromB: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += a[fromA + i]! * b[fromB + i]!;
  return sum;
}

/** Solves A x = b by Cholesky's factors; A is positive definite and only its lower half is read (and overwritten). */
function solvePositive(a: Float64Array, b: Float64Array, d: number): Float64Array {
  const x = b.slice();
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      const rest = a[i * d + j]! - dot(a, i * d, a, j * d, j);
      a[i * d + j] = i === j ? Math.sqrt(rest) : rest / a[j * d + j]!;
    }
    x[i] = (x[i]! - dot(a, i * d, x, 0, i)) / a[i * d + i]!;
  }
  for (let i = d - 1; i >= 0; i--) {
    x[i]! /= a[i * d + i]!;
    for (let j = 0; j < i; j++) x[j]! -= a[i * d + j]! * x[i]!;
  }
  return x;
}
