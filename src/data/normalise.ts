/**
 * Query-level normalisation: each feature is rescaled within each query, in the three ways that RankLib offers. Missing
 * values stay missing and are left out of the statistics. Where a scale would be a division by zero (a feature that is
 * constant in a query, or zero throughout) the value becomes 0. Statistics are 64-bit; results are float32 as all
 * features are.
 */
import { didYouMean, ListwiseError, quote } from '../errors.js';
import { type Dataset, type FeatureBlock, sharedFloat32 } from './dataset.js';
import type { BlockMemory } from './feature-blocks.js';

export interface Normalisation {
  readonly description: string;
  /** value -> (value - shift) / scale, from the values of one feature in one query, none of them missing. */
  statistics(values: Float32Array): { shift: number; scale: number };
}

/**
 * The ways in which features can be rescaled within each query.
 *
 * @example
 * import { normalisations } from 'listwise/data';
 *
 * for (const [name, { description }] of Object.entries(normalisations)) console.log(name, description);
 */
export const normalisations = {
  sum: {
    description: 'divide by the sum of the absolute values in the query',
    statistics(values) {
      let scale = 0;
      for (const value of values) scale += Math.abs(value);
      return { shift: 0, scale };
    },
  },
  zscore: {
    description: 'subtract the mean and divide by the standard deviation (n - 1) in the query',
    statistics(values) {
      const n = values.length;
      let sum = 0;
      for (const value of values) sum += value;
      const mean = sum / n;
      let squares = 0;
      for (const value of values) squares += (value - mean) ** 2;
      // One document has no deviation; equal values must give exactly 0 whatever the rounding of their mean.
      const constant = n < 2 || values.every(value => value === values[0]);
      return { shift: mean, scale: constant ? 0 : Math.sqrt(squares / (n - 1)) };
    },
  },
  linear: {
    description: 'map the smallest value in the query to 0 and the largest to 1',
    statistics(values) {
      let least = Infinity;
      let most = -Infinity;
      for (const value of values) {
        if (value < least) least = value;
        if (value > most) most = value;
      }
      return { shift: least, scale: most - least };
    },
  },
} as const satisfies Record<string, Normalisation>;

/**
 * The name of a normalisation.
 *
 * @example
 * import { normalise } from 'listwise';
 * import type { NormalisationName } from 'listwise/data';
 *
 * const how: NormalisationName = 'zscore';
 * const scaled = normalise(data, how);
 */
export type NormalisationName = keyof typeof normalisations;

/** The normalisation of a name, or an error that lists the names. */
export function findNormalisation(name: string): Normalisation {
  const known: Readonly<Record<string, Normalisation>> = normalisations;
  if (Object.hasOwn(known, name)) return known[name]!;
  throw new ListwiseError(
    'option-invalid',
    `there is no normalisation ${quote(name)}${didYouMean(name, Object.keys(known))} It is one of ${Object.keys(known).join(', ')}`,
  );
}

/**
 * Each feature but categories rescaled within each query; a model trained on such data must be given such data.
 *
 * @example
 * import { normalise } from 'listwise';
 *
 * const scaled = normalise(data, 'zscore');
 */
export function normalise(data: Dataset, how: NormalisationName | Normalisation, memory?: BlockMemory): Dataset {
  const normalisation = typeof how === 'string' ? findNormalisation(how) : how;
  const kinds = data.description?.kinds ?? {};
  const isCategory = data.featureNames.map(name => kinds[name] === 'category');
  const blocks = data.blocks.map((block): FeatureBlock => {
    const length = data.features * block.stride;
    const out = memory?.take(length) ?? sharedFloat32(length);
    const present = new Float32Array(block.rows);
    forEachQuery(data, block, (from, to) => {
      for (let f = 0; f < data.features; f++) {
        const base = f * block.stride;
        if (isCategory[f]) {
          out.set(block.data.subarray(base + from, base + to), base + from);
          continue;
        }
        let n = 0;
        for (let i = from; i < to; i++) {
          const value = block.data[base + i]!;
          if (!Number.isNaN(value)) present[n++] = value;
        }
        const { shift, scale } = normalisation.statistics(present.subarray(0, n));
        for (let i = from; i < to; i++) {
          const value = block.data[base + i]!;
          out[base + i] = Number.isNaN(value) ? Number.NaN : scale > 0 ? (value - shift) / scale : 0;
        }
      }
    });
    return { ...block, data: out };
  });
  return data.with({ blocks });
}

/** Calls back with the local rows of each query of a block. */
function forEachQuery(data: Dataset, block: FeatureBlock, each: (from: number, to: number) => void): void {
  let q = 0;
  while (q < data.queries && data.offsets[q + 1]! <= block.start) q++;
  for (; q < data.queries && data.offsets[q]! < block.start + block.rows; q++) {
    each(data.offsets[q]! - block.start, data.offsets[q + 1]! - block.start);
  }
}
