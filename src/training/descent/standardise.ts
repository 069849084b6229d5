/** Mean and deviation of each feature over the values that are not missing, and what a missing one counts as. */
import type { Dataset } from '../../data/dataset.js';

export interface Standardisation {
  readonly mean: Float64Array;
  /** 1 where a feature is constant. */
  readonly scale: Float64Array;
  /** What a missing value counts as, in the unit of the data: the mean, or 0 where no value is missing. */
  readonly missing: Float64Array;
}

export function standardisationOf(data: Dataset): Standardisation {
  const mean = new Float64Array(data.features);
  const scale = new Float64Array(data.features).fill(1);
  const missing = new Float64Array(data.features);
  for (let f = 0; f < data.features; f++) {
    let sum = 0;
    let count = 0;
    for (const { data: values, stride, rows } of data.blocks) {
      for (let i = f * stride; i < f * stride + rows; i++) {
        if (Number.isNaN(values[i])) continue;
        sum += values[i]!;
        count++;
      }
    }
    if (count === 0) continue;
    const centre = sum / count;
    let squares = 0;
    for (const { data: values, stride, rows } of data.blocks) {
      for (let i = f * stride; i < f * stride + rows; i++) {
        if (!Number.isNaN(values[i])) squares += (values[i]! - centre) ** 2;
      }
    }
    mean[f] = centre;
    if (count < data.rows) missing[f] = centre;
    // Rounding alone gives constant features a tiny deviation.
    const deviation = Math.sqrt(squares / count);
    if (deviation > 1e-7 * Math.abs(centre)) scale[f] = deviation;
  }
  return { mean, scale, missing };
}

export function noStandardisation(features: number): Standardisation {
  const zeros = new Float64Array(features);
  return { mean: zeros, scale: new Float64Array(features).fill(1), missing: zeros };
}
