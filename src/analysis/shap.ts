/**
 * What a model makes of its features over many documents: Shapley values of a sample, and for pairs of features what
 * they add together beyond what each adds.
 */
import type { Dataset, FeatureBlock } from '../data/dataset.js';
import { categoriesOf } from '../models/categories-of.js';
import type { MatchOptions } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';
import { sampleRows } from '../models/sample-rows.js';
import { ScoringThreads } from '../models/scoring-threads.js';
import type { Explainer } from '../models/shapley/explainer.js';
import { explainerOf } from '../models/shapley/explainer-of.js';
import { levelShown } from './level-named.js';

/**
 * How Shapley values are found.
 *
 * @example
 * import type { ShapOptions } from 'listwise/analysis';
 *
 * const options: ShapOptions = { documents: 500, interactions: true, threads: 4 };
 */
export interface ShapOptions extends MatchOptions {
  /** Documents to explain, drawn by chance (default 1000; all where there are no more). */
  documents?: number | undefined;
  /** Documents to compare with, columns in the order of the model's features: see `sampleRows`. */
  background?: FeatureBlock | undefined;
  /** Whether pairs of features are looked at too (default false). */
  interactions?: boolean | undefined;
  /** Threads to use at most, where they pay (default 1). */
  threads?: number | undefined;
  seed?: number | undefined;
  /** Called with the share that is done. */
  progress?: ((share: number) => void) | undefined;
}

/**
 * Shapley values of a sample of documents, and what they come to for each feature.
 *
 * @example
 * import type { Shap } from 'listwise/analysis';
 *
 * const most = ({ features }: Shap): string | undefined => features[0]?.feature;
 */
export interface Shap {
  /** What stands for a feature that is not known. */
  readonly how: Explainer['how'];
  /** The expected score. */
  readonly base: number;
  readonly featureNames: readonly string[];
  /** Rows of the data that are explained. */
  readonly rows: Uint32Array;
  /** Their features: feature f of the model for document i is at data[f * stride + i]. */
  readonly block: FeatureBlock;
  /** Of each category: the level of each document, by its name, or by its code where the model has no names. */
  readonly levels: Readonly<Record<string, readonly string[]>>;
  /** values[i * (features + 1) + f], then the base: a row adds up to the score. */
  readonly values: Float64Array;
  /** By their mean |value|, largest first. */
  readonly features: readonly FeatureShap[];
  /** Pairs that add something together, largest first; where they are asked for. */
  readonly interactions?: readonly FeaturePair[];
}

export interface FeatureShap {
  readonly feature: string;
  /** Mean of |value| over the documents. */
  readonly mean: number;
  /** Its share in the sum over features. */
  readonly share: number;
  /**
   * Correlation of the feature with its Shapley value: 1 where more of it always lifts documents, -1 where it sinks
   * them; NaN where either is constant, and of a category, whose codes have no order.
   */
  readonly direction: number;
}

export interface FeaturePair {
  readonly features: readonly [string, string];
  /** Mean over the documents of |what the two add together|: both cells of the matrix of interactions. */
  readonly mean: number;
}

const DOCUMENTS = 1000;
/** Matrices of interactions that are held at a time. */
const MATRIX_BYTES = 1 << 26;

/**
 * Shapley values of a sample of documents.
 *
 * @example
 * import { shapOf } from 'listwise/analysis';
 *
 * const { base, features } = await shapOf(model, data, { documents: 500 });
 * console.log(base, features[0]);
 */
