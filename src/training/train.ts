/** Trains a model: settles data to select on, objective, criterion and options, and hands over to the loop. */
import { availableParallelism } from 'node:os';
import type { Dataset } from '../data/dataset.js';
import type { Doubt } from '../data/doubts.js';
import { splitByQuery } from '../data/split.js';
import { didYouMean, ListwiseError, plural, quote } from '../errors.js';
import { type Criterion, parseCriterion } from '../measures/criterion.js';
import type { Measure } from '../measures/measure.js';
import { type AskedMeasure, type MeasureContext, parseMeasure, parseMeasures } from '../measures/parse.js';
import { withDescription } from '../models/all.js';
import { type MatchOptions, withFeaturesOf } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';
import type { Objective } from '../objectives/objective.js';
import { type ObjectiveLibrary, parseObjective } from '../objectives/parse.js';
import { loadLibrary } from '../objectives/plugin.js';
import { isPortable } from '../objectives/portable.js';
import { type TrainerName, trainers } from './all.js';
import { CheckpointStore } from './checkpoint.js';
import { doubtsOf, refuseBlindSelection } from './data-checks.js';
import { EvaluatedMeasures } from './evaluated-measures.js';
import { runLoop } from './loop.js';
import { checkOptions } from './options.js';
import { SELECTING, type TrainContext, type Trainer, type TrainResult } from './trainer.js';

export const DEFAULT_OBJECTIVE = 'lambdarank(ndcg)';
export const DEFAULT_SELECT = 'ndcg@10';
/** The share of the training queries that is held out where no validation data is given. */
export const DEFAULT_HOLDOUT = 0.2;
/** Below this many queries nothing is held out unless asked for. */
const LEAST_QUERIES = 10;

export interface TrainSettings {
  readonly data: Dataset;
  /** The kind of model. */
  readonly model: TrainerName | (string & {});
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
  readonly measures?: string | readonly AskedMeasure[] | undefined;
  /** Whether trees evaluate the training data for the log, which takes time; the model is the same (default: no). */
  readonly evaluateTraining?: boolean | undefined;
  /** Options of the trainer; see docs/training-options.md. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly from?: Ranker | undefined;
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
  /** Told what to know of the run, one line each; doubts about the data have a code. */
  readonly note?: ((text: string, code?: Doubt['code']) => void) | undefined;
}

/** What decides how training goes beside the data, with every default filled in and the options checked. */
export interface SettledSettings {
  readonly trainer: Trainer;
  readonly objective: string | Objective | undefined;
  readonly select: string | Criterion;
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly threads: number;
}

export interface Trained extends TrainResult {
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
}

export function trainerOf(name: string): Trainer {
  const all: Readonly<Record<string, Trainer>> = trainers;
  if (Object.hasOwn(all, name)) return all[name]!;
  const names = Object.keys(all);
  throw new ListwiseError(
    'option-invalid',
    `there is no trainer for models of the kind ${quote(name)}${didYouMean(name, names)} Kinds: ${names.join(', ')}`,
  );
}

/** Settings for `trainSettled`: for callers that have a use for the settled ones before there is data. */
export function settleSettings<Settings extends Omit<TrainSettings, 'data'>>(
  settings: Settings,
): Omit<Settings, keyof SettledSettings> & SettledSettings {
  const { select = DEFAULT_SELECT, seed = 1, threads = availableParallelism() } = settings;
  const trainer = trainerOf(settings.model);
  if (trainer.needs !== 'objective' && !trainer.takesObjective && settings.objective !== undefined) {
    throw new ListwiseError('option-invalid', `${trainer.name} takes no objective`);
  }
  const objective =
    settings.objective ??
    (trainer.needs === 'objective' ? (trainer.objective ?? DEFAULT_OBJECTIVE) : trainer.objective);
  const options = checkOptions(trainer, settings.options ?? {});
  return { ...settings, trainer, objective, select, options, seed, threads };
}

/** Trains a model and hands it back with its log and the settings that it was trained with, defaults included. */
export async function train(settings: TrainSettings): Promise<Trained> {
  return trainSettled(settleSettings(settings));
}

