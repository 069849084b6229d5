/** What the kernel of lines and its callers agree on. Addresses are in bytes. */
import { defineRecord } from '../record.js';

/** A line is cut into as many places: a crossing knows its place in 16 bits. */
export const PLACES = 65536;
/** Instead of a place, for lines that do not cross; no crossing comes to it. */
export const NO_PLACE = 65535;
/** Places of a document's crossings are looked at in vectors: rows of them are multiples of so many. */
export const PADDING = 16;

/** What a unit counts: discounts; or precisions, where rank times discount never falls, or where it may. */
export const LINEAR = 0;
export const PRECISION = 1;
export const CUT_PRECISION = 2;

/** By row, if nothing else is said. */
export const PLAN = defineRecord({
  // Filled by the caller, for each line the first two.
  start: 'u32',
  slope: 'u32',
  gain: 'u32',
  queries: 'u32',
  units: 'u32',
  // Filled by the kernel. Rows of each query by rank below every crossing; where the line starts; scratch of the sort.
  order: 'u32',
  byStart: 'u32',
  scratch: 'u32',
  /** By row: among how many-eth rows of its query those of its slope begin. Filled by the caller where it is known. */
  firsts: 'u32',
  knowsFirsts: 'u32',
  /** Buckets of the line, and the logarithm of the places of each. */
  buckets: 'u32',
  shift: 'u32',
  /** Likewise for sections, which are wider: a power of 2, 32 at least. */
  sections: 'u32',
  sectionShift: 'u32',
  /** The step t goes to the place that is nearest to centre + stretch t / (span + |t|). */
  span: 'f64',
  stretch: 'f64',
  centre: 'f64',
});

export const QUERY = defineRecord({
  firstRow: 'u32',
  rows: 'u32',
  /** Its units; none where the measure is undefined. */
  firstUnit: 'u32',
  units: 'u32',
});

/** Documents of one query with one gain, its own; partners are the other documents of the query. */
export const UNIT = defineRecord({
  form: 'u32',
  partners: 'u32',
  /** The number of its first element among those of its slice; others follow. */
  firstElement: 'u32',
  /** Records, of which there are as many as documents at most. */
  elements: 'u32',
  walks: 'u32',
  blocks: 'u32',
  /** Lines of its partners, written by the kernel. */
  partnerStarts: 'u32',
  partnerSlopes: 'u32',
  /** By element, a row of so many bytes each: where partners cross it. */
  places: 'u32',
  rowBytes: 'u32',
  /** By element, 16 bits for each section: partners above it where that begins. */
  aboves: 'u32',
  /** By number of partners: how many documents have so many above them, or fewer. */
  cells: 'u32',
  /** By rank from 1: what a document gains by coming up to it from the next; times its number for precisions. */
  steps: 'u32',
  /** D and F (src/lines/counted-form.ts) of its query. */
  discounts: 'u32',
  moments: 'u32',
  /** By rank from 1, two numbers each: the discount, and 0 for documents of blocks; the other way round if linear. */
  worths: 'u32',
  /** Written by the kernel: elements and blocks of this line. */
  elementCount: 'u32',
  blockCount: 'u32',
  gain: 'f64',
  /** The gain times the norm of the query. */
  scale: 'f64',
  /** What it counts at most, wherever its documents are. */
  highest: 'f64',
});

/** A document of a unit; or several of one line that partners have, too: a block. Written by the kernel. */
export const ELEMENT = defineRecord({
  start: 'f64',
  slope: 'f64',
  /** Partners before this one it overtakes; those from `rises` on overtake it. */
  falls: 'u32',
  rises: 'u32',
  /** Partners above it, below every crossing. */
  above: 'u32',
  size: 'u32',
  /** Partners of the same line. */
  others: 'u32',
});

/** Where an element stands. */
export const WALK = defineRecord({
  /** The cell of as many partners as are above it; of a block, the second word of its record. */
  cell: 'u32',
  /** Such that twice the address of a cell, and 8 times a number, lead to a step: a multiple of 8. A block has 1. */
  steps: 'u32',
  unit: 'u32',
  spare: 'u32',
});

export const BLOCK = defineRecord({
  /** Flagged, as cells next to a block are. */
  before: 'i32',
  beside: 'i32',
  above: 'i32',
  size: 'i32',
  others: 'i32',
  value: 'f64',
});

export const SLICE = defineRecord({
  firstQuery: 'u32',
  lastQuery: 'u32',
  /** What src/lines/span.ts asks for: four numbers. */
  extents: 'u32',
  /** By section: what the sum can be at most within. */
  sections: 'u32',
  /** Scratch: rows of as many 16 bits as there are sections, for documents of a unit, and blocks and five more. */
  keys: 'u32',
  tallies: 'u32',
  /** By bucket: the sum where it begins, with that at the end; and what it can be at most within. */
  values: 'u32',
  most: 'u32',
  /** By bucket: where what lets documents rise ends among events, then what lets them fall; before, where all begin. */
  ends: 'u32',
  /** Crossings in the order of buckets, 16 bits each: which partner, and which element of the slice. */
  events: 'u32',
  /** Of all its units, side by side. */
  elements: 'u32',
  walks: 'u32',
  /** Changes of a run of places, with their steps, and for how many there is room. */
  changedAt: 'u32',
  changes: 'u32',
  room: 'u32',
});
