export {
  choiceParameter,
  nameParameter,
  numberListParameter,
  numberParameter,
  optionalNumberParameter,
  type Parameter,
} from '../spec/parameters.js';
export { type MeasureName, measureDefinitions } from './all.js';
export { type Criterion, criterionOf, parseCriterion } from './criterion.js';
export { aggregate, evaluate, evaluateSteps, type MeasureResult } from './evaluate.js';
export type { ExpectationForm } from './forms/expectation.js';
export type { TiedRanks } from './forms/over-ties.js';
export { noDiscount, type RankDiscount, rankDiscount, reciprocalDiscount } from './forms/rank-discount.js';
export { relevanceGain } from './forms/relevance.js';
export { type SeparableOptions, separable } from './forms/separable.js';
export type { ApproxForm, SmoothRanking, SoftForm } from './forms/smooth-forms.js';
export { type SwapChange, swapChange } from './forms/swap.js';
export {
  type Aggregate,
  defineMeasure,
  idealParameter,
  type Measure,
  type MeasureBody,
  type MeasureDefinition,
  type QueryView,
  relevanceParameter,
  type SwapForm,
  type SwapTables,
} from './measure.js';
export { type AskedMeasure, type MeasureContext, type MeasureLike, parseMeasure, parseMeasures } from './parse.js';
export { loadMeasures } from './plugin.js';
export { type Preset, type PresetName, presets } from './presets.js';
export { DatasetView, type Ties } from './query-view.js';
