/** From options and config file to what training takes. */
import { readFile } from 'node:fs/promises';
import { unreadable } from '../../io/unreadable.js';
import { trainerOf } from '../../training/all.js';
import { parseConfig, type TrainConfig } from '../../training/config.js';
import { optionsFromText } from '../../training/options.js';
import { DEFAULT_HOLDOUT, type NamedSettings } from '../../training/train.js';
import type { settleSettings } from '../../training/train-settled.js';
import type { GlobalValues } from '../command/command.js';
import { type OptionValues, usage } from '../command/option.js';
import {
  ANALYSED_KIND,
  type analysedTraining,
  DEFAULT_KIND,
  kindsWithObjective,
  type trainOptions,
} from '../options/training.js';
import type { Output } from '../output.js';

export type Settings = Omit<NamedSettings, 'data'> & { readonly seed: number };
export type SettledTraining = ReturnType<typeof settleSettings<Settings>>;

type TrainValues = OptionValues<typeof trainOptions> &
  Pick<GlobalValues, 'threads'> & {
    readonly measure: readonly string[];
    readonly holdout: number | undefined;
    readonly validate?: string | undefined;
    readonly checkpoint?: string | undefined;
    readonly refit?: boolean;
    readonly resume?: boolean;
  };

/** What options and config file say of training; options go first. */
export async function trainSettings(options: TrainValues): Promise<Settings> {
  const config: Partial<TrainConfig> = options.config === undefined ? {} : await readConfig(options.config);
  const model = options.model ?? config.model ?? DEFAULT_KIND;
  const given = optionsFromText(trainerOf(model), options.set);
  const { checkpoint: directory, resume = false } = options;
  return {
    model,
    seed: options.seed ?? config.seed ?? 1,
    objective: options.objective ?? config.objective,
    select: options.select ?? config.select,
    measures: options.measure.length > 0 ? options.measure.join(',') : config.measure,
    holdout: options.holdout ?? (options.validate === undefined ? config.holdout : undefined),
    options: { ...(config.model === model ? config.options : {}), ...given },
    refit: options.refit,
    threads: options.threads,
    modules: options.load,
    checkpoint: directory === undefined ? undefined : { directory, resume },
  };
}

/** All that decides how training goes, defaults included, for the record of a run. */
export function settledOptions(
  settings: SettledTraining,
  { validate, from, config }: { validate?: string | undefined; from?: string | undefined; config: string | undefined },
) {
  const { model, objective, select, measures: measure, holdout, refit, threads, modules } = settings;
  return {
    model,
    ...(objective !== undefined && { objective }),
    select,
    measure,
    ...(validate === undefined ? { holdout: holdout ?? DEFAULT_HOLDOUT } : { validate }),
    ...(refit && { refit }),
    from,
    config,
    load: modules,
    threads,
    options: settings.options,
  };
}

export async function readConfig(file: string): Promise<TrainConfig> {
  const text = await readFile(file, 'utf8').catch(error => {
    throw unreadable(file, error, 'no such config file');
  });
  return parseConfig(text, file);
}

/** What an analysis trains. */
export interface Training {
  readonly model: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  /** What the config file says besides. */
  readonly objective: string | undefined;
}

/** The kind of model and its trainer's options, checked. Keys of a config file that are not used are noted. */
export async function readTraining(
  options: OptionValues<typeof analysedTraining>,
  output: Output,
  settled: readonly (keyof TrainConfig)[],
): Promise<Training> {
  const { config: file, set, seed } = options;
  const config: Partial<TrainConfig> = file === undefined ? {} : await readConfig(file);
  const model = options.model ?? config.model ?? ANALYSED_KIND;
  if (!kindsWithObjective.includes(model)) {
    throw usage(`${model} models have no objective; kinds that do: ${kindsWithObjective.join(', ')}`);
  }
  const left = settled.filter(key => config[key] !== undefined);
  if (left.length > 0) output.note(`${file}: not used here, where the analysis itself says: ${left.join(', ')}`);
  return {
    model,
    options: { ...(config.model === model ? config.options : {}), ...optionsFromText(trainerOf(model), set) },
    seed: seed ?? config.seed ?? 1,
    objective: config.objective,
  };
}
