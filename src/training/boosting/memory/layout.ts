/** Where everything lies in the shared memory of a boosting run: addresses are bytes, each region on a cache line. */
import { refuseBeyondContainer, SEVERAL_RANKS } from '../../../data/memory-limit.js';
import { ListwiseError } from '../../../errors.js';
import { type Addresses, Arena, f32, f64, i32, MOST_BYTES, records, u8, u16, u32 } from '../../../kernels/arena.js';
import {
  BINS,
  BLOCK_ROWS,
  CELL,
  COLUMN_FEATURES,
  EDGE_BYTES,
  FEATURE,
  HELD_APART,
  LEVEL,
  LIST,
  NODE,
  RECORD_BYTES,
  SIDE,
  SMALL_TILE_BYTES,
  SPLIT,
  TILE_BYTES,
  TILE_COLUMNS,
} from '../../../kernels/layouts/boosting.js';
import { strideOf } from '../binning/columns.js';
import { PACKING_BYTES } from '../binning/places.js';
import { STARTS_APART } from '../rows/short-rows.js';
import { BINNING, CHILDREN, DIVISION, ONE_SIDE, TREE } from './task-records.js';

/** Rows that one task adds a tree to. */
export const CHUNK_ROWS = 4096;
/** Values of a 16-bit bin. */
export const WIDE_BINS = 65536;
/** Rows of a column that are binned at a time. */
export const BIN_ROWS = 8192;
/** What these take of a thread's scratch: values, bins of half a byte, and eight columns; addresses are behind. */
export const BINNED_BYTES = (4 + 1 + 8) * BIN_ROWS;

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
  /** See rows/sections.ts. */
  sections: number;
  /** Rows that bin edges are taken from. */
  sample: number;
  /** Wide categories, the most bins of a category, and words of all sets of levels. */
  wide: number;
  widest: number;
  setWords: number;
}

export type LayoutRegions = ReturnType<typeof regionsOf>;

export interface Layout extends LayoutSizes {
  /**
   * Whether there is room for a third copy of the bins, by column. Nodes are split by it, lists and short rows
   * are made from it, and rows are put in another order by it.
   */
  byColumn: boolean;
  /** Cells of a wide category, at most. */
  wideCells: number;
  regions: LayoutRegions;
  at: Addresses<LayoutRegions>;
  /** Bytes of each thread's own scratch, from `at.threads` on. */
  threadBytes: number;
  pages: number;
}

export function planLayout(sizes: LayoutSizes): Layout {
  const byColumn = bytesOf(sizes, true) <= MOST_BYTES;
  const bytes = bytesOf(sizes, byColumn);
  if (bytes > MOST_BYTES) {
    // What does not grow with the documents, and how many would fit beside it.
    const fixed = bytesOf({ ...sizes, rows: 0, validationRows: 0, queries: 0, parts: 0, longest: 0 }, false);
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
        `one memory holds at most 4 GiB, ${most}. Train on fewer documents or features, or with fewer leaves; ${SEVERAL_RANKS}`,
    );
  }
  refuseBeyondContainer(bytes);
  const arena = new Arena();
  const regions = regionsOf(sizes, byColumn);
  const at = arena.takeAll(regions);
  const wideCells = wideCellsOf(sizes);
  return { ...sizes, byColumn, wideCells, regions, at, threadBytes: threadBytesOf(sizes), pages: arena.pages };
}

function bytesOf(sizes: LayoutSizes, byColumn: boolean): number {
  const arena = new Arena();
  arena.takeAll(regionsOf(sizes, byColumn));
  return arena.bytes;
}

