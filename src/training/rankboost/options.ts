/** The options of RankBoost. */
import { z } from 'zod';
import { PRIMARY_LABEL } from '../../data/primary-label.js';
import { patience } from '../shared-options.js';

export const rankboostOptions = z.strictObject({
  rounds: z.int().min(1).default(300).describe('Rounds, at most; each adds a stump.'),
  bins: z
    .int()
    .min(2)
    .max(255)
    .default(255)
    .describe('Bins of a feature, at most: thresholds are their edges. Missing values have one of their own.'),
  weights: z
    .enum(['pairs', 'queries'])
    .default('pairs')
    .describe('What weighs the same at the start: every pair, or every query, its pairs sharing its weight.'),
  labels: z.string().default(PRIMARY_LABEL).describe('The label source whose pairs are to be put in order.'),
  patience: patience('rounds', 0),
});

export type RankboostOptions = z.output<typeof rankboostOptions>;
