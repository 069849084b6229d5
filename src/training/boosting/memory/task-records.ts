/** What the main thread tells the others, in the shared memory: written before a round of tasks, read by its tasks. */
import { defineRecord } from '../../../kernels/record.js';

/** The tree that is being grown. */
export const TREE = defineRecord({
  iteration: 'u32',
  /** Rows it is grown from: all, or the first of the index. */
  rows: 'u32',
  /** Leaves it has, once it is grown. */
  leaves: 'u32',
  /** 0 where every hessian counts as 1. */
  newton: 'u32',
  /** 1 where splits are by least squares of the lambdas. */
  squares: 'u32',
  /** 1 where each feature of a node has one threshold, drawn at random. */
  randomThresholds: 'u32',
  leastDocuments: 'u32',
  leastHessian: 'f64',
  leastGain: 'f64',
  l1: 'f64',
  l2: 'f64',
  maxStep: 'f64',
  pathSmoothing: 'f64',
  /** Of splits by category. */
  levelSmoothing: 'f64',
  leastLevel: 'u32',
  oneHotLevels: 'u32',
  /** From lambdas and hessians to the integers of histograms, and of exact sums. */
  lambdaScale: 'f64',
  hessianScale: 'f64',
  exactLambdaScale: 'f64',
  exactHessianScale: 'f64',
});

/** Blocks of features that become bins: from one on to before another, of training or (1) validation data. */
export const BINNING = defineRecord({ validation: 'u32', first: 'u32', last: 'u32' });

/** How rows are sampled by their lambdas; see one-side.ts. */
export const ONE_SIDE = defineRecord({ threshold: 'f64', chance: 'f64', key: 'u32' });

/** A leaf whose rows go to its two children: the left one is that leaf from then on, the right one a new leaf. */
export const DIVISION = defineRecord({
  leaf: 'u32',
  newLeaf: 'u32',
  /** Where the bins of the feature it is split by begin, and the power of two of bytes from row to row. */
  bins: 'u32',
  binsShift: 'u32',
  /** 1 where bins are 16-bit numbers, side by side. */
  wide: 'u32',
});

/** Nodes whose histograms and best splits are wanted: the root, or two children of which the smaller one is built. */
export const CHILDREN = defineRecord({
  /** 1 where there are two, and the other one is the parent less the first. */
  two: 'u32',
  /** 1 where what threads added up of the first one's rows is in its slot already, with that of other ranks. */
  summed: 'u32',
  /** 1 where all rows were added up. */
  whole: 'u32',
  /** Tasks of this rank begin with this tile. */
  firstTile: 'u32',
  /** The first one as a leaf: its rows are added up; -1 where no histogram is wanted. */
  leaf: 'i32',
  /** Where its histogram goes. */
  slot: 'u32',
});