function regionsOf(sizes: LayoutSizes, byColumn: boolean) {
  const { rows, validationRows, features, queries, leaves, parts, threads, sections, wide, setWords } = sizes;
  // At most: features of few bins will share columns.
  const stride = strideOf(features);
  const slotBytes = (stride / TILE_COLUMNS) * TILE_BYTES;
  return {
    // What tasks are given.
    tree: records(TREE, 1),
    oneSide: records(ONE_SIDE, 1),
    binning: records(BINNING, 1),
    /** Threads that have come to the end of a task that each of them does. */
    met: i32(1),
    division: records(DIVISION, 1),
    children: records(CHILDREN, 1),
    /** By leaf and section, its rows: where they begin in the index, and how many. See rows/sections.ts. */
    spans: u32(2 * leaves * sections),
    /** Up to two nodes whose splits are looked for. */
    sides: records(SIDE, 2),
    /** Their cells by side and wide category. */
    wideCells: i32((2 * wide * wideCellsOf(sizes) * CELL.bytes) / 4),
    /** By byte of the column that a node is split by: 1 where the row goes left. */
    goesLeft: u8(Math.max(BINS, wide > 0 ? WIDE_BINS : 0)),
    /** Bins of wide categories, one after the other. */
    wide: u16(rows * wide),
    wideValidation: u16(validationRows * wide),
    /** By category and side, the levels that go left. */
    sets: u32(setWords),
    /** By node of a tree, the bins of a wide category that go left, a bit each. */
    wideSides: u8(wide > 0 ? (WIDE_BINS / 8) * leaves : 0),
    /** By column, its place in rows, and its commonest byte; by place, the address of the column, and that byte. */
    place: u32(stride),
    commonest: u8(stride),
    columnAt: u32(stride),
    commonestAt: u8(stride),
    /** By column, its features; and these, column by column. */
    columnFeatures: records(COLUMN_FEATURES, stride),
    features: records(FEATURE, features),
    /** How many of the first tiles are held as lists, and these, by stretch. See binning/places.ts. */
    listed: u32(1),
    lists: records(LIST, (threads * stride) / TILE_COLUMNS),
    packing: u8(PACKING_BYTES),
    /** How many of the first pairs of tiles short rows have names in, and where by section. See rows/short-rows.ts. */
    shortPairs: u32(1),
    shortStarts: u32(sections * STARTS_APART),
    tiles: u8(rows * stride),
    rows: u8(rows * stride),
    columns: u8(byColumn ? rows * stride : 0),
    validation: u8(validationRows * stride),
    edges: f32((features * EDGE_BYTES) / 4),
    /** Bins of each feature. */
    bins: i32(features),
    /** Missing values of each feature in the training data. */
    missing: i32(features),
    /** Lambda and hessian of each row as integers, side by side; a tile may lie behind: see binning/columns.ts. */
    records: i32((rows * (RECORD_BYTES + (byColumn ? TILE_COLUMNS : 0))) / 4),
    /** Row of this run at each place among the bins: see rows/row-order.ts. Records and the index are by place. */
    order: u32(rows),
    index: u32(rows),
    scratch: u32(rows),
    /** Lambda and hessian of each row, side by side. */
    lambdas: f32(2 * rows),
    scores: f32(rows),
    validationScores: f32(validationRows),
    /** By leaf; the last one is not split, and has none. */
    histograms: u8(Math.max(1, leaves - 1) * slotBytes),
    /** Histograms of the rows that came a thread's way; nothing but while those of a node are built. */
    partial: u8(threads * slotBytes),
    small: u8(threads * (stride / TILE_COLUMNS) * SMALL_TILE_BYTES),
    held: u8(HELD_APART * threads),
    /** Documents of all rows by column and bin. */
    counts: u32(BINS * stride),
    /** Best splits of each feature, on two sides. */
    splits: records(SPLIT, 2 * features),
    /** Exact sums by section and leaf, and of each leaf: lambda and hessian. */
    sectionSums: f64(2 * leaves * sections),
    leafSums: f64(2 * leaves),
    leafValues: f32(leaves),
    nodes: records(NODE, leaves),
    /** By node of a tree and byte of its column: 1 where the row goes left. */
    nodeSides: u8(BINS * leaves),
    /** Magnitudes of each part: lambda and hessian. */
    sums: f64(2 * parts),
    /** Pairs with a lambda of each part. */
    pairs: f64(parts),
    /** Whether each side may be split by each feature, and what is drawn for it where thresholds are. */
    mask: u8(2 * features),
    draws: u32(2 * features),
    // Static tables of the separable lambdas.
    offsets: i32(queries + 1),
    judged: i32(queries),
    depths: i32(queries),
    norms: f32(queries),
    weights: f32(queries),
    places: i32(rows),
    gains: f32(rows),
    ends: i32(rows),
    discounts: f32(rows),
    /** Documents of each query by rank when its lambdas were last computed. */
    orders: i32(rows),
    threads: u8(threads * threadBytesOf(sizes)),
  };
}

/** One for each bin, and one for missing values. */
function wideCellsOf({ widest }: LayoutSizes): number {
  return widest + 1;
}

/** Tasks take turns with the scratch of their thread: as much as the greediest needs. */
function threadBytesOf({ features, longest, sample, widest }: LayoutSizes): number {
  const blocks = (strideOf(features) / TILE_COLUMNS + 3) * (BLOCK_ROWS * 8 + 64);
  const lambdas = 8 * (4 * (longest + 4) + 96);
  const sampled = 8 * sample + 4096;
  const binned = BINNED_BYTES + 4 * (TILE_COLUMNS + 1);
  // Cells of a category, and its levels twice, to sort them.
  const levels = (widest + 1) * (CELL.bytes + 2 * LEVEL.bytes);
  return Math.ceil((Math.max(blocks, lambdas, sampled, binned, levels) + 256) / 64) * 64;
}
