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
export type { ModelFormat, WrittenFile } from './format.js';
export { inspectModel, type ModelInspection } from './inspect.js';
export { type OpenOptions, openModel } from './open-model.js';
