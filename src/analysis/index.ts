export { type Contributions, contributionsOf } from '../models/contributions.js';
export { type Advice, type AdviseSettings, advise } from './advise.js';
export {
  type ApproximationAtScores,
  type ApproximationRun,
  approximationAlongTraining,
  approximationError,
  approximationOf,
} from './approximation.js';
export { type ComparedPair, type CompareOptions, type Comparison, compareSystems } from './compare.js';
export { checkDeployment, type DeployCheck, type DeployExample, type DeployOptions } from './deploy-check.js';
export { type DeployVerification, verifyDeployment } from './deploy-verify.js';
export { type Drift, DriftWatch } from './drift.js';
export { type FieldOptions, type LambdaField, lambdaField } from './field/lambda-field.js';
export { type Drop, type PermutationOptions, permutationImportance } from './importance.js';
export { type InferredLabels, inferLabels } from './informativeness/infer.js';
export {
  type Informativeness,
  type InformativenessOptions,
  informativeness,
} from './informativeness/informativeness.js';
export { kendallTau } from './kendall-tau.js';
export { type ExactOptimality, type ExactOptions, exactOptimality } from './optimality/exact-optimality.js';
export { localOptimality, type Optimality, type OptimalityOptions } from './optimality/local-optimality.js';
export { type Dependence, type DependenceOptions, partialDependence } from './partial-dependence.js';
export { type QueryRow, type QueryRowsOptions, queryRows } from './queries.js';
export { type Shap, type ShapOptions, shapOf } from './shap.js';
export { holm } from './significance/holm.js';
export { type PairedResult, pairedComparison, type TestName } from './significance/paired.js';
export { randomisationTest } from './significance/randomisation.js';
export { signTest } from './significance/sign-test.js';
export { effectSize, meanInterval, tTest } from './significance/t-test.js';
export type { TestResult } from './significance/test-result.js';
export { wilcoxonTest } from './significance/wilcoxon.js';
export { readSystem, type System, type SystemOptions } from './system.js';
export { type Why, type WhyOptions, whyDifferent } from './why.js';
export { type WhyOfPair, type WhyOfPairOptions, whyAbove } from './why-documents.js';