export async function trainSettled(
  settings: Omit<TrainSettings, keyof SettledSettings> & SettledSettings,
): Promise<Trained> {
  const { trainer, objective, select, options, seed, threads } = settings;
  const { modules = [], note = () => {}, onIteration = () => {} } = settings;
  const given = settings.library;
  const library = await loadLibrary(modules, given);
  const context = { more: library.measures, ...(given?.preset === undefined ? {} : { preset: given.preset }) };
  const criterion = typeof select === 'string' ? parseCriterion(select, context) : select;
  const others = settings.measures ?? [];
  const measures = typeof others === 'string' ? parseMeasures(others, context) : others;
  const measure = trainer.needs === 'measure' ? trainedMeasure(options, criterion, context) : undefined;
  const parsed = typeof objective === 'string' ? parseObjective(objective, library) : objective;
  if (settings.data.features === 0)
    throw new ListwiseError('data-empty', 'there is nothing to learn from: the data has no features');
  const { data, validate, on } = selectingData(settings, note);
  if (validate !== undefined && on !== 'training') refuseBlindSelection(validate, criterion, on);
  for (const { text, code } of doubtsOf(settings.data, settings.validate, parsed)) note(text, code);
  // A label source that is not there is known before the work begins.
  for (const { measure } of measures) (validate ?? data).label(measure.labels);
  const evaluated = new EvaluatedMeasures(criterion, measures);
  const portable = isPortable({ objective, select, measures: others, library: given })
    ? { objective: parsed?.spec, measures: evaluated.all.map(({ spec }) => spec), modules }
    : undefined;
  const result = await runLoop(
    trainer,
    {
      data,
      validate,
      objective: parsed,
      measure,
      select: criterion,
      measures: evaluated,
      options,
      from: settings.from,
      evaluateTraining: settings.evaluateTraining ?? false,
      portable,
      modules,
    },
    {
      seed,
      threads,
      signal: settings.signal ?? new AbortController().signal,
      checkpoint: settings.checkpoint && new CheckpointStore(settings.checkpoint.directory, settings.checkpoint),
      onIteration,
      note,
    },
  );
  if (result.log.length > 0 && result.log.every(({ pairs }) => pairs === 0)) {
    throw new ListwiseError(
      'training-without-lambda',
      `${parsed?.spec ?? trainer.name} finds nothing to learn: in no query do two documents have different labels (${parsed?.labels.join(', ') ?? 'label'})`,
    );
  }
  return {
    ...result,
    model: withDescription(result.model, data.description),
    trainer: trainer.name,
    options,
    seed,
    threads,
    objective: parsed?.spec,
    select: criterion.spec,
    selectMeasures: criterion.measures.map(measure => measure.spec),
    measures: measures.map(({ asked }) => asked),
    queries: data.queries,
    selectedOn: { data: on, queries: (validate ?? data).queries },
  };
}

/** That of the option `measure`, or the first that selects. */
function trainedMeasure(
  { measure }: Readonly<Record<string, unknown>>,
  { measures }: Criterion,
  context: MeasureContext,
): Measure {
  return typeof measure === 'string' && measure !== SELECTING ? parseMeasure(measure, context) : measures[0]!;
}

interface SelectingData {
  readonly data: Dataset;
  readonly validate: Dataset | undefined;
  readonly on: Trained['selectedOn']['data'];
}

/** What to train and what to select on: given data, else a share of the training queries, else the training data. */
function selectingData(
  settings: Pick<TrainSettings, 'data' | 'validate' | 'holdout' | 'match'> & Pick<SettledSettings, 'seed'>,
  note: (text: string) => void,
): SelectingData {
  const { data, validate, holdout, seed } = settings;
  if (validate !== undefined) {
    if (holdout !== undefined) {
      throw new ListwiseError('option-invalid', 'give validation data or a share to hold out, not both');
    }
    return { data, validate: withFeaturesOf(data, validate, settings.match), on: 'validation' };
  }
  if (holdout !== undefined && !(holdout >= 0 && holdout < 1)) {
    throw new ListwiseError('option-invalid', `the share to hold out is at least 0 and below 1, found ${holdout}`);
  }
  if (holdout === 0) return { data, validate: undefined, on: 'training' };
  if (holdout === undefined && data.queries < LEAST_QUERIES) {
    note(
      `only ${plural(data.queries, 'query', 'queries')}: nothing is held out, the best iteration is selected on the training data`,
    );
    return { data, validate: undefined, on: 'training' };
  }
  const share = holdout ?? DEFAULT_HOLDOUT;
  const [kept, held] = splitByQuery(data, [1 - share, share], seed) as [Dataset, Dataset];
  if (holdout === undefined) {
    note(
      `no validation data: ${held.queries} of ${data.queries} queries are held out to select the best iteration (\`holdout\`)`,
    );
  }
  return { data: kept, validate: held, on: 'holdout' };
}
