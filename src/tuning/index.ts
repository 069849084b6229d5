export { type CrossValidateSettings, type CrossValidation, crossValidate } from './cross-validate.js';
export type { Configuration } from './fold-job.js';
