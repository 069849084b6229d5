/** Mean and deviation of each feature over the values that are not missing, and what a missing one counts as. */
import type { Dataset } from '../../data/dataset.js';
import { inOrder, sumOf } from '../../ranks/gathered.js';
import { alone, type Transport } from '../../ranks/transport.js';

export interface Standardisation {
  readonly mean: Float64Array;
  /** 1 where a feature is constant. */
  readonly scale: Float64Array;
  /** What a missing value counts as, in the unit of the data: the mean, or 0 where no value is missing. */
  readonly missing: Float64Array;
}

/** Over the data of all ranks. */
export function standardisationOf(data: Dataset, ranks: Transport = alone): Standardisation {
  const mean = new Float64Array(data.features);
  const scale = new Float64Array(data.features).fill(1);
  const missing = new Float64Array(data.features);
  const sums = new Float64Array(2 * data.features);
  const [totals, counts] = [sums.subarray(0, data.features), sums.subarray(data.features)];
  inOrder(ranks, sums, () => addValues(data, totals, counts));
  for (let f = 0; f < data.features; f++) mean[f] = counts[f] === 0 ? 0 : totals[f]! / counts[f]!;
  const squares = new Float64Array(data.features);
  inOrder(ranks, squares, () => addSquares(data, squares, mean));
  const rows = sumOf(ranks, data.rows);
  for (let f = 0; f < data.features; f++) {
    if (counts[f] === 0) continue;
    if (counts[f]! < rows) missing[f] = mean[f]!;
    // Rounding alone gives constant features a tiny deviation.
    const deviation = Math.sqrt(squares[f]! / counts[f]!);
    if (deviation > 1e-7 * Math.abs(mean[f]!)) scale[f] = deviation;
  }
  return { mean, scale, missing };
}

/** Adds the values of each feature that are not missing, and their number. */
function addValues(data: Dataset, sums: Float64Array, counts: Float64Array): void {
  for (let f = 0; f < data.features; f++) {
    for (const { data: values, stride, rows } of data.blocks) {
      counts[f]! += presentIn(values, f * stride, f * stride + rows);
      sums[f] = addedUp(values, f * stride, f * stride + rows, sums[f]!);
    }
  }
}

/** Adds the squares of their distances from the mean. */
function addSquares(data: Dataset, squares: Float64Array, mean: Float64Array): void {
  for (let f = 0; f < data.features; f++) {
    for (const { data: values, stride, rows } of data.blocks) {
      squares[f] = addedSquares(values, f * stride, f * stride + rows, mean[f]!, squares[f]!);
    }
  }
}

// Loops of their own: the compiler takes them up while the first features are added up.

function presentIn(values: Float32Array, from: number, to: number): number {
  let present = 0;
  for (let i = from; i < to; i++) if (!Number.isNaN(values[i])) present++;
  return present;
}

function addedUp(values: Float32Array, from: number, to: number, before: number): number {
  let sum = before;
  for (let i = from; i < to; i++) if (!Number.isNaN(values[i])) sum += values[i]!;
  return sum;
}

function addedSquares(values: Float32Array, from: number, to: number, centre: number, before: number): number {
  let sum = before;
  for (let i = from; i < to; i++) if (!Number.isNaN(values[i])) sum += (values[i]! - centre) ** 2;
  return sum;
}

export function noStandardisation(features: number): Standardisation {
  const zeros = new Float64Array(features);
  return { mean: zeros, scale: new Float64Array(features).fill(1), missing: zeros };
}
