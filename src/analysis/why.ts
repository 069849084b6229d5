/**
 * Why two models rank the documents of a query differently: ranks side by side, and for each document which features
 * moved it. Scores of two models have no common unit, so contributions are given in standard deviations of the model's
 * own scores over the documents of the query: what counts for the order.
 */
import type { Dataset } from '../data/dataset.js';
import { evaluateQuery } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import type { Ties } from '../measures/query-view.js';
import { type Contributions, contributionSteps } from '../models/contributions.js';
import type { MatchOptions } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';
import { atOnce, partOf, type Steps } from '../steps.js';
import { queryNumber, type ScoredQuery, scoreQuery } from './scored-query.js';

export interface FeatureShift {
  readonly feature: string;
  /**
   * What the feature adds under each model, in standard deviations of its scores; 0 where a model lacks the feature.
   */
  readonly a: number;
  readonly b: number;
  /** b less a: above 0 where the second model has it lift the document more. */
  readonly shift: number;
}

export interface WhyDocument {
  readonly document: string;
  /** NaN where unjudged. */
  readonly label: number;
  /** Rank and score under each model, ranks from 1. */
  readonly rankA: number;
  readonly rankB: number;
  readonly scoreA: number;
  readonly scoreB: number;
  /** Ranks gained from a to b. */
  readonly moved: number;
  /** Of every feature, largest shift first. */
  readonly features: readonly FeatureShift[];
}

/**
 * Why two models rank a query differently.
 *
 * @example
 * import type { Why } from 'listwise/analysis';
 *
 * const moved = ({ documents }: Why): number => documents.length;
 */
export interface Why {
  readonly query: string;
  readonly measures: readonly { readonly measure: Measure; readonly a: number; readonly b: number }[];
  /** In the order of the second model. */
  readonly documents: readonly WhyDocument[];
  /** Mean |shift| over documents, largest first. */
  readonly features: readonly { readonly feature: string; readonly shift: number }[];
  /** How the contributions of each model were found. */
  readonly how: readonly [Contributions['how'], Contributions['how']];
}

/**
 * What is told of two models.
 *
 * @example
 * import { parseMeasure } from 'listwise';
 * import type { WhyOptions } from 'listwise/analysis';
 *
 * const options: WhyOptions = { measures: [parseMeasure('ndcg@10')] };
 */
export interface WhyOptions extends MatchOptions {
  measures?: readonly Measure[] | undefined;
  /** The label source shown (default: the primary one). */
  labels?: string | undefined;
  ties?: Ties | undefined;
}

/**
 * Why two models rank a query differently: documents that moved, and features that moved them.
 *
 * @example
 * import { ridge } from 'listwise';
 * import { whyDifferent } from 'listwise/analysis';
 *
 * const { features } = whyDifferent([model, ridge(data)], data, data.queryIds[0]!);
 * console.log(features[0]?.feature);
 */
export function whyDifferent(
  models: readonly [Ranker, Ranker],
  data: Dataset,
  query: string,
  options: WhyOptions = {},
): Why {
  return atOnce(whySteps(models, data, query, options));
}

/** As `whyDifferent`, step by step. */
export function* whySteps(
  models: readonly [Ranker, Ranker],
  data: Dataset,
  query: string,
  options: WhyOptions = {},
): Steps<Why> {
  const q = queryNumber(data, query);
  const a = yield* partOf(explain(models[0], data, q, options), 0, 0.5);
  const b = yield* partOf(explain(models[1], data, q, options), 0.5, 1);
  const names = [...new Set([...a.byFeature.keys(), ...b.byFeature.keys()])];
  const start = data.offsets[q]!;
  const labels = data.label(options.labels);
  const documents = Array.from(b.order, (i): WhyDocument => {
    const features = names.map(feature => {
      const [ours, theirs] = [a, b].map(({ byFeature }) => byFeature.get(feature)?.[i] ?? 0) as [number, number];
      return { feature, a: ours, b: theirs, shift: theirs - ours };
    });
    return {
      document: data.documentId(start + i),
      label: labels[start + i]!,
      rankA: a.ranks[i]!,
      rankB: b.ranks[i]!,
      scoreA: a.scores[i]!,
      scoreB: b.scores[i]!,
      moved: a.ranks[i]! - b.ranks[i]!,
      features: features.sort((x, y) => Math.abs(y.shift) - Math.abs(x.shift)),
    };
  });
  const shifts = new Map(names.map(feature => [feature, 0]));
  for (const { features } of documents) {
    for (const { feature, shift } of features) {
      shifts.set(feature, shifts.get(feature)! + Math.abs(shift) / documents.length);
    }
  }
  return {
    query,
    measures: (options.measures ?? []).map((measure, m) => ({ measure, a: a.values[m]!, b: b.values[m]! })),
    documents,
    features: [...shifts].map(([feature, shift]) => ({ feature, shift })).sort((x, y) => y.shift - x.shift),
    how: [a.how, b.how],
  };
}

interface Explained extends ScoredQuery {
  readonly values: readonly number[];
  readonly how: Contributions['how'];
  /** Contributions of a feature by document, in standard deviations of the scores. */
  readonly byFeature: ReadonlyMap<string, Float64Array>;
}

function* explain(model: Ranker, data: Dataset, q: number, options: WhyOptions): Steps<Explained> {
  const scored = scoreQuery(model, data, q, options);
  const { n, rows, scores, view } = scored;
  const { featureNames } = model;
  const { how, values } = yield* contributionSteps(model, rows, n);
  const unit = deviation(scores) || 1; // nothing to tell where all scores are the same
  const byFeature = new Map(
    featureNames.map((name, f) => [
      name,
      Float64Array.from({ length: n }, (_, i) => values[i * featureNames.length + f]! / unit),
    ]),
  );
  return { ...scored, how, byFeature, values: (options.measures ?? []).map(measure => evaluateQuery(measure, view)) };
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
