/** Runs an experiment at a scale. */
import { readFileSync } from 'node:fs';
import { didYouMean, ListwiseError, quote } from '../errors.js';
import type { Experiment, Finding, Scale } from './experiment.js';
import { experiments } from './experiments/all.js';
import { experimentFile } from './files.js';
import { Lab, type LabSettings } from './lab.js';

export interface Reproduced {
  readonly name: string;
  readonly scale: Scale;
  readonly seed: number;
  readonly config: unknown;
  readonly outcome: unknown;
  readonly findings: readonly Finding[];
}

export function experimentOf(name: string): Experiment {
  const found = experiments.find(experiment => experiment.name === name);
  if (found !== undefined) return found;
  const names = experiments.map(experiment => experiment.name);
  throw new ListwiseError(
    'option-invalid',
    `no experiment is called ${quote(name)}${didYouMean(name, names)} There are ${names.join(', ')}`,
  );
}

/**
 * The sizes and settings of an experiment at a scale, from its config.json and from the file that it names as `common`;
 * a scale that is `like` another says only what differs.
 */
export function configOf(experiment: Experiment, scale: Scale): unknown {
  const read = (file: string) => JSON.parse(readFileSync(experimentFile(experiment.name, file), 'utf8'));
  const { common, ...own } = read('config.json');
  const settings = (of: Scale): Record<string, unknown> => {
    const { like, ...rest } = own[of];
    return { ...(like === undefined ? {} : settings(like)), ...rest };
  };
  return experiment.config.parse({ ...(common === undefined ? {} : read(common)[scale]), ...settings(scale) });
}

export async function reproduce(experiment: Experiment, scale: Scale, settings: LabSettings): Promise<Reproduced> {
  const config = configOf(experiment, scale);
  // As it is kept and read again: findings and pages of a fresh outcome are those of a kept one.
  const outcome = JSON.parse(JSON.stringify(await experiment.run(config, new Lab(settings))));
  const findings = experiment.findings(outcome);
  return { name: experiment.name, scale, seed: settings.seed, config, outcome, findings };
}
