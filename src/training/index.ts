export { type ModelMadeBy, type OptionsOf, type TrainerName, trainers } from './all.js';
export { type BestFeature, bestFeature } from './baselines/best-feature.js';
export { type RidgeOptions, ridge } from './baselines/ridge.js';
export { configSchema, parseConfig, type TrainConfig } from './config.js';
export type { IterationDiagnostics, IterationRecord } from './iteration-record.js';
export { allowed, checkOptions, optionProperties, optionsFromText } from './options.js';
export {
  DEFAULT_HOLDOUT,
  DEFAULT_OBJECTIVE,
  DEFAULT_SELECT,
  type NamedSettings,
  type Trained,
  type TrainSettings,
  train,
  trainNamed,
} from './train.js';
export { type SettledSettings, settleSettings, trainSettled } from './train-settled.js';
export type { Stopped, Trainer, TrainResult } from './trainer.js';
