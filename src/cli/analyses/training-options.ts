/** The flags of analyses that train models by an objective. */
import { trainers } from '../../training/all.js';
import type { TrainConfig } from '../../training/config.js';
import { optionsFromText } from '../../training/options.js';
import { trainerOf } from '../../training/train.js';
import type { CommandOption, OptionValues } from '../command.js';
import { readConfig } from '../commands/train.js';
import { usage } from '../contradictions.js';
import { wholeNumber } from '../data-options.js';
import type { Output } from '../output.js';

const kinds = Object.values(trainers)
  .filter(({ needs }) => needs === 'objective')
  .map(({ name }): string => name);
const DEFAULT_KIND = 'linear';

export const trainingOptions: readonly CommandOption[] = [
  { flags: '--model <kind>', description: `kind of model (default: ${DEFAULT_KIND})`, choices: kinds },
  { flags: '--set <key=value>', description: 'an option of the trainer; repeatable', repeat: true },
  { flags: '--config <file>', description: 'a protocol as JSON, as for train; flags go before it' },
];

/** One flag of several analyses: what it is for each where it is left out. */
export const validateOption: CommandOption = {
  flags: '--validate <data>',
  description:
    'data to select the best iteration on (default: for advise a fifth of DATA, for approximation DATA itself)',
};

export interface Training {
  readonly model: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  /** What the config file says besides. */
  readonly objective: string | undefined;
}

/**
 * The kind of model and the options of its trainer, checked. Keys of a config file that say what the analysis settles
 * are noted.
 */
export async function readTraining(
  options: OptionValues,
  output: Output,
  settled: readonly (keyof TrainConfig)[],
): Promise<Training> {
  const file = options.config as string | undefined;
  const config: Partial<TrainConfig> = file === undefined ? {} : await readConfig(file);
  const model = (options.model as string | undefined) ?? config.model ?? DEFAULT_KIND;
  if (!kinds.includes(model)) throw usage(`${model} models have no objective; kinds that do: ${kinds.join(', ')}`);
  const left = settled.filter(key => config[key] !== undefined);
  if (left.length > 0) output.note(`${file}: not used here, where the analysis itself says: ${left.join(', ')}`);
  const given = optionsFromText(trainerOf(model), (options.set as string[] | undefined) ?? []);
  return {
    model,
    options: { ...(config.model === model ? config.options : {}), ...given },
    // A default is a number, what was written is text.
    seed: typeof options.seed === 'string' ? wholeNumber(options, 'seed', 0)! : (config.seed ?? 1),
    objective: config.objective,
  };
}
