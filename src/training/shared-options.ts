/** Options that several trainers have. */
import { z } from 'zod';
import { SELECTING } from './trainer.js';

export const standardise = z
  .boolean()
  .default(true)
  .describe('Whether features are shifted to mean 0 and scaled to deviation 1; both are kept in the model.');

export function trainedMeasure(which: string) {
  return z
    .string()
    .default(SELECTING)
    .describe(`What is trained for: ${which}; ${SELECTING} is the one that the best iteration is selected by.`);
}

/** The loop follows it; `iterations` is what they are called. */
export function patience(iterations: string, standard: number) {
  return z
    .int()
    .min(0)
    .default(standard)
    .describe(`Stop after this many ${iterations} without a better one on the selecting data; 0 never stops early.`);
}
