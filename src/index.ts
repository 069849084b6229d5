/** What most programs need of listwise; the rest is on sub-paths such as `listwise/training`. */
export { type ComparedPair, type CompareOptions, type Comparison, compareSystems } from './analysis/compare.js';
export { permutationImportance } from './analysis/importance.js';
export type { System } from './analysis/system.js';
export { concatenate } from './data/concatenate.js';
export { Dataset } from './data/dataset.js';
export type { Cell, ColumnChoice } from './data/dataset-from.js';
export type { DataDescription } from './data/description.js';
export { type Fold, kFold } from './data/folds.js';
export { type GenerateOptions, generateDataset } from './data/generators/generate.js';
export { inspectDataset } from './data/inspect.js';
export { normalise } from './data/normalise.js';
export { readDataset } from './data/read/read-dataset.js';
export type { ReadOptions } from './data/readers/reader.js';
export { joinRun } from './data/readers/trec/join.js';
export { readQrels } from './data/readers/trec/qrels.js';
export { readRun } from './data/readers/trec/run.js';
export { selectQueries, splitByQuery } from './data/split.js';
export { writeDataset } from './data/writers/write-dataset.js';
export { type ErrorCode, errorCodes, ListwiseError, type Place } from './errors.js';
export { measureDefinitions } from './measures/all.js';
export { type Criterion, parseCriterion } from './measures/criterion.js';
export { evaluate, type MeasureResult } from './measures/evaluate.js';
export { defineMeasure, type Measure, type QueryView } from './measures/measure.js';
export { type AskedMeasure, type MeasureLike, parseMeasure, parseMeasures } from './measures/parse.js';
export { type PresetName, presets } from './measures/presets.js';
export type { Ties } from './measures/query-view.js';
export type { Model } from './models/all.js';
export {
  createRanker,
  type DocumentRanker,
  type FeaturePart,
  type Rankable,
  type Ranked,
  type RankOptions,
} from './models/create-ranker.js';
export { LinearModel } from './models/linear/linear.js';
export type { MatchOptions } from './models/match-features.js';
export { loadModel, parseModel, printModel, saveModel } from './models/model-file.js';
export { NetModel } from './models/net/net.js';
export { rank } from './models/rank.js';
export { type Ranker, scoreData } from './models/ranker.js';
export { type Scorer, scorer } from './models/scorer.js';
export { TreesModel } from './models/trees/trees.js';
export { Random } from './numeric/random.js';
export { defineObjective, type Objective } from './objectives/objective.js';
export { type ReportOptions, report } from './report/report.js';
export type { OptionsOf, TrainerName } from './training/all.js';
export { bestFeature } from './training/baselines/best-feature.js';
export { ridge } from './training/baselines/ridge.js';
export type { IterationRecord } from './training/iteration-record.js';
export { type Trained, type TrainSettings, train } from './training/train.js';
