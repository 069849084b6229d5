/**
 * Refitting: once the best iteration is known, training is done again on all queries, those that selected included, to
 * that iteration. Rates and restarts come when they came in the run that selected. Where all iterations belong together
 * (a forest, an optimum), there is none to choose, and the trainer goes to its end.
 */
import { join } from 'node:path';
import type { Dataset } from '../data/dataset.js';
import { shareOf } from '../data/share.js';
import { ListwiseError } from '../errors.js';
import { deal, dealJoined } from '../ranks/deal.js';
import { gatherNumbers, gatherValues } from '../ranks/gathered.js';
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
  ranks: Transport,
  { severalRanks: whole }: Trainer,
): Dataset {
  if (on === 'training') {
    throw new ListwiseError(
      'option-invalid',
      'nothing is held out, so that the model is trained on every query already; leave `refit` away',
    );
  }
  if (on === 'holdout') return deal(ranks, given, whole);
  return dealJoined(ranks, numbered(ranks, given, validate!), whole);
}

/** Training and validation data with the places of their documents in one input after the other, or in the same. */
function numbered(ranks: Transport, ...both: [Dataset, Dataset]): Dataset[] {
  const counts = both.map(({ rows }) => gatherNumbers(ranks, Float64Array.of(rows)));
  const sum = (numbers: Float64Array) => numbers.reduce((total, count) => total + count, 0);
  const apart = both.map(({ inputRows, rows }, i) => {
    const first = sum(counts[i]!.subarray(0, ranks.rank));
    return { first, inOrder: inputRows?.every((from, row) => from === first + row) ?? true, rows };
  });
  // Parts of one input keep the places they had in it.
  const inOrder = gatherValues(
    ranks,
    apart.every(one => one.inOrder),
  ).every(own => own);
  if (!inOrder) return both;
  return both.map((data, i) => {
    const { first, rows } = apart[i]!;
    const before = first + (i === 0 ? 0 : sum(counts[0]!));
    return data.with({ inputRows: Uint32Array.from({ length: rows }, (_, row) => before + row) });
  });
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
