/** The flags of analyses that train models by an objective. */
import { trainers } from '../../training/all.js';
import { optionsFromText } from '../../training/options.js';
import { trainerOf } from '../../training/train.js';
import type { CommandOption, OptionValues } from '../command.js';

const kinds = Object.values(trainers).filter(({ needs }) => needs === 'objective');

export const trainingOptions: readonly CommandOption[] = [
  { flags: '--model <kind>', description: 'kind of model', default: 'linear', choices: kinds.map(({ name }) => name) },
  { flags: '--set <key=value>', description: 'an option of the trainer; repeatable', repeat: true },
];

/** The kind of model and the options of its trainer, checked. */
export function readTraining(options: OptionValues): { model: string; options: Readonly<Record<string, unknown>> } {
  const model = options.model as string;
  return { model, options: optionsFromText(trainerOf(model), (options.set as string[] | undefined) ?? []) };
}
