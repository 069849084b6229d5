/** What gives a document of a query its score: what each feature adds to the score that is expected without any. */
import type { Dataset } from '../data/dataset.js';
import { ListwiseError } from '../errors.js';
import { type Contributions, contributionSteps } from '../models/contributions.js';
import type { MatchOptions } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';
import type { Explainer } from '../models/shapley/explainer.js';
import { explainerOf } from '../models/shapley/explainer-of.js';
import type { Steps } from '../steps.js';
import { levelNamed } from './level-named.js';
import { queryNumber, scoreQuery } from './scored-query.js';
import { documentNumber, type RankedDocument, shapleyOf, type WhyOfPairOptions } from './why-documents.js';

export interface ScoreOfDocument {
  readonly document: RankedDocument;
  /** The expected score, or the mean of the query, which features add to. */
  readonly base: number;
  /** Shapley values where the model has them; else what features add over the mean document of the query. */
  readonly how: Explainer['how'] | Contributions['how'];
  /** Largest part first. By occlusion they need not add up. */
  readonly features: readonly FeatureOfDocument[];
}

export interface FeatureOfDocument {
  readonly feature: string;
  /** NaN where missing. */
  readonly value: number;
  /** The same as a level, of a category whose levels the model knows by name. */
  readonly level?: string | undefined;
  readonly adds: number;
}

export function* scoreOfDocumentSteps(
  model: Ranker,
  data: Dataset,
  query: string,
  document: string,
  options: Pick<WhyOfPairOptions, 'labels' | 'ties'> & MatchOptions = {},
): Steps<ScoreOfDocument> {
  const q = queryNumber(data, query);
  const { n, rows, scores, ranks } = scoreQuery(model, data, q, options);
  const i = documentNumber(data, q, document);
  const features = model.featureNames.length;
  const row = rows.subarray(i * features, (i + 1) * features);
  const explainer = explainerWhereThereIs(model);
  const found =
    explainer === undefined
      ? yield* overTheQuery(model, rows, n, i, scores)
      : { base: explainer.base, how: explainer.how, adds: shapleyOf(explainer, [row]) };
  const at = data.offsets[q]! + i;
  return {
    document: { document, label: data.label(options.labels)[at]!, rank: ranks[i]!, score: scores[i]! },
    base: found.base,
    how: found.how,
    features: model.featureNames
      .map((feature, f) => ({
        feature,
        value: row[f]!,
        level: levelNamed(model, feature, row[f]!),
        adds: found.adds[f]!,
      }))
      .sort((x, y) => Math.abs(y.adds) - Math.abs(x.adds)),
  };
}

/** Nets have no Shapley values, nor have trees that do not say how many documents came which way. */
function explainerWhereThereIs(model: Ranker): Explainer | undefined {
  try {
    return explainerOf(model);
  } catch (error) {
    if (error instanceof ListwiseError) return undefined;
    throw error;
  }
}

function* overTheQuery(model: Ranker, rows: Float32Array, n: number, i: number, scores: Float64Array) {
  const features = model.featureNames.length;
  const { how, values } = yield* contributionSteps(model, rows, n);
  const base = scores.reduce((sum, score) => sum + score, 0) / n;
  return { how, base, adds: values.subarray(i * features, (i + 1) * features) };
}
