/** Hyper-parameters chosen on validation data only: every rate and objective from several random starts. */
import type { Ranker } from '../models/ranker.js';
import { type NamedSettings, trainNamed } from '../training/train.js';

/** Seeds of the starts of one search are this far apart, so that searches from neighbouring seeds share none. */
export const SEED_STEP = 1000;

export interface Grid {
  readonly objectives: readonly string[];
  readonly rates: readonly number[];
  /** Random starts for each of them. */
  readonly starts?: number | undefined;
}

export interface Trial {
  readonly objective: string;
  readonly rate: number;
  readonly seed: number;
  /** The best iteration of this training, and its value on the validation data. */
  readonly iteration: number;
  readonly validation: number;
  readonly iterations: number;
  /** Pairs (or documents) with a lambda in its last iteration, where they are followed. */
  readonly pairs?: number | undefined;
}

export interface Searched {
  readonly chosen: Trial;
  readonly model: Ranker;
  readonly trials: readonly Trial[];
}

/** Of equals the first. The measure that selects the iteration also selects the trial. */
export async function bestOnValidation(
  { objectives, rates, starts = 1 }: Grid,
  settings: Omit<NamedSettings, 'objective'>,
): Promise<Searched> {
  let best: { chosen: Trial; model: Ranker } | undefined;
  const trials: Trial[] = [];
  for (const objective of objectives) {
    for (const rate of rates) {
      for (let start = 0; start < starts; start++) {
        const seed = (settings.seed ?? 1) + SEED_STEP * start;
        const options = { ...settings.options, rate };
        const { best: found, iterations, model } = await trainNamed({ ...settings, objective, options, seed });
        const trial: Trial = {
          objective,
          rate,
          seed,
          iterations,
          iteration: found.iteration,
          validation: found.values[0]!,
        };
        trials.push(trial);
        if (best === undefined || trial.validation > best.chosen.validation) best = { chosen: trial, model };
      }
    }
  }
  return { ...best!, trials };
}
