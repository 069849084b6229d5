/** Trains a model. The trainers are loaded when the first one is asked for: most programs only score. */
import type { Dataset } from '../data/dataset.js';
import type { Doubt } from '../data/doubts.js';
import type { Criterion } from '../measures/criterion.js';
import type { MeasureLike } from '../measures/parse.js';
import { isOfKind } from '../models/all.js';
import type { MatchOptions } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';
import type { Objective } from '../objectives/objective.js';
import type { ObjectiveLibrary } from '../objectives/parse.js';
import type { ModelMadeBy, OptionsOf, TrainerName } from './all.js';
import type { Refitted } from './refit.js';
import type { TrainContext, TrainResult } from './trainer.js';

export const DEFAULT_OBJECTIVE = 'lambdarank(ndcg)';
export const DEFAULT_SELECT = 'ndcg@10';
/** The share of the training queries that is held out where no validation data is given. */
export const DEFAULT_HOLDOUT = 0.2;

/**
 * Settings whose kind of model is known when the program runs: from a file, or from a person.
 *
 * @example
 * import { type NamedSettings, trainNamed } from 'listwise/training';
 *
 * const settings: NamedSettings = { model: process.argv[2] ?? 'trees', data };
 * const { best } = await trainNamed(settings);
 */
export interface NamedSettings {
  readonly data: Dataset;
  /** The kind of model. */
  readonly model: string;
  /** A string, or an objective of your own (which runs on one thread). */
  readonly objective?: string | Objective | undefined;
  /** Data to select the best iteration on. */
  readonly validate?: Dataset | undefined;
  /** What becomes of features that the validation data lacks. */
  readonly match?: MatchOptions | undefined;
  /** The share of the training queries to hold out for that; 0 selects on the training data itself. */
  readonly holdout?: number | undefined;
  /** Which of two models is better: a measure, a graded criterion, or one of your own. */
  readonly select?: string | Criterion | undefined;
  /** Other measures to follow on the selecting data, as in `ap,ndcg@1,3`: they are logged and change nothing. */
  readonly measures?: string | readonly MeasureLike[] | undefined;
  /** Whether trees evaluate the training data for the log, which takes time; the model is the same (default: no). */
  readonly evaluateTraining?: boolean | undefined;
  /** Options of the trainer; see docs/training-options.md. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether the features of `data` and `validate` may be given up once the trainer has what it needs of them: trees
   * take much less memory then, and the data sets cannot be read afterwards (default: no).
   */
  readonly giveUpFeatures?: boolean | undefined;
  /** A model of the same kind to go on from. */
  readonly from?: Ranker | undefined;
  /** Whether to train again on all queries, to the iteration found; the model is that one then. */
  readonly refit?: boolean | undefined;
  readonly checkpoint?: { directory: string; resume?: boolean; everyMs?: number } | undefined;
  readonly seed?: number | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Measures and objectives of your own, for the strings above. */
  readonly library?: ObjectiveLibrary | undefined;
  /**
   * Modules whose exports are measures and objectives of your own; unlike those of `library` they run on every thread.
   */
  readonly modules?: readonly string[] | undefined;
  readonly onIteration?: TrainContext['onIteration'] | undefined;
  /** As `onIteration`, while refitting. */
  readonly onRefit?: TrainContext['onIteration'] | undefined;
  /** Told what to know of the run, one line each; doubts about the data have a code, and a checkpoint that is lost. */
  readonly note?: ((text: string, code?: Doubt['code'] | 'checkpoint-lost') => void) | undefined;
}

/**
 * What training takes; options are those of the trainer of `model`.
 *
 * @example
 * import type { TrainSettings } from 'listwise';
 *
 * const settings: TrainSettings<'net'> = { model: 'net', data, options: { hidden: [20] }, seed: 7 };
 */
export interface TrainSettings<Name extends TrainerName = TrainerName> extends NamedSettings {
  readonly model: Name;
  readonly options?: OptionsOf<Name> | undefined;
}

/**
 * A model, its log, and the settings that it was trained with, defaults included.
 *
 * @example
 * import { train, type Trained, TreesModel } from 'listwise';
 *
 * const trained: Trained<TreesModel> = await train({ model: 'trees', data });
 * console.log(trained.stopped, trained.log.length, trained.selectedOn);
 */
export interface Trained<M extends Ranker = Ranker> extends TrainResult<M> {
  readonly trainer: string;
  /** All options of the trainer. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly threads: number;
  readonly objective: string | undefined;
  readonly select: string;
  /** The measures of `select`, in the order of the values in the log. */
  readonly selectMeasures: readonly string[];
  /** The other measures of the log, by the names that they were asked for by. */
  readonly measures: readonly string[];
  /** Queries trained on, and what the best iteration was selected on. */
  readonly queries: number;
  readonly selectedOn: { readonly data: 'validation' | 'holdout' | 'training'; readonly queries: number };
  /** Where the model was trained again on all queries. */
  readonly refitted?: Refitted;
}

/**
 * Trains a model and hands it back with its log and the settings that it was trained with, defaults included.
 *
 * @example
 * import { readDataset, saveModel, train } from 'listwise';
 *
 * const { model, best } = await train({
 *   model: 'trees',
 *   data: await readDataset('train.txt'),
 *   validate: await readDataset('vali.txt'),
 *   objective: 'lambdarank(ndcg@10)',
 *   options: { trees: 300, leaves: 31 },
 * });
 * console.log(best.iteration, best.values);
 * await saveModel('model.json', model);
 */
export async function train<const Name extends TrainerName>(
  settings: TrainSettings<Name>,
): Promise<Trained<ModelMadeBy<Name>>> {
  const trained = await trainNamed(settings);
  const { trainers } = await import('./all.js');
  const makes: (typeof trainers)[Name]['makes'] = trainers[settings.model].makes;
  const { model } = trained;
  if (!isOfKind(model, makes)) throw new TypeError(`${trained.trainer} made a model of the kind ${model.kind}`);
  return { ...trained, model };
}

/**
 * As `train`, where the kind of model and its options are known when the program runs only.
 *
 * @example
 * import { trainNamed } from 'listwise/training';
 *
 * const { model } = await trainNamed({ model: process.argv[2] ?? 'trees', data });
 */
export async function trainNamed(settings: NamedSettings): Promise<Trained> {
  const { trainSettled, settleSettings } = await import('./train-settled.js');
  return trainSettled(settleSettings(settings));
}
