/**
 * Refitting: once the best iteration is known, training is done again on all queries, those that selected included, to
 * that iteration. Rates and restarts come when they came in the run that selected. Where all iterations belong together
 * (a forest, an optimum), there is none to choose, and the trainer goes to its end.
 */
import { join } from 'node:path';
import { concatenate } from '../data/concatenate.js';
import type { Dataset } from '../data/dataset.js';
import { shareOf } from '../data/share.js';
import { ListwiseError } from '../errors.js';
import type { Transport } from '../ranks/transport.js';
import { CheckpointStore } from './checkpoint.js';
import { runLoop } from './loop.js';
import type { GivenJob, TrainContext, Trainer, TrainResult } from './trainer.js';

/** What was trained again: to which iteration, on how many queries. */
export interface Refitted {
  readonly iteration: number;
  readonly queries: number;
}

/** All queries; refuses, before the work, what cannot be refitted. */
export function refitData(
  given: Dataset,
  validate: Dataset | undefined,
  on: 'validation' | 'holdout' | 'training',
  place: (data: Dataset) => Dataset,
  ranks: Transport,
): Dataset {
  if (on === 'training') {
    throw new ListwiseError(
      'option-invalid',
      'nothing is held out, so that the model is trained on every query already; leave `refit` away',
    );
  }
  if (on === 'validation' && ranks.size > 1) {
    throw new ListwiseError(
      'option-invalid',
      'on several ranks `refit` goes with `holdout` only, not with validation data of its own yet; train in one process',
    );
  }
  return on === 'holdout' ? place(given) : concatenate([given, validate!]);
}

/** The result with the model trained again, or as it was where that came to nothing, with a note. */
export async function refit(
  selected: TrainResult,
  data: Dataset,
  trainer: Trainer,
  job: GivenJob,
  context: Omit<TrainContext, 'checkpoint'>,
  checkpoint: { readonly directory: string; readonly resume?: boolean; readonly everyMs?: number } | undefined,
): Promise<TrainResult & { readonly refitted?: Refitted }> {
  const { best, keeps, log, seconds } = selected;
  const { note } = context;
  const asItWas = (why: string, more: Partial<TrainResult> = {}) => {
    note(`${why}: the model is the one selected, and is not refitted`);
    return { ...selected, ...more };
  };
  if (selected.stopped === 'interrupted') return asItWas('interrupted');
  if (best.iteration === 0) return asItWas('no iteration is better than the model to go on from');
  const iterations = keeps === 'best' ? best.iteration : undefined;
  const directory =
    checkpoint && join(checkpoint.directory, iterations === undefined ? 'refit' : `refit-${iterations}`);
  try {
    const again = await runLoop(
      trainer,
      { ...job, data, validate: undefined, evaluateTraining: false, refit: { log, iterations } },
      { ...context, checkpoint: directory === undefined ? undefined : new CheckpointStore(directory, checkpoint) },
    );
    if (again.stopped === 'diverged') return asItWas('training on all queries diverged');
    if (again.stopped === 'interrupted') return asItWas('interrupted while refitting', { stopped: 'interrupted' });
    return {
      ...selected,
      model: again.model,
      seconds: { bin: seconds.bin + again.seconds.bin, train: seconds.train + again.seconds.train },
      refitted: { iteration: again.iterations, queries: shareOf(data).queries },
    };
  } catch (error) {
    if (!(error instanceof ListwiseError && error.code === 'training-interrupted')) throw error;
    return asItWas('interrupted while refitting', { stopped: 'interrupted' });
  }
}
