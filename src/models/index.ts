export { kinds, type ModelKind, type ModelKindName } from './all.js';
export { LinearModel, type LinearParts, singleFeature } from './linear/linear.js';
export { type MatchOptions, matchFeatures } from './match-features.js';
export { loadModel, parseModel, printModel, saveModel } from './model-file.js';
export { NetModel, type NetParts } from './net/net.js';
export type { Perturbation } from './perturbation.js';
export { type ModelJson, type Ranker, scoreData } from './ranker.js';
export { ScoringThreads, scoreDataOnThreads } from './scoring-threads.js';
export { type SumWidth, type Tree, TreesModel, type TreesParts } from './trees/trees.js';
