/** What the training loop drives: a model in training. It knows one iteration at a time; the loop knows the run. */
import type { z } from 'zod';
import type { Ranker } from '../models/ranker.js';
import type { Steps } from '../steps.js';
import type { IterationRecord } from './iteration-record.js';

/** What a learner says of an iteration; what it leaves out is unknown. */
export interface StepRecord
  extends Partial<Pick<IterationRecord, 'cost' | 'training' | 'facts' | 'diagnostics'>>,
    Pick<IterationRecord, 'pairs' | 'rate'> {
  /** Set where no iteration need follow, as where a gap is closed. */
  readonly last?: boolean;
}

/** An iteration that came to nothing: the model is the best so far, or, where there is none, this is the error. */
export interface Diverged {
  readonly diverged: string;
}

export interface Evaluation {
  /** On the selecting data, one value for each of the job's measures. */
  readonly values: readonly number[];
  /** On the training data, of the selecting measures, where that is asked for. */
  readonly training?: readonly number[];
}

/** What is read from checkpoints must be; all else is refused. */
export interface LearnerSchema<State = unknown, Parts = unknown> {
  /** The state after the iterations of a log. */
  state(log: readonly IterationRecord[]): z.ZodType<State>;
  /** The parts of the model after an iteration; 0 is the model to go on from. */
  parts(iteration: number): z.ZodType<Parts>;
}

/**
 * `State` is all that the next iteration starts from; `Parts` are what a model is made of. Both are plain values, typed
 * arrays of float64 or numbers, for checkpoints, and neither changes after it was handed out.
 */
export interface Learner<State = unknown, Parts = unknown> {
  /** What becomes the model: the best iteration, or, where all iterations belong together, the last. */
  readonly keeps: 'best' | 'last';
  /** Does an iteration, counted from 1. A step that is left off ends the run: nothing but `close` follows. */
  step(iteration: number): Steps<StepRecord | Diverged>;
  /** Of the model after the last step; before the first, of the model to go on from. */
  evaluate(): Steps<Evaluation>;
  /** Looks at the log before the next iteration; a restart, which it may ask for, gives early stopping new patience. */
  adapt?(log: readonly IterationRecord[]): 'restart' | undefined;
  readonly schema: LearnerSchema<State, Parts>;
  snapshot(): State;
  restore(state: State): void;
  parts(): Parts;
  model(parts: Parts): Ranker;
  /** What to note at the end of the run, if anything. */
  remark?(log: readonly IterationRecord[]): string | undefined;
  close(): Promise<void>;
}
