/**
 * Why a model scores one document of a query above another: what each feature adds to the difference of their scores
 * and, for models that are sums of trees, what each tree does. There a feature is given the trees in which the two part
 * at a split of it, so that features and trees both add up to the difference.
 */
import type { Dataset, FeatureBlock } from '../data/dataset.js';
import { didYouMean, ListwiseError, quote } from '../errors.js';
import { levelsOf } from '../kernels/level-set.js';
import type { Ties } from '../measures/query-view.js';
import { type Contributions, contributionSteps } from '../models/contributions.js';
import type { MatchOptions } from '../models/match-features.js';
import type { Parting, Ranker } from '../models/ranker.js';
import type { Explainer } from '../models/shapley/explainer.js';
import { explainerOf } from '../models/shapley/explainer-of.js';
import { atOnce, type Steps } from '../steps.js';
import { levelNamed } from './level-named.js';
import { queryNumber, scoreQuery } from './scored-query.js';

/**
 * Two documents, the difference of their scores, and where it comes from.
 *
 * @example
 * import type { WhyOfPair } from 'listwise/analysis';
 *
 * const shown = ({ difference }: WhyOfPair): string => difference.toFixed(3);
 */
export interface WhyOfPair {
  /** The two documents, in the order in which they were given. */
  readonly documents: readonly [RankedDocument, RankedDocument];
  /** The first one's score less the second one's. */
  readonly difference: number;
  /** By occlusion, what features add need not add up to the difference. */
  readonly how: Contributions['how'] | 'shapley';
  /** Largest part of the difference first. */
  readonly features: readonly FeatureOfPair[];
  /** For sums of trees: every tree, the largest part of the difference first. */
  readonly trees?: readonly TreeOfPair[];
}

export interface RankedDocument {
  readonly document: string;
  /** NaN where unjudged. */
  readonly label: number;
  /** From 1. */
  readonly rank: number;
  readonly score: number;
}

export interface FeatureOfPair {
  readonly feature: string;
  /** Its values in the two documents; NaN where missing. */
  readonly values: readonly [number, number];
  /** The same as levels, of a category whose levels the model knows by name. */
  readonly levels?: readonly [string, string];
  /** What it adds to the difference of the scores. */
  readonly adds: number;
}

export interface TreeOfPair {
  /** From 1. */
  readonly tree: number;
  /**
   * The split at which the two part: value <= threshold goes left, or the named levels of a category. Left out where
   * both come to one leaf.
   */
  readonly feature?: string;
  readonly threshold?: number;
  readonly levels?: readonly string[];
  /** What the tree adds to each. */
  readonly values: readonly [number, number];
  readonly adds: number;
}

/**
 * What is told of two documents.
 *
 * @example
 * import type { WhyOfPairOptions } from 'listwise/analysis';
 *
 * const options: WhyOfPairOptions = { labels: 'label' };
 */
export interface WhyOfPairOptions extends MatchOptions {
  /** The label source shown (default: the primary one). */
  labels?: string | undefined;
  ties?: Ties | undefined;
  /** Whether features are given their Shapley values (default false: what the trees add in which the two part). */
  shapley?: boolean | undefined;
  /** Documents that Shapley values compare with, columns in the order of the model's features: see `sampleRows`. */
  background?: FeatureBlock | undefined;
}

/**
 * Why a model ranks one document above another: what each feature adds to the difference.
 *
 * @example
 * import { whyAbove } from 'listwise/analysis';
 *
 * const { features } = whyAbove(model, data, data.queryIds[0]!, [data.documentId(0), data.documentId(1)]);
 * console.log(features[0]);
 */
export function whyAbove(
  model: Ranker,
  data: Dataset,
  query: string,
  documents: readonly [string, string],
  options: WhyOfPairOptions = {},
): WhyOfPair {
  return atOnce(whyAboveSteps(model, data, query, documents, options));
}

