/** What a page of data shows of each feature beside its ends: quartiles, and how far it goes with the label. */
import type { Dataset } from '../data/dataset.js';
import { select } from '../numeric/select.js';

export interface FeatureProfile {
  /** Quarter, half and three quarters of the known values are at most these; NaN where none is known. */
  readonly quartiles: readonly [number, number, number];
  /** Pearson's correlation with the label over documents that have both; NaN where one of them does not vary. */
  readonly correlation: number;
  /** The values looked at, missing ones included. */
  readonly sample: Float32Array;
  /** The labels of the same documents, where there are labels. */
  readonly labels: Float64Array | undefined;
}

/**
 * Sorting every value of large data would take minutes and change no picture: at most so many documents are looked at.
 */
export const SAMPLE_ROWS = 50_000;

/** `labels` has one value a row. Documents are taken at equal distances, the same ones every time. */
export function featureProfiles(
  data: Dataset,
  labels: Float64Array | undefined,
  onProgress: (share: number) => void = () => {},
): FeatureProfile[] {
  const rows = sampledRows(data);
  const wanted = labels && taken(labels, rows, new Float64Array(rows.length));
  return data.featureNames.map((_, feature) => {
    onProgress(feature / data.features);
    const sample = taken(data.column(feature), rows, new Float32Array(rows.length));
    return {
      sample,
      labels: wanted,
      quartiles: quartiles(sample),
      correlation: wanted ? correlation(sample, wanted) : Number.NaN,
    };
  });
}

/** Values and labels of one feature, of the same documents. */
export function featureSample(
  data: Dataset,
  labels: Float64Array | undefined,
  feature: number,
): Pick<FeatureProfile, 'sample' | 'labels'> {
  const rows = sampledRows(data);
  return {
    sample: taken(data.column(feature), rows, new Float32Array(rows.length)),
    labels: labels && taken(labels, rows, new Float64Array(rows.length)),
  };
}

function sampledRows({ rows }: Dataset): Uint32Array {
  const step = Math.max(1, rows / SAMPLE_ROWS);
  return Uint32Array.from({ length: Math.min(rows, SAMPLE_ROWS) }, (_, i) => Math.floor(i * step));
}

function taken<T extends Float32Array | Float64Array>(from: ArrayLike<number>, rows: Uint32Array, out: T): T {
  for (let i = 0; i < rows.length; i++) out[i] = from[rows[i]!]!;
  return out;
}

function quartiles(sample: Float32Array): [number, number, number] {
  const values = new Float32Array(sample.length);
  let n = 0;
  for (let i = 0; i < sample.length; i++) if (!Number.isNaN(sample[i]!)) values[n++] = sample[i]!;
  if (n === 0) return [Number.NaN, Number.NaN, Number.NaN];
  const known = values.subarray(0, n);
  const place = (share: number) => Math.floor(share * (n - 1));
  const half = place(0.5);
  const middle = select(known, half);
  // What is not above the middle now stands before it, so the quarters are sought among half of the values each.
  return [select(known.subarray(0, half + 1), place(0.25)), middle, select(known.subarray(half), place(0.75) - half)];
}

function correlation(x: Float32Array, y: Float64Array): number {
  let [n, sumX, sumY] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i]! + y[i]!)) continue;
    n++;
    sumX += x[i]!;
    sumY += y[i]!;
  }
  const [meanX, meanY] = [sumX / n, sumY / n];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i]! + y[i]!)) continue;
    xx += (x[i]! - meanX) ** 2;
    xy += (x[i]! - meanX) * (y[i]! - meanY);
    yy += (y[i]! - meanY) ** 2;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : Number.NaN;
}
