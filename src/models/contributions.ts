/**
 * What each feature adds to the scores of some documents, over their mean: by the model's own parts where it has them,
 * else by occlusion, for any model: how much the score falls when the feature has its mean value instead. Browsers use
 * this, too: nothing here needs Node.
 */
import { atOnce, type Steps } from '../steps.js';
import type { Ranker } from './ranker.js';

/**
 * What each feature adds to scores, and how that was found: from the parts of the score, or by leaving features out.
 *
 * @example
 * import { type Contributions, contributionsOf } from 'listwise/analysis';
 *
 * const { how, values }: Contributions = contributionsOf(model, new Float32Array(model.featureNames.length), 1);
 */
export interface Contributions {
  /** Parts add up to the score less the mean score; with occlusion they need not. */
  readonly how: 'parts' | 'occlusion';
  /** values[i * features + f]: of feature f of the model to document i. */
  readonly values: Float64Array;
}

/**
 * What each feature adds to the score of each document over the mean of the given ones.
 *
 * @example
 * import { contributionsOf } from 'listwise/analysis';
 *
 * const rows = new Float32Array(2 * model.featureNames.length);
 * const { values } = contributionsOf(model, rows, 2);
 * console.log(values.subarray(0, model.featureNames.length));
 */
export function contributionsOf(model: Ranker, rows: Float32Array, n: number): Contributions {
  return atOnce(contributionSteps(model, rows, n));
}

/** As `contributionsOf`, step by step. */
export function* contributionSteps(model: Ranker, rows: Float32Array, n: number): Steps<Contributions> {
  const parts = model.contributions?.(rows, n);
  if (parts !== undefined) return { how: 'parts', values: parts };
  return { how: 'occlusion', values: yield* occlusion(model, rows, n) };
}

function* occlusion(model: Ranker, rows: Float32Array, n: number): Steps<Float64Array> {
  const features = model.featureNames.length;
  const values = new Float64Array(n * features);
  const means = Float64Array.from({ length: features }, (_, f) => meanKnown(rows, n, features, f));
  for (let i = 0; i < n; i++) {
    const row = Float64Array.from(rows.subarray(i * features, (i + 1) * features));
    const score = model.scoreRow(row);
    for (let f = 0; f < features; f++) {
      const own = row[f]!;
      row[f] = means[f]!;
      values[i * features + f] = score - model.scoreRow(row);
      row[f] = own;
    }
    yield (i + 1) / n;
  }
  return values;
}

/** The mean over the documents that have a value; NaN, missing, where none has. */
function meanKnown(rows: Float32Array, n: number, features: number, f: number): number {
  let sum = 0;
  let known = 0;
  for (let i = 0; i < n; i++) {
    const value = rows[i * features + f]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    known++;
  }
  return sum / known;
}
