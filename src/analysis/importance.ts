/**
 * How much each feature matters to a model. By its splits, where a model has them: how many there are and what they
 * gained in training. By permutation (Breiman 2001), for any model: how much a measure drops when the feature's values
 * are shuffled among documents, so that they say nothing any more while their distribution stays.
 */
import type { Dataset, FeatureBlock } from '../data/dataset.js';
import { evaluate } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import { askedMeasures, type MeasureLike } from '../measures/parse.js';
import type { Ties } from '../measures/query-view.js';
import { type MatchOptions, matchFeatures } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';
import { Random } from '../numeric/random.js';
import { atOnce, type Steps } from '../steps.js';

/**
 * Among which documents values are shuffled. Within queries is the question that ranking asks: does the feature tell
 * the documents of a query apart? A feature that has one value a query then never matters by itself; over the whole
 * data it can.
 */
export const shuffleScopes = ['query', 'data'] as const;
export type ShuffleScope = (typeof shuffleScopes)[number];

/**
 * How features are shuffled.
 *
 * @example
 * import type { PermutationOptions } from 'listwise/analysis';
 *
 * const options: PermutationOptions = { repeats: 10, within: 'query', seed: 1 };
 */
export interface PermutationOptions extends MatchOptions {
  /** Shuffles of each feature; default 5. */
  repeats?: number | undefined;
  within?: ShuffleScope | undefined;
  seed?: number | undefined;
  ties?: Ties | undefined;
}

/**
 * How much a measure falls when a feature is shuffled.
 *
 * @example
 * import type { Drop } from 'listwise/analysis';
 *
 * const worst = (drops: Drop[]): number => Math.max(...drops.map(({ mean }) => mean));
 */
export interface Drop {
  readonly measure: Measure;
  /** The value of the measure without shuffling. */
  readonly value: number;
  /** By how much each shuffle lowered it; below 0 where shuffled values did better. */
  readonly drops: readonly number[];
  readonly mean: number;
  /** Sample standard deviation of the drops; NaN with one repeat. */
  readonly deviation: number;
}

/**
 * For each feature of the model, in its order, the drop of every measure.
 *
 * @example
 * import { permutationImportance } from 'listwise';
 *
 * const drops = permutationImportance(model, test, 'ndcg@10', { repeats: 5 });
 * drops.forEach(([drop], f) => console.log(model.featureNames[f], drop?.mean));
 */
export function permutationImportance(
  model: Ranker,
  data: Dataset,
  measures: string | readonly MeasureLike[],
  options: PermutationOptions = {},
): Drop[][] {
  const asked = askedMeasures(measures).map(({ measure }) => measure);
  return atOnce(permutationSteps(model, data, asked, options));
}

/** As `permutationImportance`, step by step. */
export function* permutationSteps(
  model: Ranker,
  data: Dataset,
  measures: readonly Measure[],
  options: PermutationOptions = {},
): Steps<Drop[][]> {
  const { repeats = 5, within = 'query', seed = 1, ties } = options;
  const columns = matchFeatures(model, data, options);
  const scorer = new ShuffledScorer(model, data, columns, options.absent ?? 0);
  const means = (scores: Float64Array) =>
    evaluate(data, scores, measures, ties === undefined ? {} : { ties }).map(({ mean }) => mean);
  const values = means(scorer.score(undefined, []));
  const used = model.splitUse?.().splits;
  const all: Drop[][] = [];
  for (const [f, name] of model.featureNames.entries()) {
    let shuffled: number[][] = Array(repeats).fill(values);
    // What is the same for all documents, or in no split, cannot change a score.
    if (columns[f]! >= 0 && used?.[f] !== 0) {
      const column = data.column(columns[f]!);
      shuffled = [];
      for (let repeat = 0; repeat < repeats; repeat++) {
        const random = new Random(seed, `permutation ${repeat} of ${name}`);
        shuffled.push(means(scorer.score(f, shuffle(column, data, within, random))));
        yield (f + (repeat + 1) / repeats) / model.featureNames.length;
      }
    }
    all.push(
      measures.map((measure, m) =>
        dropOf(
          measure,
          values[m]!,
          shuffled.map(found => values[m]! - found[m]!),
        ),
      ),
    );
  }
  return all;
}

function shuffle(column: Float32Array, data: Dataset, within: ShuffleScope, random: Random): Float32Array {
  const copy = column.slice();
  if (within === 'data') return random.shuffle(copy);
  for (let q = 0; q < data.queries; q++) random.shuffle(copy.subarray(data.offsets[q]!, data.offsets[q + 1]!));
  return copy;
}

function dropOf(measure: Measure, value: number, drops: number[]): Drop {
  const mean = drops.reduce((sum, drop) => sum + drop, 0) / drops.length;
  const squares = drops.reduce((sum, drop) => sum + (drop - mean) ** 2, 0);
  return { measure, value, drops, mean, deviation: Math.sqrt(squares / (drops.length - 1)) };
}

/**
 * Scores data with one column replaced, without touching the data: blocks are copied to scratch with one column more.
 */
class ShuffledScorer {
  readonly #model: Ranker;
  readonly #data: Dataset;
  readonly #columns: Int32Array;
  readonly #absent: number;
  #scratch = new Float32Array(0);

  constructor(model: Ranker, data: Dataset, columns: Int32Array, absent: number) {
    this.#model = model;
    this.#data = data;
    this.#columns = columns;
    this.#absent = absent;
  }

  /** `values` stand in for the model's feature `feature`, one a row. */
  score(feature: number | undefined, values: ArrayLike<number>): Float64Array {
    const scores = new Float64Array(this.#data.rows);
    const columns = this.#columns.slice();
    if (feature !== undefined) columns[feature] = this.#data.features;
    for (const block of this.#data.blocks) {
      const whole = feature === undefined ? block : this.#widened(block, values);
      const out = scores.subarray(block.start, block.start + block.rows);
      this.#model.scoreBlock(whole, columns, this.#absent, out);
    }
    return scores;
  }

  #widened(block: FeatureBlock, values: ArrayLike<number>): FeatureBlock {
    const own = this.#data.features * block.stride;
    if (this.#scratch.length < own + block.rows) this.#scratch = new Float32Array(own + block.rows);
    this.#scratch.set(block.data.subarray(0, own));
    for (let i = 0; i < block.rows; i++) this.#scratch[own + i] = values[block.start + i]!;
    return { ...block, data: this.#scratch };
  }
}
