// What each thread has added up of a node's rows, in cells of its own, becomes the histogram of a column. Cells of
// another thread are read, never written: they would have to come back to its processor before it can add to them.

import {
  CELL_BYTES, COLUMN_BYTES, DOCUMENT_BITS, Held, HELD_APART, HESSIAN_BITS, MISSING_BIN, SMALL_COLUMN_BYTES,
} from '../layouts/boosting';

/** What small cells of some rows can hold. */
export const MOST_DOCUMENTS: u32 = (1 << DOCUMENT_BITS) - 1;
export const MOST_HESSIAN: i64 = (1 << HESSIAN_BITS) - 1;
export const LAMBDA_SHIFT: i32 = DOCUMENT_BITS + HESSIAN_BITS;
export const MOST_LAMBDA: i64 = (1 << (63 - DOCUMENT_BITS - HESSIAN_BITS)) - 1;

/** Where the last two small cells of a column are: one is that of missing values. */
const LAST_PAIR: usize = (MISSING_BIN >> 1) << 4;

let firstHeld: usize = 0;
let lastHeld: usize = 0;
let firstSmall: usize = 0;
let smallApart: usize = 0;
let firstFull: usize = 0;
let fullApart: usize = 0;

/** Where the records of all threads are, and their cells: those of one so far from those of the thread before. */
export function setThreads(held: usize, threads: i32, small: usize, ofSmall: usize, full: usize, ofFull: usize): void {
  firstHeld = held;
  lastHeld = held + <usize>threads * HELD_APART;
  firstSmall = small;
  smallApart = ofSmall;
  firstFull = full;
  fullApart = ofFull;
}

/** Two cells, from lambda and hessian of each and from the documents of each; in place of what is there, or added. */
@inline function storePair(sum: usize, sums: v128, documents: v128, add: bool): void {
  const one = v128.shuffle<i64>(sums, documents, 0, 2);
  const other = v128.shuffle<i64>(sums, documents, 1, 3);
  v128.store(sum, add ? i32x4.add(v128.load(sum), one) : one);
  v128.store(sum, add ? i32x4.add(v128.load(sum, 16), other) : other, 16);
}

/** Two cells from packed ones. */
@inline function storePacked(sum: usize, packed: v128, add: bool): void {
  const documents = v128.and(packed, i64x2.splat((1 << DOCUMENT_BITS) - 1));
  const hessian = v128.and(i64x2.shr_u(packed, DOCUMENT_BITS), i64x2.splat(MOST_HESSIAN));
  const lambda = i64x2.shr_s(packed, LAMBDA_SHIFT);
  storePair(sum, v128.or(v128.and(lambda, i64x2.splat(0xffffffff)), i64x2.shl(hessian, 32)), documents, add);
}

@inline function takePackedPair(sum: usize, one: usize, other: usize, o: usize, add: bool): void {
  const packed = v128.load(one + o);
  storePacked(sum + (o << 1), other ? i64x2.add(packed, v128.load(other + o)) : packed, add);
}

/**
 * The cells of a column from packed ones, for the first bins and the last; added to them where `add` is true. `other`
 * is a second thread's, whose sums fit into one cell with the first's, or 0.
 */
export function takePacked(sum: usize, one: usize, other: usize, bins: i32, add: bool): void {
  const end = <usize>((bins + 1) >> 1) << 4;
  // Written out, so that nothing is decided for each cell.
  if (other && add) for (let o: usize = 0; o < end; o += 16) takePackedPair(sum, one, other, o, true);
  else if (other) for (let o: usize = 0; o < end; o += 16) takePackedPair(sum, one, other, o, false);
  else if (add) for (let o: usize = 0; o < end; o += 16) takePackedPair(sum, one, 0, o, true);
  else for (let o: usize = 0; o < end; o += 16) takePackedPair(sum, one, 0, o, false);
  if (end < LAST_PAIR + 16) takePackedPair(sum, one, other, LAST_PAIR, add);
}

