/** What a checkpoint is of: a digest of all that decides the model, so that no run goes on with another's state. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fingerprint } from '../data/fingerprint.js';
import { fingerprintOf } from './checkpoint.js';
import type { Trainer, TrainJob } from './trainer.js';

/**
 * Options that may differ between a run and the run that goes on with it, for every trainer: how many iterations there
 * are (not fewer than are done) and how long to wait for a better one. So may the number of threads, and what is only
 * logged.
 */
function mayChange({ iterations }: Trainer): readonly string[] {
  return [...(iterations === undefined ? [] : [iterations]), 'patience'];
}

export async function fingerprintOfJob(trainer: Trainer, job: TrainJob, seed: number): Promise<string> {
  const { data, validate, objective, select, from } = job;
  const free = mayChange(trainer);
  const sets = validate === undefined ? [data] : [data, validate];
  return fingerprintOf(
    {
      trainer: trainer.name,
      options: Object.entries(job.options).filter(([key]) => !free.includes(key)),
      objective: objective?.spec,
      select: select.spec,
      seed,
      data: sets.map(fingerprint),
      ...(job.refit && { refit: job.refit.iterations ?? 'all' }),
      from: from && { features: from.featureNames, model: from.toJSON() },
      modules: await moduleDigests(job.modules),
    },
    // Documents without ids go by their place in the input where scores tie.
    sets.flatMap(({ inputRows }) => inputRows ?? []),
  );
}

/** Of what modules of the user's hold, wherever they are. */
export function moduleDigests(files: readonly string[]): Promise<string[]> {
  const digest = async (file: string) => createHash('sha256').update(await readFile(file));
  return Promise.all(files.map(async file => (await digest(file)).digest('hex')));
}
