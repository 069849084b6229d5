/** Tables of the scoring kernel; trees-plan.ts says what they are for. Addresses and places are in bytes. */
import { defineRecord } from '../record.js';

/** Documents of a block, and so the bytes of a column. */
export const DOCUMENTS = 128;

/** A feature: the place of its values, its thresholds without their padding, and its columns. */
export const FEATURE = defineRecord({
  values: 'u32',
  thresholds: 'u32',
  thresholdBytes: 'u32',
  columns: 'u32',
  columnsEnd: 'u32',
});

/** A column of ranks: ranks less `first`, times -1 or not by `flip`; missing values are the highest where `right`. */
export const COLUMN = defineRecord({ first: 'i32', flip: 'u16', right: 'u16', place: 'u32' });

/** A category: the place of its values, its table of bits, `rowBytes` a level, and the places of its columns. */
export const CATEGORY = defineRecord({
  values: 'u32',
  levels: 'u32',
  table: 'u32',
  rowBytes: 'u32',
  places: 'u32',
  columns: 'u32',
});

export const TREE = defineRecord({
  /** Where the tests of each byte of leaves end; those of the first begin where the word before says. */
  byteEnds: 'u32',
  bytes: 'u32',
  steps: 'i32',
  values: 'u32',
  entries: 'u32',
  nodes: 'u32',
});

/** A test of upper nodes: threshold and leaves four times over, as vectors are filled with them. */
export const TEST = defineRecord({ threshold: 'u32', leaves: 'u32', column: 'u32' });

/** A lower node: column << 8 | threshold, read in one, and the place of the left child; the right one follows it. */
export const NODE = defineRecord({ test: 'u32', left: 'u32' });

/**
 * A node that few documents walk by: the feature's place in a row, with 1 where a missing value goes left; the bits of
 * the threshold; the places of its children. A leaf is its own left child and has the place of its value for the right.
 */
export const STEP = defineRecord({ feature: 'u32', threshold: 'u32', left: 'u32', right: 'u32' });

// Parts of the scratch: a byte a document each, but for the ranks, which are 32-bit.
export const MISSING_AT = 0;
export const OPEN_AT = DOCUMENTS;
export const BYTE_AT = 2 * DOCUMENTS;
export const BASE_AT = 3 * DOCUMENTS;
export const INDEX_AT = 4 * DOCUMENTS;
export const RANKS_AT = 5 * DOCUMENTS;
export const SCRATCH_BYTES = RANKS_AT + 4 * DOCUMENTS;
