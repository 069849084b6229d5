/** The options of AdaRank. */
import { z } from 'zod';
import { patience, standardise, trainedMeasure } from '../shared-options.js';

export const adarankOptions = z.strictObject({
  rounds: z.int().min(1).default(500).describe('Rounds, at most; each adds a weight to one feature.'),
  measure: trainedMeasure('any measure between 0 and 1'),
  directions: z
    .enum(['up', 'both'])
    .default('both')
    .describe('Whether weak rankers put high values of a feature first, or low ones where that is better.'),
  aside: z
    .int()
    .min(0)
    .default(2)
    .describe(
      'A feature that was chosen this many times running, in whichever direction, is set aside until the training measure is better than ever; 0 never does.',
    ),
  tolerance: z.number().min(0).default(0.0001).describe('What the training measure must rise by to count as better.'),
  stall: z
    .int()
    .min(0)
    .default(200)
    .describe('Stop when the training measure has not been better for this many rounds; 0 never does.'),
  standardise,
  patience: patience('rounds', 0),
});

export type AdarankOptions = z.output<typeof adarankOptions>;
