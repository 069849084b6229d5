export { alignFeatures, concatenate } from './concatenate.js';
export { Dataset, type DatasetParts, type FeatureBlock, PRIMARY_LABEL } from './dataset.js';
export { type BuilderOptions, DatasetBuilder, type Piece } from './dataset-builder.js';
export { type Fold, kFold, letorFolds, rotateParts } from './folds.js';
export { fileInput, type Input, memoryInput, resolveInputs } from './inputs.js';
export { readDataset } from './read.js';
export type { Reader, ReadOptions } from './reader.js';
export { seededQueryOrder, selectQueries, splitByQuery } from './split.js';
export { StringTable } from './string-table.js';
