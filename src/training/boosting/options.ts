/** The options of boosted trees. */
import { z } from 'zod';
import { kebab } from '../../errors.js';
import type { Objective } from '../../objectives/objective.js';
import { patience } from '../shared-options.js';

/** Children of a node are 16-bit numbers. */
const MOST_LEAVES = 32767;

/** What a click says of a document is mostly chance: many must agree. */
const MORE_OF_CLICKS = 20;

export const treeOptions = z.strictObject({
  trees: z.int().min(1).default(500).describe('Trees, at most.'),
  leaves: z
    .union([z.int().min(2).max(MOST_LEAVES), z.literal('auto')])
    .default('auto')
    .describe(
      'Leaves of a tree, at most; auto is as many as depth allows where that is given, else 31 for 190,000 documents or more and fewer for less.',
    ),
  depth: z.int().min(0).default(0).describe('Levels of splits, at most; 0 for no limit.'),
  rate: z.number().gt(0).default(0.1).describe('Shrinkage: leaf values are multiplied by this.'),
  bins: z
    .int()
    .min(2)
    .max(255)
    .default(255)
    .describe('Bins of a feature, at most; missing values have one of their own.'),
  minDocuments: z
    .union([z.int().min(1), z.literal('auto')])
    .default('auto')
    .describe('Documents of a leaf, at least; auto is 50 for 10,000 documents or more and fewer for less.'),
  minHessian: z.number().min(0).default(0.001).describe('Sum of hessians of a leaf, at least.'),
  minGain: z.number().min(0).default(0).describe('What a split must gain, at least.'),
  l2: z
    .number()
    .min(0)
    .default(1)
    .describe(
      `Added to the sum of hessians: draws leaf values towards 0; ${MORE_OF_CLICKS} times as much for the likelihood of clicks, as debias(…) has it.`,
    ),
  l1: z.number().min(0).default(0).describe('Taken off the size of the sum of lambdas: leaf values below it are 0.'),
  maxStep: z
    .number()
    .min(0)
    .default(0)
    .describe('The largest leaf value before the rate, in either direction; 0 for no limit.'),
  pathSmoothing: z
    .number()
    .min(0)
    .default(0)
    .describe('Draws a node towards the node above, as if so many documents had the value of that.'),
  step: z
    .enum(['auto', 'newton', 'gradient'])
    .default('auto')
    .describe(
      'Leaf values: sum of lambdas over sum of hessians, or mean lambda; auto is newton where the objective has hessian.',
    ),
  split: z
    .enum(['step', 'squares'])
    .default('step')
    .describe(
      'Splits are where leaf values of that step gain most, or by least squares of the lambdas whatever the step, as the papers’ trees.',
    ),
  monotone: z
    // As a number, -0 has lost its sign: it is no feature 0 going up.
    .array(z.union([z.string(), z.number().refine(feature => !Object.is(feature, -0))]))
    .default([])
    .describe('Features with which scores never fall (+NAME) or never rise (-NAME), such as +rating,-price.'),
  interactions: z
    .array(z.union([z.string(), z.number()]))
    .default([])
    .describe(
      'Groups of features that may meet on a path of a tree, such as title+body,price+rating; others are alone on theirs.',
    ),
  oneHotLevels: z
    .int()
    .min(0)
    .default(4)
    .describe('Categories of at most so many levels are split one level from the others; above, by the best set.'),
  minLevelDocuments: z
    .int()
    .min(1)
    .default(10)
    .describe('Documents that a level of a category must have in a node to be told from missing and unknown ones.'),
  levelSmoothing: z
    .number()
    .min(0)
    .default(10)
    .describe(
      'Draws levels of a category together: the weight of so many documents without a lambda is added to each.',
    ),
  featureShare: z.number().gt(0).max(1).default(1).describe('Share of the features that each tree may use.'),
  nodeFeatureShare: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('Share of the features of a tree that each of its nodes may be split by.'),
  randomThresholds: z
    .boolean()
    .default(false)
    .describe(
      'Extremely randomised trees: each feature has one threshold in a node, drawn at random; sets of levels are the best.',
    ),
  queryShare: z.number().gt(0).max(1).default(1).describe('Share of the queries that each tree is grown from.'),
  topShare: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('Gradient-based sampling: share of the documents with the largest lambdas that each tree is grown from.'),
  otherShare: z
    .number()
    .gt(0)
    .max(1)
    .default(0.1)
    .describe('Share of all documents that each tree takes besides, from the others, where top-share is below 1.'),
  dropRate: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('Dropout of trees (DART): the share of the trees so far that each tree is grown without; 0 for none.'),
  maxDrop: z.int().min(0).default(50).describe('Trees that are dropped for another, at most; 0 for no limit.'),
  skipDrop: z.number().min(0).max(1).default(0.5).describe('The chance that none are dropped for a tree.'),
  uniformDrop: z
    .boolean()
    .default(false)
    .describe('Whether every tree is as likely to be dropped as another; else those with more weight are more likely.'),
  dropNormalise: z
    .enum(['paper', 'tree', 'forest'])
    .default('paper')
    .describe(
      'Weights of a new tree and of the k dropped for it: 1/(k+1) and k/(k+1), as LightGBM; 1/(k+rate) and k/(k+rate); or 1/(1+rate) for both.',
    ),
  refitDecay: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe(
      'Below 1, no tree is grown: leaf values of the model to go on from become this share of themselves and the rest of what this data gives.',
    ),
  patience: patience('trees', 50),
  evaluateEvery: z
    .int()
    .min(0)
    .default(1)
    .describe(
      'Evaluate on the selecting data after every so many trees; 0 evaluates the last tree alone and keeps all.',
    ),
  diagnostics: z
    .boolean()
    .default(false)
    .describe(
      'Whether the log tells how the parts of the objective agree, where the lambdas go and come from, and what changes rank.',
    ),
});

