export { type TrainerName, trainers } from './all.js';
export { type BestFeature, bestFeature } from './baselines/best-feature.js';
export { type RidgeOptions, ridge } from './baselines/ridge.js';
export { configSchema, parseConfig, type TrainConfig } from './config.js';
export { allowed, checkOptions, optionProperties, optionsFromText } from './options.js';
export {
  DEFAULT_HOLDOUT,
  DEFAULT_OBJECTIVE,
  DEFAULT_SELECT,
  type Trained,
  type TrainSettings,
  train,
} from './train.js';
export type { IterationRecord, Stopped, Trainer, TrainResult } from './trainer.js';
