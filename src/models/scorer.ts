/**
 * Scores one query at a time, for services and pages: plain arrays in, plain arrays out, nothing allocated on the way.
 */
import type { Ranker } from './ranker.js';

/**
 * What scores one query at a time.
 *
 * @example
 * import { type Scorer, scorer } from 'listwise';
 *
 * const { featureNames, score }: Scorer = scorer(model);
 * const rows = new Float32Array(100 * featureNames.length);
 * console.log(score(rows, 100)[0]);
 */
export interface Scorer {
  /** What a document's values are, in their order. */
  readonly featureNames: readonly string[];
  /**
   * Scores of documents given row by row: feature f of document i is features[i * featureNames.length + f], NaN where
   * it is missing. Without `out` the scores are in an array of the scorer's own, which the next call with as many
   * documents fills again.
   */
  score(features: Float32Array, documents: number, out?: Float64Array): Float64Array;
}

/** Up to so many documents, the array for each number of them is kept; more get a new one. */
const KEPT = 1024;

/**
 * Scores one query at a time, for services and pages: plain arrays in, plain arrays out, nothing allocated on the way.
 *
 * @example
 * import { scorer } from 'listwise';
 *
 * const { featureNames, score } = scorer(model);
 * const rows = new Float32Array(2 * featureNames.length).fill(Number.NaN); // two documents without any value
 * console.log([...score(rows, 2)]);
 */
export function scorer(model: Ranker): Scorer {
  const { featureNames } = model;
  const kept: Float64Array[] = [];
  const own = (documents: number) => {
    if (documents > KEPT) return new Float64Array(documents);
    kept[documents] ??= new Float64Array(documents);
    return kept[documents];
  };
  return {
    featureNames,
    score(features, documents, out = own(documents)) {
      if (features.length !== documents * featureNames.length) {
        throw new RangeError(
          `${features.length} values for ${documents} documents of ${featureNames.length} features; there must be ${documents * featureNames.length}`,
        );
      }
      if (out.length < documents) throw new RangeError(`room for ${out.length} scores of ${documents} documents`);
      model.scoreRows(features, documents, out);
      return out;
    },
  };
}
