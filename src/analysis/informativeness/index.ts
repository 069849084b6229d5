export { type AlongTrainingSettings, systemsAlongTraining } from './along-training.js';
export { canInfer, expectedValue, type InferredLabels, inferLabels } from './infer.js';
export {
  type Informativeness,
  type InformativenessOptions,
  informativeness,
  informativenessSteps,
  type Prediction,
} from './informativeness.js';
export { type CurveError, curveError, precisionAtRecall, relevanceByRank } from './precision-recall.js';
