export {
  choiceParameter,
  nameParameter,
  numberListParameter,
  numberParameter,
  optionalNumberParameter,
  type Parameter,
} from '../spec/parameters.js';
export { type MeasureName, measureDefinitions } from './all.js';
export { type Criterion, parseCriterion } from './criterion.js';
export { evaluate, type MeasureResult } from './evaluate.js';
export { type EvaluateThreadsOptions, evaluateOnThreads } from './evaluate-on-threads.js';
export { noDiscount, type RankDiscount, rankDiscount, reciprocalDiscount } from './forms/rank-discount.js';
export { relevanceGain } from './forms/relevance.js';
export { type SeparableOptions, separable } from './forms/separable.js';
export {
  defineMeasure,
  idealParameter,
  type Measure,
  type MeasureBody,
  type MeasureDefinition,
  type QueryView,
  relevanceParameter,
  type SwapForm,
} from './measure.js';
export { type AskedMeasure, type MeasureContext, type MeasureLike, parseMeasure, parseMeasures } from './parse.js';
export { loadMeasures } from './plugin.js';
export { type Preset, type PresetName, presets } from './presets.js';
export type { Ties } from './query-view.js';
