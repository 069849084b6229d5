/**
 * A method with several settings of any kind, of which validation data chooses: for trainers with and without
 * objectives.
 */
import { z } from 'zod';
import type { Ranker } from '../models/ranker.js';
import { type NamedSettings, trainNamed } from '../training/train.js';

export const trialsConfig = z.strictObject({
  name: z.string(),
  model: z.string(),
  trials: z.array(
    z.strictObject({
      objective: z.string().optional(),
      options: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});
export type Trials = z.output<typeof trialsConfig>;

export interface BestTrial {
  /** Number of the trial, and its best iteration. */
  readonly chosen: number;
  readonly iteration: number;
  /** Of every trial. */
  readonly validation: readonly number[];
  readonly model: Ranker;
}

/** Of equals the first. */
export async function bestTrial(
  { model, trials }: Pick<Trials, 'model' | 'trials'>,
  settings: Omit<NamedSettings, 'model' | 'objective' | 'options'>,
): Promise<BestTrial> {
  let best: Omit<BestTrial, 'validation'> | undefined;
  const validation: number[] = [];
  for (const [chosen, { objective, options }] of trials.entries()) {
    const trained = await trainNamed({ ...settings, model, objective, options });
    const value = trained.best.values[0]!;
    if (best === undefined || value > Math.max(...validation)) {
      best = { chosen, iteration: trained.best.iteration, model: trained.model };
    }
    validation.push(value);
  }
  return { ...best!, validation };
}
