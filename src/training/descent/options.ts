/** The options of descent. Defaults are for people who do not want to tune; the papers' protocols are in `configs/`. */
import { z } from 'zod';
import { activations } from '../../kernels/layouts/dense.js';
import { patience, standardise } from '../shared-options.js';

const watched = z.enum(['training', 'validation', 'cost']);

const rate = z.number().gt(0).describe('Learning rate at the start.');

const common = {
  epochs: z.int().min(1).default(200).describe('Passes over the training data, at most.'),
  batch: z
    .union([z.int().min(1), z.enum(['all', 'auto'])])
    .default('auto')
    .describe(
      'Queries to an update: 1 is the papers’ update a query, all is one update an epoch, auto is 16 or fewer where that leaves under 20 updates an epoch, and 1 for approx(…) below 100 queries.',
    ),
  optimiser: z.enum(['adam', 'sgd']).default('adam').describe('Adam, or plain gradient steps.'),
  rate: rate.default(0.01),
  momentum: z.number().min(0).lt(1).default(0).describe('Momentum of plain gradient steps.'),
  decay: z.number().min(0).default(0).describe('Weight decay: each update shrinks the weights by rate times this.'),
  shuffle: z.boolean().default(true).describe('Whether queries come in a new random order each epoch.'),
  standardise,
  initial: z
    .number()
    .gt(0)
    .max(1e6)
    .default(1)
    .describe('First weights are uniform between minus and plus this over the square root of a unit’s inputs.'),
  patience: patience('epochs', 20),
  rateFactor: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('The rate is multiplied by this after an epoch that is worse than the one before; 1 leaves it.'),
  rateWatch: watched
    .default('training')
    .describe('What must be worse for that: a measure on the data named, or the cost.'),
  rateChance: z.number().gt(0).max(1).default(1).describe('With what probability it is done.'),
  restartAfter: z
    .int()
    .min(0)
    .default(0)
    .describe('Start again from new random weights after this many stalled epochs; 0 never does.'),
  restartWatch: watched.default('training').describe('What must have stalled for that.'),
  restartWhen: z
    .enum(['not-better', 'constant'])
    .default('not-better')
    .describe('Stalled is: no better than the best since the last start, or exactly the same.'),
  propagation: z
    .enum(['documents', 'pairs'])
    .default('documents')
    .describe(
      'One pass a document with its summed lambda, or both documents of every pair as RankNet first did (slow).',
    ),
};

export const linearOptions = z.strictObject(common);

export const netOptions = z.strictObject({
  hidden: z.array(z.int().min(1)).min(1).default([10]).describe('Units of each hidden layer.'),
  activation: z.enum(activations).default('tanh').describe('What hidden units do to their sum.'),
  ...common,
  rate: rate.default(0.003),
});

export type DescentOptions = z.output<typeof linearOptions>;

/** Below, an update a query for objectives that ask for it. */
const FEW_QUERIES = 100;

export function batchQueries(batch: DescentOptions['batch'], queries: number, updateAQuery = false): number {
  if (batch === 'all') return queries;
  if (batch !== 'auto') return Math.min(batch, queries);
  return updateAQuery && queries < FEW_QUERIES ? 1 : Math.max(1, Math.min(16, Math.floor(queries / 20)));
}