/** Of a forest: each tree from a bootstrap's worth of queries and a third of the features. */
export const forestOptions = treeOptions
  .pick({
    trees: true,
    leaves: true,
    depth: true,
    bins: true,
    minDocuments: true,
    minHessian: true,
    minGain: true,
    monotone: true,
    interactions: true,
    oneHotLevels: true,
    minLevelDocuments: true,
    levelSmoothing: true,
    nodeFeatureShare: true,
    randomThresholds: true,
  })
  .extend({
    trees: treeOptions.shape.trees.unwrap().default(300).describe('Trees.'),
    leaves: z.int().min(2).max(MOST_LEAVES).default(255).describe('Leaves of a tree, at most.'),
    minDocuments: z.int().min(1).default(5).describe('Documents of a leaf, at least.'),
    featureShare: treeOptions.shape.featureShare
      .unwrap()
      .default(0.33)
      .describe('Share of the features that each tree may use.'),
    queryShare: treeOptions.shape.queryShare
      .unwrap()
      .default(0.632)
      .describe('Share of the queries that each tree is grown from.'),
  });

/** Options with what is `auto` settled. */
export type TreeOptions = Omit<z.output<typeof treeOptions>, 'leaves' | 'minDocuments'> & {
  readonly leaves: number;
  readonly minDocuments: number;
};

/** Options that say more about another, and change nothing where that one is at its default. */
const MORE_ABOUT = {
  dropRate: ['maxDrop', 'skipDrop', 'uniformDrop', 'dropNormalise'],
  topShare: ['otherShare'],
} as const satisfies Partial<Record<keyof TreeOptions, readonly (keyof TreeOptions)[]>>;

/** A sentence for each option that was changed and has no effect as long as another one is at its default. */
export function withoutEffect(options: TreeOptions): string[] {
  const defaults: TreeOptions = settleOptions(treeOptions.parse({}), 0);
  return Object.entries(MORE_ABOUT).flatMap(([name, others]) => {
    const about = name as keyof typeof MORE_ABOUT;
    if (options[about] !== defaults[about]) return [];
    const changed = others.filter(other => options[other] !== defaults[other]);
    return changed.map(other => {
      const found = `${kebab(other)} = ${options[other]}`;
      return `${found} changes nothing as ${kebab(about)} is ${options[about]}; set ${kebab(about)}, or leave ${kebab(other)} out`;
    });
  });
}

/**
 * Small data cannot carry big trees: with the square root of the documents, 10,000 get 7 leaves. In a sum of
 * objectives, lambdas of other parts have a size of their own: there l2 is as given.
 */
export function settleOptions(
  options: z.output<typeof treeOptions>,
  documents: number,
  objective?: Objective,
): TreeOptions {
  const { depth } = options;
  const leastDocuments = Math.min(50, Math.max(5, Math.round(documents / 200)));
  const minDocuments = options.minDocuments === 'auto' ? leastDocuments : options.minDocuments;
  const bySize = Math.min(31, Math.max(4, Math.round(Math.sqrt(documents) / 14)));
  const auto = depth > 0 ? MOST_LEAVES : bySize;
  // No tree has more: memory need not be set aside for them.
  const most = Math.max(2, Math.min(2 ** (depth || Infinity), Math.floor(documents / minDocuments)));
  const leaves = Math.min(most, options.leaves === 'auto' ? auto : options.leaves);
  const ofClicks = objective?.readsPositions && objective.likelihood;
  return { ...options, minDocuments, l2: options.l2 * (ofClicks ? MORE_OF_CLICKS : 1), leaves };
}