/** As `whyAbove`, step by step. */
export function* whyAboveSteps(
  model: Ranker,
  data: Dataset,
  query: string,
  documents: readonly [string, string],
  options: WhyOfPairOptions = {},
): Steps<WhyOfPair> {
  const q = queryNumber(data, query);
  const start = data.offsets[q]!;
  const labels = data.label(options.labels);
  const { n, rows, scores, ranks } = scoreQuery(model, data, q, options);
  const [a, b] = documents.map(document => documentNumber(data, q, document)) as [number, number];
  const features = model.featureNames.length;
  const row = (i: number) => rows.subarray(i * features, (i + 1) * features);
  const ranked = (i: number): RankedDocument => ({
    document: data.documentId(start + i),
    label: labels[start + i]!,
    rank: ranks[i]!,
    score: scores[i]!,
  });
  const trees = model.partings?.(row(a), row(b));
  const adds = new Float64Array(features);
  let how: WhyOfPair['how'] = 'parts';
  if (options.shapley) {
    how = 'shapley';
    const values = shapleyOf(explainerOf(model, options.background), [row(a), row(b)]);
    for (let f = 0; f < features; f++) adds[f] = values[f]! - values[features + 1 + f]!;
  } else if (trees === undefined) {
    const { values, ...found } = yield* contributionSteps(model, rows, n);
    how = found.how;
    for (let f = 0; f < features; f++) adds[f] = values[a * features + f]! - values[b * features + f]!;
  } else {
    for (const { split, a: first, b: second } of trees) if (split) adds[split.feature]! += first - second;
  }
  return {
    documents: [ranked(a), ranked(b)],
    difference: scores[a]! - scores[b]!,
    how,
    features: model.featureNames
      .map((feature, f) => {
        const values = [row(a)[f]!, row(b)[f]!] as const;
        const levels = values.map(value => levelNamed(model, feature, value));
        const [first, second] = levels;
        const named = first !== undefined && second !== undefined ? { levels: [first, second] as const } : {};
        return { feature, values, ...named, adds: adds[f]! };
      })
      .sort(largestFirst),
    ...(trees && {
      trees: trees
        .map(({ split, a: first, b: second }, t) => ({
          tree: t + 1,
          ...(split && splitShown(model, split)),
          values: [first, second] as const,
          adds: first - second,
        }))
        .sort(largestFirst),
    }),
  };
}

/** Rows of features and one more: see `Explainer`. */
export function shapleyOf(explainer: Explainer, rows: readonly Float32Array[]): Float64Array {
  const features = explainer.featureNames.length;
  const data = Float32Array.from(
    { length: rows.length * features },
    (_, k) => rows[k % rows.length]![Math.floor(k / rows.length)]!,
  );
  const out = new Float64Array(rows.length * (features + 1));
  const columns = Int32Array.from({ length: features }, (_, f) => f);
  explainer.values({ start: 0, rows: rows.length, stride: rows.length, data }, columns, 0, out);
  return out;
}

/** A split as people know it: by threshold, or by the names of levels. */
export function splitShown(model: Ranker, { feature: f, threshold, levels }: NonNullable<Parting['split']>) {
  const feature = model.featureNames[f]!;
  if (levels === undefined) return { feature, threshold };
  const names = model.description?.categories[feature] ?? [];
  return { feature, levels: levelsOf(levels).map(code => names[code] ?? String(code)) };
}

function largestFirst(x: { adds: number }, y: { adds: number }): number {
  return Math.abs(y.adds) - Math.abs(x.adds);
}

export function documentNumber(data: Dataset, q: number, document: string): number {
  const start = data.offsets[q]!;
  const ids = Array.from({ length: data.offsets[q + 1]! - start }, (_, i) => data.documentId(start + i));
  const found = ids.indexOf(document);
  if (found >= 0 && ids.indexOf(document, found + 1) < 0) return found;
  const [query, named] = [quote(data.queryIds[q]!), quote(document)];
  throw new ListwiseError(
    'option-invalid',
    found >= 0
      ? `query ${query} has more than one document ${named}`
      : `query ${query} has no document ${named}${didYouMean(document, ids)} It has ${ids.length}, from ${quote(ids[0]!)} to ${quote(ids.at(-1)!)}`,
  );
}
