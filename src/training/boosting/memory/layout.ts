/**
 * Where everything lies in the one shared memory of a boosting run. Sizes follow from the data and the options;
 * addresses are bytes, each region on a cache line of its own.
 */
import { ListwiseError } from '../../../errors.js';
import { BLOCK_ROWS, SPLIT, TILE_BYTES } from '../../../kernels/layouts/boosting.js';
import { strideOf } from '../binning/columns.js';

/** Rows of a node that one task takes to its children. */
export const CHUNK_ROWS = 4096;

export interface LayoutSizes {
  rows: number;
  validationRows: number;
  features: number;
  leaves: number;
  queries: number;
  /** Tasks whose sums of magnitudes are kept apart. */
  parts: number;
  /** The longest query. */
  longest: number;
  threads: number;
  /** Rows that bin edges are taken from. */
  sample: number;
}

export interface Layout extends LayoutSizes {
  /**
   * Whether there is room for a third copy of the bins, by column: nodes of few rows are split several times faster
   * from it.
   */
  byColumn: boolean;
  at: {
    tiles: number;
    rows: number;
    columns: number;
    validation: number;
    edges: number;
    bins: number;
    /** Missing values of each feature in the training data. */
    missing: number;
    records: number;
    index: number;
    scratch: number;
    /** Lambda and hessian of each row, side by side. */
    lambdas: number;
    scores: number;
    validationScores: number;
    histograms: number;
    /** Histograms of a part of a node's rows, one a thread but the first. */
    partial: number;
    splits: number;
    goesLeft: number;
    /** Of each chunk of a node's rows: how many go left, and how many of the chunks before it do. */
    lefts: number;
    leafSums: number;
    leafValues: number;
    nodes: number;
    /** By node of a tree and byte of its column: 1 where the row goes left. */
    sides: number;
    sums: number;
    /** Pairs with a lambda, a float64 a part. */
    pairs: number;
    mask: number;
    /** Static tables of the separable lambdas. */
    offsets: number;
    judged: number;
    depths: number;
    norms: number;
    weights: number;
    places: number;
    gains: number;
    ends: number;
    discounts: number;
    /** Documents of each query by rank when its lambdas were last computed. */
    orders: number;
    threads: number;
  };
  /** Bytes of each thread's own scratch, from `at.threads` on. */
  threadBytes: number;
  pages: number;
}

/** Bytes of the one memory of a run, at most: what 32-bit addresses reach. */
const MOST_BYTES = 2 ** 32;

export function planLayout(sizes: LayoutSizes): Layout {
  const roomy = regionsOf(sizes, true);
  const byColumn = roomy.bytes <= MOST_BYTES;
  const { at, threadBytes, bytes } = byColumn ? roomy : regionsOf(sizes, false);
  if (bytes > MOST_BYTES) {
    // What does not grow with the documents, and how many would fit beside it.
    const none = { ...sizes, rows: 0, validationRows: 0, queries: 0, parts: 0, longest: 0 };
    const fixed = regionsOf(none, false).bytes;
    const documents = sizes.rows + sizes.validationRows;
    const room = MOST_BYTES - fixed;
    const count = (n: number) => n.toLocaleString('en-GB');
    const most =
      room > 0
        ? `about ${count(Math.floor((documents * room) / (bytes - fixed)))} such documents`
        : 'and so many leaves alone take more';
    throw new ListwiseError(
      'data-too-large',
      `${count(documents)} documents of ${sizes.features} features need ${(bytes / 2 ** 30).toFixed(1)} GiB for training trees with ${count(sizes.leaves)} leaves; ` +
        `one memory holds at most 4 GiB, ${most}. Train on fewer documents or features, or with fewer leaves`,
    );
  }
  return { ...sizes, byColumn, at, threadBytes, pages: Math.ceil(bytes / 65536) };
}

function regionsOf(sizes: LayoutSizes, byColumn: boolean): Pick<Layout, 'at' | 'threadBytes'> & { bytes: number } {
  // At most: features of few bins will share columns.
  const stride = strideOf(sizes.features);
  const tiles = stride / 8;
  let next = 1024;
  const region = (bytes: number) => {
    const at = next;
    next += Math.ceil((bytes + 64) / 64) * 64;
    return at;
  };
  const { rows, validationRows, queries, leaves } = sizes;
  const blockBytes = (tiles + 2) * (BLOCK_ROWS * 8 + 64);
  const lambdaBytes = 7 * (4 * (sizes.longest + 4) + 96);
  const sampleBytes = 8 * sizes.sample + 4096;
  // Values, bins of half a byte, and eight columns of bins.
  const columnBytes = (4 + 1 + 8) * BIN_ROWS;
  const threadBytes = Math.ceil((Math.max(blockBytes, lambdaBytes, sampleBytes, columnBytes) + 256) / 64) * 64;
  const at = {
    goesLeft: region(256),
    tiles: region(rows * stride),
    rows: region(rows * stride),
    columns: region(byColumn ? rows * stride : 0),
    validation: region(validationRows * stride),
    edges: region(sizes.features * 1024),
    bins: region(4 * sizes.features),
    missing: region(4 * sizes.features),
    records: region(8 * rows + 32),
    index: region(4 * rows),
    scratch: region(4 * rows),
    lambdas: region(8 * rows + 32),
    scores: region(4 * rows),
    validationScores: region(4 * validationRows),
    histograms: region(leaves * tiles * TILE_BYTES),
    partial: region((sizes.threads - 1) * tiles * TILE_BYTES),
    splits: region(2 * sizes.features * SPLIT.bytes),
    lefts: region(8 * Math.ceil(rows / CHUNK_ROWS + 1)),
    leafSums: region(16 * leaves),
    leafValues: region(4 * leaves),
    nodes: region(8 * leaves),
    sides: region(256 * leaves),
    sums: region(16 * sizes.parts),
    pairs: region(8 * sizes.parts),
    mask: region(sizes.features),
    offsets: region(4 * (queries + 1)),
    judged: region(4 * queries),
    depths: region(4 * queries),
    norms: region(4 * queries),
    weights: region(4 * queries),
    places: region(4 * rows),
    gains: region(4 * rows + 16),
    ends: region(4 * rows),
    discounts: region(4 * rows),
    orders: region(4 * rows),
    threads: region(sizes.threads * threadBytes),
  };
  return { at, threadBytes, bytes: next };
}

/** Rows of a column that are binned at a time. */
export const BIN_ROWS = 8192;
