/**
 * What a model is to everything else: named features in, a score a document out. Nothing here knows how it was trained.
 */
import type { Dataset, FeatureBlock } from '../data/dataset.js';
import type { DataDescription } from '../data/description.js';
import { refuseInfiniteScores } from '../data/finite-scores.js';
import type { LevelSet } from '../kernels/level-set.js';
import { type MatchOptions, matchFeatures } from './match-features.js';
import type { Perturbation } from './perturbation.js';
import type { TrainingRecord } from './training-record.js';

/**
 * What a model is to everything else: named features in, a score a document out.
 *
 * @example
 * import { evaluate, type Ranker, scoreData } from 'listwise';
 *
 * const constant: Ranker = {
 *   kind: 'constant',
 *   featureNames: data.featureNames,
 *   scoreBlock: (block, _columns, _absent, out) => out.fill(1, 0, block.rows),
 *   scoreRow: () => 1,
 *   scoreRows: (_rows, n, out) => out.fill(1, 0, n),
 *   toJSON: () => ({}),
 * };
 * console.log(evaluate(data, scoreData(constant, data), 'ndcg@10')[0]?.mean);
 */
export interface Ranker {
  /** The kind of model, as in `kinds` of `all.ts`. */
  readonly kind: string;
  readonly featureNames: readonly string[];
  /**
   * Set where the model's file names only the features that it uses: data may then have others, which do not matter.
   */
  readonly ignoresOthers?: boolean;
  /** How the data that it was trained on was read, where there is something to say: other data is read alike. */
  readonly description?: DataDescription | undefined;
  /** How it was trained, where that is known. */
  readonly training?: TrainingRecord | undefined;
  /**
   * Scores the rows of a block into out[0..block.rows). Feature f of the model is column columns[f] of the block; where
   * that is -1 the data lacks the feature and every document has `absent` there. A missing value is NaN.
   */
  scoreBlock(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void;
  /** The score of one document, its features in the order of `featureNames`; equal to what `scoreBlock` gives. */
  scoreRow(features: ArrayLike<number>): number;
  /**
   * Scores n documents given row by row, each as `scoreRow` does: the quick way for one query, with buffers that stay.
   */
  scoreRows(rows: Float32Array, n: number, out: Float64Array): void;
  /**
   * For models that score in a memory of their own: where n rows can be written that `scoreRows` need not copy. It is
   * one place, valid until the next call of either. Undefined where there is no room for so many.
   */
  rowBuffer?(n: number): Float32Array | undefined;
  /** For models made of splits: how many each feature has, and what they gained in training altogether. */
  splitUse?(): { readonly splits: Float64Array; readonly gain: Float64Array };
  /** For models made of splits: the features that some split takes by the levels of a category. */
  categoricalFeatures?(): ReadonlySet<string>;
  /** For models with parameters: scores at altered ones. Each call gives one with buffers of its own. */
  perturbation?(): Perturbation;
  /** For models that are a weighted sum of features: by how much the score grows when a feature grows by its scale. */
  featureWeights?(): Float64Array;
  /**
   * For models whose features meet in a first layer: how strongly each feeds it, as the root of the sum of its squared
   * weights there, each for one scale of the feature.
   */
  inputStrengths?(): Float64Array;
  /** For models with a constant term: the model with every score higher by the offset, as far as numbers go. */
  plus?(offset: number): Ranker;
  /** For models whose scores are sums with a lower bound: the least value of each term, in the order they are added. */
  leastTerms?(): readonly number[];
  /** How large the model is, in its own words, such as { trees: 500, leaves: 15500 }. */
  size?(): Readonly<Record<string, number | string>>;
  /**
   * For models whose scores split into parts: what each feature adds to the score of each document over the mean of the
   * given ones. `rows` are n documents row by row, features in the order of `featureNames`; the result is laid out
   * alike. The parts of a document add up to its score less the mean score.
   */
  contributions?(rows: Float32Array, n: number): Float64Array;
  /** For sums of trees: how two documents fare in each. The differences a - b add up to that of the scores. */
  partings?(a: ArrayLike<number>, b: ArrayLike<number>): Parting[];
  /** The model as the object that its file is, so that `JSON.stringify(model)` is a model file. */
  toJSON(): ModelJson;
}

/** Two documents in one tree. */
export interface Parting {
  /**
   * Where they part: value <= threshold goes left, or one of the levels of a category where there are any; undefined
   * where both come to one leaf.
   */
  readonly split:
    | { readonly feature: number; readonly threshold: number; readonly levels?: LevelSet | undefined }
    | undefined;
  /** The values of their leaves. */
  readonly a: number;
  readonly b: number;
}

/**
 * A model as the object that its file is.
 *
 * @example
 * import type { ModelJson } from 'listwise/models';
 *
 * const json: ModelJson = model.toJSON();
 * console.log(json.format);
 */
export type ModelJson = { readonly [key: string]: unknown };

/**
 * One score a row of the data; higher ranks first. The data's features are matched to the model's by name.
 *
 * @example
 * import { scoreData } from 'listwise';
 *
 * const scores = scoreData(model, test);
 * console.log(test.documentId(0), scores[0]);
 */
export function scoreData(model: Ranker, data: Dataset, options: MatchOptions = {}): Float64Array {
  const columns = matchFeatures(model, data, options);
  const scores = new Float64Array(data.rows);
  for (const block of data.blocks) {
    model.scoreBlock(block, columns, options.absent ?? 0, scores.subarray(block.start, block.start + block.rows));
  }
  refuseInfiniteScores(scores, data);
  return scores;
}
