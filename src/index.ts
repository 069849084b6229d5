export * from './analysis/index.js';
export * from './data/index.js';
export { type ErrorCode, errorCodes, ListwiseError, type Place } from './errors.js';
export * from './measures/index.js';
export * from './models/index.js';
export * from './objectives/index.js';
export { Random } from './random.js';
export * from './runs/index.js';
export * from './training/index.js';
