/**
 * What a trainer is: one declared record, one line in `all.ts`. It says what it needs, what it makes, which options it
 * takes (a schema, from which checks, help, docs and the JSON schema follow) and starts a learner, which the loop
 * drives. Nothing outside knows a trainer by name. To add one, see docs/adding-a-trainer.md.
 */
import type { z } from 'zod';
import type { Dataset } from '../data/dataset.js';
import type { Criterion } from '../measures/criterion.js';
import type { Measure } from '../measures/measure.js';
import type { ModelKindName } from '../models/all.js';
import type { Ranker } from '../models/ranker.js';
import type { LearnedTable } from '../objectives/learning.js';
import type { Objective } from '../objectives/objective.js';
import type { Portable } from '../objectives/portable.js';
import type { Transport } from '../ranks/transport.js';
import type { CheckpointStore } from './checkpoint.js';
import type { EvaluatedMeasures } from './evaluated-measures.js';
import type { IterationRecord } from './iteration-record.js';
import type { LearnedState } from './learned-state.js';
import type { Learner } from './learner.js';
import type { ModelEvaluation } from './model-evaluation.js';

export interface TrainJob<Options = Readonly<Record<string, unknown>>> {
  readonly data: Dataset;
  /** What models are selected on; absent where that is the training data itself. */
  readonly validate: Dataset | undefined;
  /** Present where the trainer needs one. */
  readonly objective: Objective | undefined;
  /** What is trained for where the trainer needs a measure: that of its option `measure`, or the first that selects. */
  readonly measure: Measure | undefined;
  /** Which of two models is better. */
  readonly select: Criterion;
  /** What models are evaluated by: the measures that select, and those for the log alone. */
  readonly measures: EvaluatedMeasures;
  /** Whether the training data is to be evaluated for the log where that takes work of its own. */
  readonly evaluateTraining: boolean;
  /** Objective and measures (those that select first, each once) for other threads; absent where there can be none. */
  readonly portable: Portable | undefined;
  /** Evaluates models, on threads of its own where that pays; see model-evaluation.ts. */
  readonly evaluation: ModelEvaluation;
  /** Modules of the user's, whose contents decide the model too. */
  readonly modules: readonly string[];
  /** Whether features may be given up (`giveUpBlock`) once the learner needs them no more. */
  readonly giveUpFeatures?: boolean | undefined;
  readonly options: Options;
  /** A model to go on from: of the kind that the trainer makes, its features in the order of the data. */
  readonly from: Ranker | undefined;
  /** What the objective learns for itself; set by the loop. */
  readonly learned?: LearnedState | undefined;
  /** Set where a run is done once more on other data: see refit.ts. */
  readonly refit?: Refit | undefined;
}

/** A job before its run begins. */
export type GivenJob = Omit<TrainJob, 'evaluation'>;

/** The run that is done once more. Its log decides rates and restarts; nothing is selected. */
export interface Refit {
  readonly log: readonly IterationRecord[];
  /** The iteration to train to; undefined where the learner itself says when it is done. */
  readonly iterations: number | undefined;
}

export interface TrainContext {
  readonly seed: number;
  readonly threads: number;
  /** This process and the others that train the same model. */
  readonly ranks: Transport;
  /** Ends training after the work at hand; the best model so far is kept. */
  readonly signal: AbortSignal;
  readonly checkpoint: CheckpointStore | undefined;
  /** Called after every iteration, also those before a resumed run, whose models are gone; `model` makes it. */
  onIteration(record: IterationRecord, total: number, model?: () => Ranker): void;
  /** A remark for the person watching; with a code where something is lost. */
  note(text: string, code?: 'checkpoint-lost'): void;
}

/**
 * Why training ended.
 *
 * @example
 * import type { Stopped } from 'listwise/training';
 *
 * const early = (stopped: Stopped): boolean => stopped === 'no improvement';
 */
export type Stopped = 'finished' | 'no improvement' | 'interrupted' | 'diverged';

export interface TrainResult<M extends Ranker = Ranker> {
  readonly model: M;
  readonly best: { readonly iteration: number; readonly values: readonly number[] };
  /** Whether the model is that of the best iteration, or all iterations belong together. */
  readonly keeps: 'best' | 'last';
  /** Iterations done. */
  readonly iterations: number;
  readonly stopped: Stopped;
  readonly log: readonly IterationRecord[];
  /** What the objective learned for itself, such as the bias of positions, up to the model's iteration. */
  readonly learned?: readonly LearnedTable[];
  /** Making the data ready, and training. */
  readonly seconds: { readonly bin: number; readonly train: number };
}

export interface Trainer<Schema extends z.ZodObject = z.ZodObject, Makes extends ModelKindName = ModelKindName> {
  readonly name: string;
  readonly title: string;
  /** With a measure, the option `measure` names another than the one that selects. */
  readonly needs: 'objective' | 'measure' | 'none';
  /** Whether an objective can be given where none is needed. */
  readonly takesObjective?: boolean;
  /** The kind of model, which is also what training can go on from. */
  readonly makes: Makes;
  /** The objective where none is named, if not the usual one. */
  readonly objective?: string;
  /**
   * What of the data goes to one of several ranks as a whole, because sums over it are what ranks add up: see parts.ts.
   * Left out, it does not train on several ranks.
   */
  readonly severalRanks?: 'parts' | 'blocks';
  /** Whether it splits categories by their levels; others take codes of levels as numbers. */
  readonly splitsCategories?: boolean;
  /** Where `patience` and `evaluateEvery` are among them, the loop follows them. */
  readonly options: Schema;
  /** What to say besides where an option is refused. */
  readonly hints?: Readonly<Record<string, string>>;
  /**
   * The option that says how many iterations there are at most; a search can train with a share of it. Without one the
   * learner says when it is done.
   */
  readonly iterations?: string;
  start(job: TrainJob<z.output<Schema>>, context: TrainContext): Promise<Learner>;
}

/** What a trainer that needs an objective trains for. */
export function objectiveOf({ objective }: TrainJob<unknown>): Objective {
  if (objective === undefined) throw new RangeError('the trainer needs an objective');
  return objective;
}

/** The value of the option `measure` that means the measure that selects. */
export const SELECTING = 'select';

/** What a trainer that needs a measure trains for. */
export function measureOf({ measure }: TrainJob<unknown>): Measure {
  if (measure === undefined) throw new RangeError('the trainer needs a measure');
  return measure;
}

export function defineTrainer<Schema extends z.ZodObject, Makes extends ModelKindName>(
  trainer: Trainer<Schema, Makes>,
): Trainer<Schema, Makes> {
  return trainer;
}
