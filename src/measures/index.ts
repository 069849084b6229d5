export { type MeasureName, measureDefinitions } from './all.js';
export { aggregate, evaluate, type MeasureResult } from './evaluate.js';
export {
  type Aggregate,
  defineMeasure,
  type Measure,
  type MeasureBody,
  type MeasureDefinition,
  type QueryView,
  type SwapForm,
  type SwapTables,
} from './measure.js';
export { type AskedMeasure, type MeasureContext, parseMeasure, parseMeasures } from './parse.js';
export { type Preset, type PresetName, presets } from './presets.js';
export { DatasetView, type Ties } from './query-view.js';
export type { ApproxForm, SmoothRanking, SoftForm } from './smooth-forms.js';
export { swapChange } from './swap.js';
