/** The kinds of tasks of a boosting run, and the numbers that a round of them is about. */

/** Kinds of tasks, by number. */
export const TASK = {
  /** Edges of feature t from the sample. */
  edges: 0,
  /** Bins of tile t, training and validation. */
  bin: 1,
  /** Row-major copy of rows, in parts. */
  rows: 2,
  /** Lambdas of the queries of part t, and their magnitudes. */
  lambdas: 3,
  /** Records of part t. */
  quantise: 4,
  /** Histogram of all rows and best splits, tile t. */
  root: 5,
  /** Histograms and best splits of two children, share t of the tiles. */
  children: 6,
  /** Exact sums of leaf t. */
  leafSums: 7,
  /** Value of leaf t to its rows. */
  addLeaf: 8,
  /** The tree to part t of the validation rows. */
  addTree: 9,
  /** The tree to part t of the training rows. */
  addTreeToAll: 10,
  /** Rows of chunk t by the side they go to. */
  partition: 11,
  /** Rows of chunk t to their places in the children. */
  place: 12,
  /** Values of the queries of part t of the data that selects. */
  evaluate: 13,
  /** Values of the queries of part t of the training data. */
  evaluateTraining: 14,
  /** Histogram of share t of the smaller child's rows, all tiles. */
  childRows: 15,
} as const;

/** Numbers that a round is about, in shared memory, set by the main thread. */
export interface TaskNumbers {
  readonly whole: Int32Array;
  readonly real: Float64Array;
}

export const WHOLE = {
  iteration: 0,
  rows: 1,
  start: 2,
  documents: 3,
  smallSlot: 4,
  parentSlot: 5,
  /** Shares of the tiles, or of the rows where children are shared out by rows. */
  shares: 6,
  /** Sums of the node, or of the small child: lambda, hessian, documents. */
  lambda: 7,
  hessian: 8,
  count: 9,
  otherLambda: 10,
  otherHessian: 11,
  otherCount: 12,
  leastDocuments: 13,
  /** 0 where every hessian counts as 1. */
  newton: 14,
  /**
   * Where the bins of the feature that a node is split by begin, and the power of two of bytes from one row's to the
   * next.
   */
  bins: 15,
  binsShift: 16,
  /** 1 where splits are by least squares of the lambdas. */
  squares: 17,
  /** Whether the histogram of the smaller child lies in parts, one a share of its rows. */
  byRows: 18,
  leaves: 19,
} as const;

export const REAL = {
  lambdaScale: 0,
  hessianScale: 1,
  l2: 2,
  leastHessian: 3,
  leastGain: 4,
  exactLambdaScale: 5,
  exactHessianScale: 6,
} as const;

export function createNumbers(leaves: number): TaskNumbers {
  return {
    whole: new Int32Array(new SharedArrayBuffer(4 * (WHOLE.leaves + 2 * leaves))),
    real: new Float64Array(new SharedArrayBuffer(8 * 8)),
  };
}