export async function shapOf(model: Ranker, data: Dataset, options: ShapOptions = {}): Promise<Shap> {
  const { documents = DOCUMENTS, background, threads = 1, seed, progress, interactions, ...match } = options;
  const { how, base } = explainerOf(model, background);
  const { rows, block, sample } = sampleRows(model, data, documents, { ...match, seed });
  const n = rows.length;
  const pool = await ScoringThreads.start(model, threads, { name: 'contributions', background }, n);
  let values: Float64Array;
  try {
    values = await pool.score(sample, { progress: share => progress?.(interactions ? share / 2 : share) });
  } finally {
    await pool.close();
  }
  return {
    how,
    base,
    featureNames: model.featureNames,
    rows,
    block,
    levels: levelsOf(model, block),
    values,
    features: summary(model, block, values),
    ...(interactions && {
      interactions: await pairsOf(model, sample, background, threads, share => progress?.((1 + share) / 2)),
    }),
  };
}

function levelsOf(model: Ranker, { data, rows, stride }: FeatureBlock): Shap['levels'] {
  const entries = [...categoriesOf(model)].map(feature => {
    const from = model.featureNames.indexOf(feature) * stride;
    return [feature, Array.from(data.subarray(from, from + rows), code => levelShown(model, feature, code))];
  });
  return Object.fromEntries(entries);
}

function summary(model: Ranker, block: FeatureBlock, values: Float64Array): FeatureShap[] {
  const names = model.featureNames;
  const categories = categoriesOf(model);
  const width = names.length + 1;
  const n = block.rows;
  const found = names.map((feature, f) => {
    const own = Float64Array.from({ length: n }, (_, i) => values[i * width + f]!);
    const mean = own.reduce((sum, value) => sum + Math.abs(value), 0) / n;
    const data = block.data.subarray(f * block.stride, f * block.stride + n);
    const directed = mean > 0 && !categories.has(feature);
    return { feature, mean, direction: directed ? correlation(data, own) : Number.NaN };
  });
  const total = found.reduce((sum, { mean }) => sum + mean, 0) || 1;
  return found.map(one => ({ ...one, share: one.mean / total })).sort((a, b) => b.mean - a.mean);
}

/** Over the documents that have the feature. */
function correlation(x: Float32Array, y: Float64Array): number {
  const known = [...x.keys()].filter(i => !Number.isNaN(x[i]!));
  const mean = (of: ArrayLike<number>) => known.reduce((sum, i) => sum + of[i]!, 0) / known.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  const product = (a: ArrayLike<number>, b: ArrayLike<number>, meanA: number, meanB: number) =>
    known.reduce((sum, i) => sum + (a[i]! - meanA) * (b[i]! - meanB), 0);
  const spread = Math.sqrt(product(x, x, meanX, meanX) * product(y, y, meanY, meanY));
  return spread === 0 ? Number.NaN : product(x, y, meanX, meanY) / spread;
}

/** A matrix a document is much: some documents at a time. */
async function pairsOf(
  model: Ranker,
  sample: Dataset,
  background: FeatureBlock | undefined,
  threads: number,
  progress: (share: number) => void,
): Promise<FeaturePair[]> {
  const names = model.featureNames;
  const width = names.length + 1;
  const sums = new Float64Array(width * width);
  const n = sample.rows;
  const part = Math.max(1, Math.floor(MATRIX_BYTES / 8 / width ** 2));
  const pool = await ScoringThreads.start(model, threads, { name: 'interactions', background }, n);
  try {
    for (let from = 0; from < n; from += part) {
      const rows = Math.min(part, n - from);
      const [block] = sample.blocks as [FeatureBlock];
      const own = { ...block, rows, data: block.data.subarray(from) };
      const matrices = await pool.score(sample.with({ blocks: [own], offsets: Uint32Array.of(0, rows) }));
      for (let k = 0; k < matrices.length; k++) sums[k % sums.length]! += Math.abs(matrices[k]!);
      progress((from + rows) / n);
    }
  } finally {
    await pool.close();
  }
  return names
    .flatMap((a, f) => names.slice(f + 1).map((b, g) => ({ a, b, sum: sums[f * width + f + 1 + g]! })))
    .filter(({ sum }) => sum > 0)
    .map(({ a, b, sum }): FeaturePair => ({ features: [a, b], mean: (2 * sum) / n }))
    .sort((x, y) => y.mean - x.mean);
}
