export { type CrossValidateSettings, type CrossValidation, crossValidate } from './cross-validate.js';
export type { Configuration } from './fold-job.js';
export { type MethodName, methods } from './methods/all.js';
export { type OptionImportance, optionImportance } from './option-importance.js';
export { configurationOf, parseSpace, type SearchSpace, spaceSchema, type Values } from './space.js';
export { type Trial, type Tuned, type TuneSettings, type TuningFold, tune } from './tune.js';
