/** The schema of model files (model-file.ts), for docs and for programs that write them. Reading needs it not. */
import { z } from 'zod';
import { dataDescription } from '../data/description-schema.js';
import { activations } from '../kernels/layouts/dense.js';

const numbers = z.array(z.number());
const wholes = z.array(z.int());
const flags = z.array(z.union([z.literal(0), z.literal(1)]));
const width = z.enum(['float32', 'float64']);
const values = (what: string) =>
  width.optional().describe(`float32: ${what} are 32-bit numbers, written as such (default float64).`);

const whole = z.int().min(0);
const distribution = z.object({
  edges: numbers.describe('Upper ends of all ranges of values but the last.'),
  shares: numbers.describe('The part of the documents in each range, then that without a value.'),
  range: z.tuple([z.number(), z.number()]).optional().describe('The smallest and the largest value.'),
});

const training = z.object({
  trainer: z.string().describe('The kind of model that was asked for.'),
  objective: z.string().optional(),
  select: z.string().describe('What the best iteration was selected by.'),
  options: z.record(z.string(), z.unknown()).describe('All options of the trainer, defaults included.'),
  seed: whole,
  best: z.object({ iteration: whole, values: z.array(z.number().nullable()) }),
  iterations: whole.describe('Iterations done.'),
  queries: whole.describe('Queries trained on.'),
  selectedOn: z.object({ data: z.enum(['validation', 'holdout', 'training']), queries: whole }),
  refitted: z
    .object({ iteration: whole, queries: whole })
    .optional()
    .describe('Where it was then trained again on all queries: to which iteration, on how many.'),
  sketch: z
    .object({ queries: whole, features: z.array(distribution), scores: distribution.extend({ queries: whole }) })
    .optional()
    .describe('How features and scores were distributed, one document of a query for all.'),
});

const common = {
  format: z.enum(['listwise/model/1', 'listwise/model/2', 'listwise/model/3']),
  featureNames: z.array(z.string()).describe('Each once, in the order in which the model counts features from 0.'),
  data: dataDescription
    .optional()
    .describe('How the data that the model was trained on was read; other data is read alike.'),
  training: training.optional().describe('How the model was trained; scores do not depend on it.'),
  checksum: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 over all other keys in their order, as compact JSON.'),
};

const tree = z
  .object({
    feature: wholes.describe('Feature of each split, the root first; parents before children.'),
    threshold: numbers.describe('32-bit numbers; values up to the threshold go left.'),
    missingLeft: flags.describe('1 where a missing value goes left.'),
    zeroMissing: flags.optional().describe('1 where a zero is a missing value too.'),
    leftLevels: z
      .array(z.object({ node: whole, levels: wholes }).strict())
      .optional()
      .describe(
        'Splits by category: the levels that go left, by the codes of the category; all others go right, and the threshold counts for nothing.',
      ),
    left: wholes.describe('Children; one below 0 is leaf -1 - child.'),
    right: wholes,
    value: numbers.describe('One a leaf: one more than there are splits.'),
    gain: numbers.describe('What each split gained in training.'),
    documents: numbers.describe('Training documents that came by each split, or their weight.'),
    leafDocuments: numbers.optional().describe('The same of each leaf, where known: for Shapley values.'),
  })
  .strict();

const trees = z
  .object({
    ...common,
    kind: z.literal('trees'),
    base: z.number(),
    sums: width.optional().describe('float32: the sum is rounded to 32 bits after every tree (default float64).'),
    values: values('values of leaves'),
    trees: z.array(tree),
  })
  .strict();

const linear = z
  .object({
    ...common,
    kind: z.literal('linear'),
    values: values('weights and bias'),
    weights: numbers,
    bias: z.number(),
    mean: numbers,
    scale: numbers.describe('The score is bias + sum of weight (x - mean) / scale.'),
    missing: numbers.describe('What a missing value counts as.'),
  })
  .strict();

const net = z
  .object({
    ...common,
    kind: z.literal('net'),
    values: values('parameters'),
    hidden: z.array(z.int().min(1)).min(1).describe('Units of each hidden layer.'),
    activation: z.enum(activations),
    mean: numbers,
    scale: numbers.describe('Features enter as (x - mean) / scale, missing ones as 0.'),
    parameters: numbers.describe(
      'Layer by layer: weights [unit][input], then biases; the last layer is one unit, the score.',
    ),
  })
  .strict();

export const modelFile = z.discriminatedUnion('kind', [trees, linear, net]);

export function modelSchema() {
  return z.toJSONSchema(modelFile);
}
