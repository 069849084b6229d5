export { readFeatureSet } from '../data/feature-set.js';
export { formats } from './all.js';
export {
  type Conversion,
  type ConvertOptions,
  convertModel,
  type Exported,
  type ExportOptions,
  exportModel,
  type Imported,
  type ImportOptions,
  importModel,
} from './convert.js';
export { engineRules } from './engines/all.js';
export { type EngineScorer, engineScorer } from './engines/engine-scorer.js';
export { type Engine, findEngine } from './engines/find-rules.js';
export type { EngineRule, LinearRule, NetRule, TreesRule } from './engines/rule.js';
export type { ModelFormat, WrittenFile } from './format.js';
export { inspectModel, type ModelInspection } from './inspect.js';
export { type OpenOptions, openModel } from './open-model.js';
export type { Transform } from './transform.js';
