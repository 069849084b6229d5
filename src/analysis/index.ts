export {
  type Advice,
  type AdviseCell,
  type AdviseComparison,
  type AdviseSettings,
  adviceVerdict,
  advise,
} from './advise.js';
export {
  type ApproximationAtScores,
  type ApproximationError,
  type ApproximationIteration,
  type ApproximationRun,
  approximationAlongTraining,
  approximationError,
  approximationOf,
  approximationSteps,
  variedSpecs,
} from './approximation.js';

export {
  type ComparedPair,
  type CompareOptions,
  type Comparison,
  type Correction,
  compareSteps,
  compareSystems,
  corrections,
} from './compare.js';
export { type Contributions, contributionsOf, rowsOfQuery } from './contributions.js';
export * from './field/index.js';
export {
  type Drop,
  type PermutationOptions,
  permutationImportance,
  permutationSteps,
  type ShuffleScope,
  shuffleScopes,
} from './importance.js';
export * from './informativeness/index.js';
export { kendallTau } from './kendall-tau.js';
export * from './optimality/index.js';
export {
  type QueryOrder,
  type QueryRow,
  type QueryRowsOptions,
  queryOrders,
  queryRowSteps,
  queryRows,
} from './queries.js';
export * from './significance/index.js';
export { readSystem, type System, type SystemKind, type SystemOptions } from './system.js';
export { type FeatureShift, type Why, type WhyDocument, type WhyOptions, whyDifferent, whySteps } from './why.js';
export {
  type FeatureOfPair,
  type RankedDocument,
  type TreeOfPair,
  type WhyOfPair,
  type WhyOfPairOptions,
  whyAbove,
  whyAboveSteps,
} from './why-documents.js';
