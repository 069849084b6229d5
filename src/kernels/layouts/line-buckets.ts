/** What the kernel of lines and its callers agree on. Addresses are in bytes. */
import { defineRecord } from '../record.js';

/** Intervals that a line is cut into. */
export const BUCKETS = 64;
/** Each is cut into as many places: a crossing knows its place in 16 bits. */
export const PLACES = 1024;
/** Instead of a place, for lines that do not cross; no crossing comes to it. */
export const NO_PLACE = 65535;
/** Places of a document's crossings are looked at in vectors: there is room for a multiple of so many. */
export const PADDING = 16;
/** A run of buckets is cut into this many parts at most. */
export const PARTS = 128;

/** By row, if nothing else is said. */
export const PLAN = defineRecord({
  // Filled by the caller, for each line the first two.
  start: 'u32',
  slope: 'u32',
  gain: 'u32',
  /** D, F (src/lines/counted-form.ts) and discounts by rank: those of a query begin at its `table`. */
  discounts: 'u32',
  moments: 'u32',
  byRank: 'u32',
  queries: 'u32',
  /** Whether gains above a document count, too. */
  precision: 'u32',
  // Filled by the kernel. By rank below every crossing, from an order nearby, and scratch of the sort.
  order: 'u32',
  scratch: 'u32',
  // By block; those of a query begin where its rows do.
  starts: 'u32',
  slopes: 'u32',
  gains: 'u32',
  sizes: 'u32',
  above: 'u32',
  gainAbove: 'u32',
  /** What is added to a cell of a document that overtakes the block, or that it overtakes. */
  falls: 'u32',
  rises: 'u32',
  /** The step t goes to the place that is nearest to centre + stretch t / (span + |t|). */
  span: 'f64',
  stretch: 'f64',
  centre: 'f64',
});

export const QUERY = defineRecord({
  firstRow: 'u32',
  rows: 'u32',
  /** The place of its tables. */
  table: 'u32',
  /** Whether rank times discount never falls: bounds can be closer then. */
  tight: 'u32',
  /** Of its documents with a gain, one after the other: a cell a bucket, and a place a block. */
  cells: 'u32',
  places: 'u32',
  /** Written by the kernel: the blocks of this line. */
  blocks: 'u32',
  /** NaN where the measure is undefined. */
  norm: 'f64',
});
