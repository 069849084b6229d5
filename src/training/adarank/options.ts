/** The options of AdaRank. */
import { z } from 'zod';
import { SELECTING } from '../trainer.js';

export const adarankOptions = z.strictObject({
  rounds: z.int().min(1).default(500).describe('Rounds, at most; each adds a weight to one feature.'),
  measure: z
    .string()
    .default(SELECTING)
    .describe(
      'What is trained for: any measure between 0 and 1 ; select is the one that the best iteration is selected by.',
    ),
  directions: z
    .enum(['up', 'both'])
    .default('both')
    .describe('Whether weak rankers put high values of a feature first, or low ones where that is better.'),
  aside: z
    .int()
    .min(0)
    .default(2)
    .describe(
      'A feature that was chosen this many times running is set aside until the training measure is better than ever; 0 never does.',
    ),
  tolerance: z.number().min(0).default(0.0001).describe('What the training measure must rise by to count as better.'),
  stall: z
    .int()
    .min(0)
    .default(50)
    .describe('Stop when the training measure has not been better for this many rounds; 0 never does.'),
  standardise: z
    .boolean()
    .default(true)
    .describe('Whether features are shifted to mean 0 and scaled to deviation 1; the figures are kept in the model.'),
  patience: z
    .int()
    .min(0)
    .default(0)
    .describe('Stop after this many rounds without a better one on the selecting data; 0 never stops early.'),
});

export type AdarankOptions = z.output<typeof adarankOptions>;
