/** The options of training, shared by all commands that train. */
import { kebab } from '../../errors.js';
import { trainers } from '../../training/all.js';
import { optionNamed, optionProperties } from '../../training/options.js';
import { DEFAULT_OBJECTIVE, DEFAULT_SELECT } from '../../training/train.js';
import type { Trainer } from '../../training/trainer.js';
import { globalOptions } from '../command/command.js';
import { choice, flag, list, number, splitPair, text, whole } from '../command/option.js';
import { loadOption, measureNames } from './evaluation.js';

const all = Object.values<Trainer>(trainers);
export const DEFAULT_KIND = all[0]!.name;

/** What each kind is trained for where nothing is said, that of the default kind first. */
const objectives = all
  .filter(({ needs, objective }) => needs === 'objective' || objective !== undefined)
  .map(({ name, objective = DEFAULT_OBJECTIVE }) => `${name}: ${objective}`)
  .join('; ');

/** What help says of --set. */
export const trainNotes: readonly string[] = [
  'Options of the trainers (--set; docs/training-options.md says what they do):',
  ...all.map(trainer => `  ${trainer.name}: ${Object.keys(optionProperties(trainer)).map(kebab).join(' ')}`),
];

/** An option of a trainer given as a flag: that of the model's kind, or of the first kind that has it. */
function asSetting(flag: string, value: string | undefined, given: ReadonlyMap<string, readonly string[]>) {
  const asked = given.get('model')?.at(-1) ?? DEFAULT_KIND;
  const [first, ...others] = all.filter(trainer => optionNamed(trainer, flag) !== undefined);
  const kind = [first, ...others].find(trainer => trainer?.name === asked) ?? first;
  if (kind === undefined) return undefined;
  const line = `--set ${kebab(optionNamed(kind, flag)!)}=${value ?? 'VALUE'}`;
  const other = kind.name === asked ? '' : `; it belongs to --model ${kind.name}`;
  return `options of the trainer are given with --set: ${line}${other}`;
}

/** Which columns are categories is no option of a trainer, though scripts give it as one: it says how data is read. */
function asCategory(setting: string): readonly [string, string] | undefined {
  const [key, columns] = splitPair(setting);
  return key === 'categorical' && columns ? ['category', columns] : undefined;
}

export const setOption = {
  set: list('key=value', 'an option of the trainer, see below; repeatable', {
    instead: asSetting,
    elsewhere: asCategory,
  }),
};

/** Conventions of other systems are for evaluating. */
function asSelect(flag: string): string | undefined {
  if (flag !== 'preset') return undefined;
  return "conventions of other systems are for evaluate and compare; here write them in the measure: --select 'ndcg(gain=linear)@10'";
}

/** Training has a seed in its config file, too. */
const seedOption = {
  seed: whole('seed of everything random (default: what --config says, or 1)', {
    least: 0,
    group: globalOptions.seed.group!,
  }),
};

export const trainOptions = {
  model: choice(trainers, 'kind', `kind of model (default: ${DEFAULT_KIND})`),
  objective: text('spec', `what to train for (default: ${objectives})`),
  select: text('spec', `what the best iteration is selected by (default: ${DEFAULT_SELECT})`, {
    tried: ['metric', 'eval-metric', 'eval-at'],
    instead: asSelect,
    suggests: measureNames,
  }),
  ...setOption,
  ...loadOption,
  config: text('file', 'a protocol as JSON (--schema prints its schema); flags override what it says'),
  ...seedOption,
};

export function holdoutOption(description: string) {
  return { holdout: number('share', description, { least: 0, below: 1 }) };
}

export const refitOption = {
  refit: flag('train again on all queries, those held out or validated on included, to the iteration found'),
};

/** Kinds of model that are trained by an objective. */
export const kindsWithObjective = all.filter(({ needs }) => needs === 'objective').map(({ name }) => name);
export const ANALYSED_KIND = 'linear';

/** Of analyses that train models by an objective. */
export const analysedTraining = {
  model: choice(kindsWithObjective, 'kind', `kind of model (default: ${ANALYSED_KIND})`),
  set: { ...setOption.set, description: 'an option of the trainer; repeatable' },
  config: text('file', 'a protocol as JSON, as for train; flags override what it says'),
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
