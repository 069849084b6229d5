/** The options of training, shared by all commands that train. */
import { kebab } from '../../errors.js';
import { trainers } from '../../training/all.js';
import { optionProperties } from '../../training/options.js';
import { DEFAULT_OBJECTIVE, DEFAULT_SELECT } from '../../training/train.js';
import type { Trainer } from '../../training/trainer.js';
import { globalOptions } from '../command/command.js';
import { choice, list, number, text, whole } from '../command/option.js';
import { loadOption } from './evaluation.js';

const all = Object.values<Trainer>(trainers);
export const DEFAULT_KIND = all[0]!.name;
const ownDefaults = all
  .filter(trainer => trainer.objective !== undefined)
  .map(trainer => `${trainer.name}: ${trainer.objective}`)
  .join('; ');

/** What help says of --set. */
export const trainNotes: readonly string[] = [
  'Options of the trainers (--set; docs/training-options.md says what they do):',
  ...all.map(trainer => `  ${trainer.name}: ${Object.keys(optionProperties(trainer)).map(kebab).join(' ')}`),
];

/** Training has a seed in its config file, too. */
const seedOption = {
  seed: whole('seed of everything random (default: what --config says, or 1)', {
    least: 0,
    group: globalOptions.seed.group!,
  }),
};

export const trainOptions = {
  model: choice(trainers, 'kind', `kind of model (default: ${DEFAULT_KIND})`),
  objective: text('spec', `what to train for (default: ${DEFAULT_OBJECTIVE}; ${ownDefaults})`),
  select: text('spec', `what the best iteration is selected by (default: ${DEFAULT_SELECT})`),
  set: list('key=value', 'an option of the trainer, see below; repeatable'),
  ...loadOption,
  config: text('file', 'a protocol as JSON (--schema prints its schema); flags go before it'),
  ...seedOption,
};

export function holdoutOption(description: string) {
  return { holdout: number('share', description, { least: 0, below: 1 }) };
}

/** Kinds of model that are trained by an objective. */
export const kindsWithObjective = all.filter(({ needs }) => needs === 'objective').map(({ name }) => name);
export const ANALYSED_KIND = 'linear';

/** Of analyses that train models by an objective. */
export const analysedTraining = {
  model: choice(kindsWithObjective, 'kind', `kind of model (default: ${ANALYSED_KIND})`),
  set: list('key=value', 'an option of the trainer; repeatable'),
  config: text('file', 'a protocol as JSON, as for train; flags go before it'),
  ...seedOption,
};

export function validateOption(otherwise: string) {
  const description = `data to select the best iteration on (default: ${otherwise})`;
  return { validate: text('data', description, { reads: true }) };
}

/** For analyses that take several objectives. */
export function objectivesOption(standard: string) {
  const description = `an objective; repeat to compare several (default: ${standard})`;
  return { objective: list('spec', description) };
}
