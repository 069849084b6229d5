export { fileInput, type Input, memoryInput, resolveInput, resolveInputs } from '../io/inputs.js';
export { concatenate, unifyFeatures as alignFeatures } from './concatenate.js';
export { Dataset, type DatasetParts, type FeatureBlock } from './dataset.js';
export { type BuilderOptions, DatasetBuilder, type Piece } from './dataset-builder.js';
export type { Cell, ColumnChoice } from './dataset-from.js';
export { fingerprint } from './fingerprint.js';
export { type Fold, type FoldOptions, kFold, letorFolds, rotateParts } from './folds.js';
export { type GeneratorName, generators } from './generators/all.js';
export {
  CLICK_LABEL,
  CLICK_RATE_LABELS,
  type GenerateOptions,
  type Generation,
  generate,
  generateDataset,
} from './generators/generate.js';
export { inspectDataset } from './inspect.js';
export { type FoldedData, readLetor } from './letor.js';
export { normalisations, normalise } from './normalise.js';
export { PRIMARY_LABEL } from './primary-label.js';
export type { Batch, BatchSize, TakeBatch } from './read/batches.js';
export { readBatches, readDataset, readInputs } from './read/read.js';
export type { OutsideQueries, Reader, ReadOptions, RowSink } from './readers/reader.js';
export { readScores } from './readers/score-file.js';
export { type JoinedRun, type JoinOptions, joinRun, type Run, readQrels, readRun } from './readers/trec/index.js';
export { seededQueryOrder, selectQueries, splitByQuery, splitQueryNumbers } from './split.js';
export { StringTable } from './string-table.js';
export { writeDataset, writeDatasets } from './writers/write.js';
export type { WriteOptions, Writer } from './writers/writer.js';
