/** The options of the structural SVMs. */
import { z } from 'zod';
import { PRIMARY_LABEL } from '../../data/primary-label.js';
import { standardise } from '../shared-options.js';

export const svmOptions = z.strictObject({
  loss: z
    .enum(['pairs', 'ap', 'ndcg', 'rr'])
    .default('pairs')
    .describe('pairs is the Ranking SVM; the others bound 1 less average precision, NDCG and reciprocal rank.'),
  c: z.number().gt(0).default(1).describe('What the mean loss of a query weighs against half the squared weights.'),
  gap: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.001)
    .describe('The run ends when primal and dual differ by no more than this share of the primal.'),
  rounds: z.int().min(1).default(2000).describe('Rounds, at most; each adds a cutting plane.'),
  rel: z
    .number()
    .default(1)
    .describe('ap, rr and ndcg by pairs: a document is relevant when its label is at least this.'),
  form: z
    .enum(['pairs', 'positions'])
    .default('pairs')
    .describe(
      'ndcg: by pairs of relevant and other documents (Chakrabarti et al. 2008), or by positions, for grades (Chapelle et al. 2007).',
    ),
  positions: z
    .enum(['linear', 'root'])
    .default('linear')
    .describe(
      'ndcg by positions: what a rank weighs, max(0, cut + 1 - rank), or 1 / sqrt(rank + 1), which takes much longer where queries are long.',
    ),
  cut: z.int().min(1).default(10).describe('ndcg by positions: the cut of positions=linear.'),
  scale: z
    .enum(['queries', 'pairs'])
    .default('queries')
    .describe('pairs: whether queries weigh the same, or pairs of all queries do.'),
  labels: z.string().default(PRIMARY_LABEL).describe('The label source to learn from.'),
  standardise,
});

export type SvmOptions = z.output<typeof svmOptions>;
