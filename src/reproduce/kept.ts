/** Results kept in the folders of experiments: in the repository they are there, in the package they are not. */
import { existsSync, readFileSync } from 'node:fs';
import type { Experiment, Scale } from './experiment.js';
import { experiments } from './experiments/all.js';
import { experimentFile } from './files.js';
import type { Reproduced } from './reproduce.js';

/** The file of a result. */
export const keptFiles: Readonly<Record<Scale, string>> = {
  tiny: 'tiny.json',
  small: 'result.json',
  paper: 'paper.json',
};

export function keptResult({ name }: Experiment, scale: Scale): Reproduced | undefined {
  const file = experimentFile(name, keptFiles[scale]);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Names of experiments whose protocol is fixed and that nobody has run. */
export function notRun(): string[] {
  return experiments
    .filter(
      experiment => keptResult(experiment, 'paper') === undefined && keptResult(experiment, 'small') === undefined,
    )
    .map(({ name }) => name);
}

/** Of every experiment the largest that was run for real. */
export function keptResults(): Reproduced[] {
  return experiments.flatMap(experiment => keptResult(experiment, 'paper') ?? keptResult(experiment, 'small') ?? []);
}
