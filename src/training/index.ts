export { type ModelMadeBy, type OptionsOf, type TrainerName, trainers } from './all.js';
export { type BestFeature, bestFeature } from './baselines/best-feature.js';
export { type RidgeOptions, ridge } from './baselines/ridge.js';
export { configSchema, parseConfig, type TrainConfig } from './config.js';
export type { IterationRecord } from './iteration-record.js';
export { type NamedSettings, type Trained, type TrainSettings, train, trainNamed } from './train.js';
export type { Stopped } from './trainer.js';