/** Documents are set once. */
@inline function takeAllPair(sum: usize, cells: usize, counts: usize, o: usize, add: bool): void {
  storePair(sum + (o << 1), v128.load(cells + o), add ? i64x2.splat(0) : v128.load32x2_u(counts + (o >> 1)), add);
}

/** The cells of a column of all rows, whose documents are known; as takePacked. */
@inline function takeAll(sum: usize, cells: usize, counts: usize, bins: i32, add: bool): void {
  const end = <usize>((bins + 1) >> 1) << 4;
  for (let o: usize = 0; o < end; o += 16) takeAllPair(sum, cells, counts, o, add);
  if (end < LAST_PAIR + 16) takeAllPair(sum, cells, counts, LAST_PAIR, add);
}

/** sum += part for the first bins of a column and the last. */
@inline function addCells(sum: usize, part: usize, bins: i32): void {
  for (let o: usize = 0, end = <usize>bins * CELL_BYTES; o < end; o += CELL_BYTES) addCell(sum + o, part + o);
  addCell(sum + MISSING_BIN * CELL_BYTES, part + MISSING_BIN * CELL_BYTES);
}

@inline function addCell(sum: usize, part: usize): void {
  v128.store(sum, i32x4.add(v128.load(sum), v128.load(part)));
}

/** Whether what all threads have in small cells fits into those of one. */
function fitTogether(): bool {
  let documents: u32 = 0;
  let lambda: i64 = 0;
  let hessian: i64 = 0;
  for (let at = firstHeld; at < lastHeld; at += HELD_APART) {
    const own = changetype<Held>(at);
    documents += own.documents;
    lambda += own.lambda;
    hessian += own.hessian;
  }
  return documents <= MOST_DOCUMENTS && lambda <= MOST_LAMBDA && hessian <= MOST_HESSIAN;
}

/** Adds to the cell of a column's commonest byte what all cells have not of the sums of all rows. */
@inline function fillCommonest(sum: usize, commonest: i32, bins: i32): void {
  let rest = i32x4.splat(0);
  for (let at = firstHeld; at < lastHeld; at += HELD_APART) {
    const own = changetype<Held>(at);
    rest = i32x4.add(rest, i32x4(own.allLambda, own.allHessian, own.allDocuments, 0));
  }
  for (let o: usize = 0, end = <usize>bins * CELL_BYTES; o < end; o += CELL_BYTES) rest = i32x4.sub(rest, v128.load(sum + o));
  rest = i32x4.sub(rest, v128.load(sum + MISSING_BIN * CELL_BYTES));
  const cell = sum + <usize>commonest * CELL_BYTES;
  v128.store(cell, i32x4.add(v128.load(cell), rest));
}

/**
 * The histogram of a column, for the first bins and the last, from what all threads have added up at its place. Of all
 * rows `counts` has the documents by bin; it is 0 of some rows. `commonest` is the byte whose cell follows from the
 * rest, or less than 0.
 */
export function takeColumn(sum: usize, place: i32, bins: i32, counts: usize, commonest: i32): void {
  const together = counts == 0 && fitTogether();
  let isFilled = false;
  let waiting: usize = 0;
  let small = firstSmall + <usize>place * SMALL_COLUMN_BYTES;
  for (let at = firstHeld; at < lastHeld; at += HELD_APART, small += smallApart) {
    if (!changetype<Held>(at).begun) continue;
    if (counts) {
      if (isFilled) takeAll(sum, small, counts, bins, true);
      else takeAll(sum, small, counts, bins, false);
    } else if (together && waiting == 0) {
      waiting = small;
      continue;
    } else {
      takePacked(sum, small, waiting, bins, isFilled);
      waiting = 0;
    }
    isFilled = true;
  }
  if (waiting) takePacked(sum, waiting, 0, bins, isFilled);
  else if (!isFilled) memory.fill(sum, 0, COLUMN_BYTES);
  let full = firstFull + <usize>place * COLUMN_BYTES;
  for (let at = firstHeld; at < lastHeld; at += HELD_APART, full += fullApart) {
    if (changetype<Held>(at).full) addCells(sum, full, bins);
  }
  if (commonest >= 0) fillCommonest(sum, commonest, bins);
}
