/** One training on one fold: the unit of work of cross-validation and tuning. */
import type { Fold } from '../data/folds.js';
import { scoreData } from '../models/ranker.js';
import { type NamedSettings, trainNamed } from '../training/train.js';
import type { Stopped } from '../training/trainer.js';

/**
 * What decides a training, beside its data.
 *
 * @example
 * import { trainNamed } from 'listwise/training';
 * import type { Configuration } from 'listwise/tuning';
 *
 * const configuration: Configuration = { model: 'trees', objective: 'ranknet', options: { leaves: 15 } };
 * await trainNamed({ ...configuration, data });
 */
export type Configuration = Pick<
  NamedSettings,
  'model' | 'objective' | 'select' | 'holdout' | 'options' | 'seed' | 'library' | 'modules'
>;

export interface FoldJob {
  /** The place of the fold in the list of folds, from 0. */
  readonly fold: number;
  readonly configuration: Configuration;
}

export interface FoldOutcome {
  /** Of the fold's test part, one a row. */
  readonly scores: Float64Array;
  readonly best: { readonly iteration: number; readonly values: readonly number[] };
  readonly iterations: number;
  readonly stopped: Stopped;
  readonly seconds: number;
  readonly curve: LearningCurve;
}

/** The first selecting measure along training, at iterations that all trainings of the same length have in common. */
export interface LearningCurve {
  readonly iterations: readonly number[];
  readonly values: readonly number[];
}

/** Points of a curve, roughly: it is for a picture. */
const POINTS = 40;

export interface FoldContext {
  readonly threads: number;
  readonly signal: AbortSignal;
  /** `share` of the iterations is done. */
  onProgress(share: number): void;
  note: NonNullable<NamedSettings['note']>;
}

export async function runFold(
  { train: data, validate, test }: Fold,
  configuration: Configuration,
  { threads, signal, onProgress, note }: FoldContext,
): Promise<FoldOutcome> {
  let total = 0;
  const { model, best, iterations, stopped, seconds, log } = await trainNamed({
    ...configuration,
    data,
    validate,
    threads,
    signal,
    note,
    onIteration({ iteration }, all) {
      total = all;
      onProgress(iteration / all);
    },
  });
  const every = Math.max(1, Math.ceil(total / POINTS));
  const followed = log.filter(({ iteration, validation }) => iteration % every === 0 && validation.length > 0);
  return {
    scores: scoreData(model, test),
    best,
    iterations,
    stopped,
    seconds: seconds.bin + seconds.train,
    curve: {
      iterations: followed.map(({ iteration }) => iteration),
      values: followed.map(({ validation }) => validation[0]!),
    },
  };
}
