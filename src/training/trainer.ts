/**
 * What a trainer is: one declared record, one line in `all.ts`. It says what it needs, which options it takes (a
 * schema, from which checks, help, docs and the JSON schema follow) and trains. Nothing outside knows a trainer by
 * name.
 */
import type { z } from 'zod';
import type { Dataset } from '../data/dataset.js';
import type { Criterion } from '../measures/criterion.js';
import type { AskedMeasure } from '../measures/parse.js';
import type { Ranker } from '../models/ranker.js';
import type { Objective } from '../objectives/objective.js';
import type { Portable } from '../objectives/portable.js';
import type { CheckpointStore } from './checkpoint.js';

export interface TrainJob<Options> {
  readonly data: Dataset;
  /** What models are selected on; absent where that is the training data itself. */
  readonly validate: Dataset | undefined;
  /** Present where the trainer needs one. */
  readonly objective: Objective | undefined;
  /** Which of two models is better. */
  readonly select: Criterion;
  /** Judged on the selecting data too, for the log alone. */
  readonly measures: readonly AskedMeasure[];
  /** Whether the training data is to be judged for the log where that takes work of its own. */
  readonly evaluateTraining: boolean;
  /** Objective and measures (those that select first, each once) for other threads; absent where there can be none. */
  readonly portable: Portable | undefined;
  readonly options: Options;
  /** A model to go on from. */
  readonly from: Ranker | undefined;
}

export interface TrainContext {
  readonly seed: number;
  readonly threads: number;
  /** Ends training after the work at hand; the best model so far is kept. */
  readonly signal: AbortSignal;
  readonly checkpoint: CheckpointStore | undefined;
  /**
   * Told of every iteration, also of those done before a resumed run, whose models are gone. `model` makes that after
   * the iteration, when called at once.
   */
  onIteration(record: IterationRecord, total: number, model?: () => Ranker): void;
  /** A remark for the person watching. */
  note(text: string): void;
}

/** One line of the training log. Figures are of the selecting measures, in their order. */
export interface IterationRecord {
  /** Counted from 1. */
  readonly iteration: number;
  /** Mean cost of a query; NaN where it is not followed or the objective has none. */
  readonly cost: number;
  /**
   * On the training data: by descent as each query was seen during the iteration, before the updates that followed; by
   * trees after the iteration. Empty where it is not judged, or where trees are selected on the training data, so that
   * `validation` says it.
   */
  readonly training: readonly number[];
  /** On the selecting data, after the iteration. */
  readonly validation: readonly number[];
  /** The other measures that were asked for, by name, on the selecting data after the iteration. */
  readonly measures?: Readonly<Record<string, number>>;
  /** Pairs (or documents) with a lambda. */
  readonly pairs: number;
  readonly rate: number;
  readonly seconds: number;
  /** Whether it is the best so far. */
  readonly best: boolean;
  /** What else happened, such as a restart. */
  readonly event?: string;
  /** Where asked for. */
  readonly diagnostics?: IterationDiagnostics;
}

/** What Svore et al. 2011 draw of each iteration. */
export interface IterationDiagnostics {
  /**
   * Mean share of a query's documents on which the first two parts of the objective pull the same way; NaN for one
   * part.
   */
  readonly agreement: number;
  /** Sum of |lambda| over the documents of each label, one figure a part of the objective. */
  readonly lambdaByLabel: readonly { readonly label: number; readonly parts: readonly number[] }[];
  /**
   * From which labels the lambda on highly relevant documents comes, labels in the upper half of their range: shares of
   * the lambdas of the first part that is made of pairs. Empty where none is.
   */
  readonly lambdaSources: readonly { readonly label: number; readonly share: number }[];
  /** Documents of each label in the top 3; NaN is unjudged. */
  readonly topLabels: readonly { readonly label: number; readonly documents: number }[];
  /** Share of ranks that hold another document than before, in the top 3 and in all. */
  readonly rankChanges: { readonly top: number; readonly all: number };
}

export type Stopped = 'finished' | 'no improvement' | 'interrupted' | 'diverged';

export interface TrainResult {
  readonly model: Ranker;
  readonly best: { readonly iteration: number; readonly values: readonly number[] };
  /** Iterations done. */
  readonly iterations: number;
  readonly stopped: Stopped;
  readonly log: readonly IterationRecord[];
  /** Making the data ready, and training. */
  readonly seconds: { readonly bin: number; readonly train: number };
}

export interface Trainer<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly needs: 'objective' | 'measure' | 'none';
  /** The objective where none is named, if not the usual one. */
  readonly objective?: string;
  readonly options: Schema;
  /** What to say besides where an option is refused. */
  readonly hints?: Readonly<Record<string, string>>;
  /** The option that says how many iterations there are at most; a search can train with a share of it. */
  readonly iterations?: string;
  train(job: TrainJob<z.output<Schema>>, context: TrainContext): Promise<TrainResult>;
}

export function defineTrainer<Schema extends z.ZodObject>(trainer: Trainer<Schema>): Trainer<Schema> {
  return trainer;
}
