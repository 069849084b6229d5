/** What the kernels of boosting and their callers agree on. */
import { defineRecord } from '../record.js';

/** Values of a byte: a column of a row, and so its histogram, knows as many bins. */
export const BINS = 256;
export const MISSING_BIN = 255;
/** Edges of a feature's bins, float32, padded with infinity. */
export const EDGE_BYTES = 4 * BINS;

/** Sums of the rows of one bin. */
export const CELL = defineRecord({ lambda: 'i32', hessian: 'i32', documents: 'i32', unused: 'i32' });
/** Cells of a column, and 8 more so that columns do not lie a power of two apart: they would share cache sets. */
export const CELLS_APART = BINS + 8;
export const COLUMN_BYTES = CELLS_APART * CELL.bytes;
/** Lambda and hessian of a row as 32-bit integers. */
export const RECORD_BYTES = 8;
/** Columns that are held side by side, a byte each. */
export const TILE_COLUMNS = 8;
export const TILE_BYTES = TILE_COLUMNS * COLUMN_BYTES;
/**
 * Rows are added up in cells of half the size, that more of them fit into the nearest cache: of all rows lambda and
 * hessian, as documents are known; of some rows one 64-bit number of documents (lowest bits), hessian and lambda.
 */
export const SMALL_COLUMN_BYTES = CELLS_APART * 8;
export const SMALL_TILE_BYTES = TILE_COLUMNS * SMALL_COLUMN_BYTES;
export const DOCUMENT_BITS = 13;
export const HESSIAN_BITS = 25;
/** What a thread has in its small cells: sums of magnitudes that must not outgrow them. */
export const HELD = defineRecord({
  /** 0 where they are still those of another node. */
  begun: 'u32',
  documents: 'u32',
  lambda: 'u32',
  hessian: 'u32',
  /** 1 where there is more in its cells of full size; else these are still those of another node. */
  full: 'u32',
  /** Sums of all rows that it has added up: what is left out of cells follows from them. */
  allLambda: 'i32',
  allHessian: 'i32',
  allDocuments: 'i32',
});
/** From one thread's to the next's: two cache lines, which processors fetch together. */
export const HELD_APART = 128;
/**
 * All rows of a stretch of sections in eight columns, but for each column's commonest byte: what its cell holds follows
 * from the sum of all rows. Rows come by how many cells they have; those without any are left out. Each is four bytes
 * that say where its record is, and two for each cell: bytes from the tile's first small cell on. A list has an
 * address, and the number of rows with one cell, with two, and so on.
 */
export const LIST = defineRecord({
  start: 'u32',
  one: 'u32',
  two: 'u32',
  three: 'u32',
  four: 'u32',
  five: 'u32',
  six: 'u32',
  seven: 'u32',
  eight: 'u32',
});
/** Bytes between the rows of one kind and those of the next: eight cells are written of each row, whatever it has. */
export const LIST_APART = 16;
/**
 * A short row has few bytes that are not the commonest ones in the first pairs of tiles. There it names its cells, in
 * 16 bits each, counted from the first column: all that are not the commonest byte's, and of them as many as fill the
 * last pair. A pair of tiles, 16 bytes, has room for eight names. What the cells of commonest bytes hold follows from
 * the sum of all rows, as with lists, so whichever of them are named does not matter.
 */
export const NAMES_A_PAIR = 8;
/** What 16 bits can name. */
export const MOST_SHORT_PAIRS = Math.floor(0x10000 / (2 * TILE_COLUMNS * CELLS_APART));
/** Rows that histograms of a part of the rows are built from at a time. */
export const BLOCK_ROWS = 1024;

/**
 * A column while its features' splits are looked for: how many of its first cells can be other than 0, beside that of
 * missing values; its features among those of all columns one after the other, the first one and how many.
 */
export const COLUMN_FEATURES = defineRecord({ cells: 'u32', first: 'u32', count: 'u32' });

/** A feature whose splits are looked for. */
export const FEATURE = defineRecord({
  number: 'u32',
  bins: 'u32',
  /** How its bin is found in its column's byte: see binning/columns.ts. */
  step: 'u32',
  states: 'u32',
  /** 1 where scores must not fall as it rises, -1 where they must not rise. */
  direction: 'i32',
  /** Of a category: how many it has, and the address of those that go left; on the second side so many bytes on. */
  levels: 'u32',
  sets: 'u32',
  setBytes: 'u32',
});

/** A node whose best split is looked for. */
export const SIDE = defineRecord({
  leaf: 'u32',
  /** Where its cells are. */
  histogram: 'u32',
  documents: 'u32',
  lambda: 'i32',
  hessian: 'i32',
  step: 'f64',
  /** What values of leaves below it are held within. */
  least: 'f64',
  most: 'f64',
});

/** A feature's best split; the gain is 0 where there is none. The last three are sums of the left side. */
export const SPLIT = defineRecord({
  gain: 'f64',
  bin: 'i32',
  missingLeft: 'i32',
  lambda: 'i32',
  hessian: 'i32',
  documents: 'i32',
});

/** A node of a tree that is added to scores; a child c < 0 is leaf ~c. */
export const NODE = defineRecord({
  /** The byte of a row, or the place of the feature among the wide categories. */
  column: 'u16',
  /** 1 for a wide category. */
  wide: 'u16',
  left: 'i16',
  right: 'i16',
});

/** A level of a category while levels are sorted. */
export const LEVEL = defineRecord({ key: 'f64', bin: 'u32' });
