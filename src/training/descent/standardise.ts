/** Mean and deviation of each feature over the values that are not missing. */
import type { Dataset } from '../../data/dataset.js';

export interface Standardisation {
  readonly mean: Float64Array;
  /** 1 where a feature is constant. */
  readonly scale: Float64Array;
}

export function standardisationOf(data: Dataset): Standardisation {
  const mean = new Float64Array(data.features);
  const scale = new Float64Array(data.features).fill(1);
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
    // Rounding alone gives constant features a tiny deviation.
    const deviation = Math.sqrt(squares / count);
    if (deviation > 1e-7 * Math.abs(centre)) scale[f] = deviation;
  }
  return { mean, scale };
}

export function noStandardisation(features: number): Standardisation {
  return { mean: new Float64Array(features), scale: new Float64Array(features).fill(1) };
}
