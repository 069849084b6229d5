/** What a checkpoint is of: all that decides the model, part by part, so that no run goes on with another's state. */
import { createHash } from 'node:crypto';
import type { Dataset } from '../data/dataset.js';
import { fingerprint } from '../data/fingerprint.js';
import { partsOf, smallPartsOf } from '../data/parts.js';
import { selectQueries } from '../data/split.js';
import { digestOf, type Identity } from '../io/identity.js';
import { gatherValues } from '../ranks/gathered.js';
import type { Transport } from '../ranks/transport.js';
import { version } from '../version.js';
import { moduleDigests } from './module-digests.js';
import type { TrainContext, Trainer, TrainJob } from './trainer.js';

/**
 * Options that may differ between a run and the run that goes on with it, for every trainer: how many iterations there
 * are (not fewer than are done) and how long to wait for a better one. So may the number of threads, and what is only
 * logged.
 */
function mayChange({ iterations }: Trainer): readonly string[] {
  return [...(iterations === undefined ? [] : [iterations]), 'patience'];
}

export async function jobIdentity(
  trainer: Trainer,
  job: TrainJob,
  { seed, ranks }: Pick<TrainContext, 'seed' | 'ranks'>,
): Promise<Identity> {
  const { data, validate, objective, select, from } = job;
  const free = mayChange(trainer);
  return {
    'version of listwise': version,
    'kind of model': trainer.name,
    objective: objective?.spec,
    'measure to select by': select.spec,
    seed,
    ...Object.fromEntries(Object.entries(job.options).filter(([key]) => !free.includes(key))),
    'training data': dataDigest(data, ranks),
    'validation data': validate && dataDigest(validate, ranks, smallPartsOf),
    'iteration to refit to': job.refit && (job.refit.iterations ?? 'all'),
    'model to go on from': from && digestOf({ features: from.featureNames, model: from.toJSON() }),
    ...(await moduleDigests(job.modules)),
  };
}

/** Part by part, so that it does not matter which rank has which. */
function dataDigest(data: Dataset, ranks: Transport, cut = partsOf): string {
  const parts = cut(data).map(({ firstQuery, lastQuery }) => {
    const part = selectQueries(
      data,
      Array.from({ length: lastQuery - firstQuery }, (_, i) => firstQuery + i),
    );
    // Documents without ids go by their place in the input where scores tie.
    return [fingerprint(part), createHash('sha256').update(part.inputRows!).digest('hex')];
  });
  return digestOf(gatherValues(ranks, parts).flat());
}
