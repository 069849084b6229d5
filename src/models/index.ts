export { kinds, type Model, type ModelKindName } from './all.js';
export {
  createRanker,
  type DocumentRanker,
  type FeaturePart,
  type Rankable,
  type Ranked,
  type RankOptions,
} from './create-ranker.js';
export type { FeatureValue } from './feature-values.js';
export { LinearModel, type LinearParts, singleFeature } from './linear/linear.js';
export { type MatchOptions, matchFeatures } from './match-features.js';
export { loadModel, parseModel, printModel, saveModel } from './model-file.js';
export { NetModel, type NetParts } from './net/net.js';
export { rank } from './rank.js';
export { type ModelJson, type Ranker, scoreData } from './ranker.js';
export type { RowOrder } from './row-work.js';
export { type SampledRows, sampleRows } from './sample-rows.js';
export { type ScoreIntoOptions, scoreInto } from './score-into.js';
export { type Scorer, scorer } from './scorer.js';
export { scoreDataOnThreads, workOnRows } from './scoring-threads.js';
export type { Explainer } from './shapley/explainer.js';
export { explainerOf } from './shapley/explainer-of.js';
export { type Tree, TreesModel, type TreesParts } from './trees/trees.js';
