/** The options of coordinate ascent. */
import { z } from 'zod';
import { patience, standardise, trainedMeasure } from '../shared-options.js';

export const coordinateOptions = z.strictObject({
  cycles: z.int().min(1).default(100).describe('Cycles over all directions, at most, those after restarts included.'),
  measure: trainedMeasure('any measure'),
  restarts: z
    .int()
    .min(0)
    .default(5)
    .describe('How often to start again from random weights once all directions in a row gain nothing more.'),
  tolerance: z
    .number()
    .min(0)
    .default(0.001)
    .describe('What all directions together, one after the other, must gain in the training measure to go on.'),
  random: z.int().min(0).default(0).describe('Random directions to search along in each cycle, after the features.'),
  gradient: z
    .boolean()
    .default(false)
    .describe('Whether to search along the gradient of the objective, which must be given, too, once a cycle.'),
  global: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      'With two or three features: whether to look at every ranking there can be, for the best of all; auto does where that is quick.',
    ),
  standardise,
  patience: patience('cycles', 0),
});

export type CoordinateOptions = z.output<typeof coordinateOptions>;
