// Short rows, which name the cells of what is not the commonest byte of a column: see layouts/boosting.ts.

import { CELLS_APART, NAMES_A_PAIR, TILE_COLUMNS } from '../layouts/boosting';
import { maskOf, namesOf } from './lists';

/** Adds to counts, of a byte each, how many of a row's eight bytes are not the commonest. */
export function countOthers(rows: usize, n: i32, commonest: usize, counts: usize): void {
  const common = v128.load64_splat(commonest);
  for (const end = rows + (<usize>n << 3); rows < end; rows += 8, counts++) {
    store<u8>(counts, <u8>(load<u8>(counts) + popcnt<u32>(maskOf(rows, common))));
  }
}

/** The pairs of tiles that so many names take; one more than there are where a row is not short. */
@inline function pairsTaken(others: usize, pairs: u32): usize {
  return <usize>min((<u32>load<u8>(others) + <u32>NAMES_A_PAIR - 1) / <u32>NAMES_A_PAIR, pairs + 1);
}

/**
 * Sorts n rows of the index, from its place `first` on, by the pairs of tiles that their names take, those that are not
 * short last; equal ones stay as they were. `others` has the number of names of every row. `ends` tells where those of
 * each kind end, and has room for one number more than there are kinds.
 */
export function sortByNames(index: usize, first: i32, n: i32, others: usize, pairs: i32, ends: usize, spare: usize): void {
  const rows = index + (<usize>first << 2);
  const bytes = <usize>n << 2;
  memory.copy(spare, rows, bytes);
  const kinds = pairs + 2;
  memory.fill(ends, 0, <usize>(kinds + 1) << 2);
  for (let i = spare, end = spare + bytes; i < end; i += 4) {
    const count = ends + (pairsTaken(others + <usize>load<u32>(i), pairs) << 2);
    store<i32>(count, load<i32>(count, 4) + 1, 4);
  }
  store<i32>(ends, first);
  for (let at = ends, end = ends + (<usize>kinds << 2); at < end; at += 4) store<i32>(at, load<i32>(at, 4) + load<i32>(at), 4);
  for (let i = spare, end = spare + bytes; i < end; i += 4) {
    const row = load<u32>(i);
    const next = ends + (pairsTaken(others + <usize>row, pairs) << 2);
    const to = load<i32>(next);
    store<u32>(index + (<usize>to << 2), row);
    store<i32>(next, to + 1);
  }
}

@inline function nameOf(row: usize, column: usize, k: usize): u16 {
  return <u16>((column + k) * CELLS_APART + <usize>load<u8>(row + k));
}

/**
 * Makes short rows of n rows, `stride` bytes apart, whose first tiles are there; `scratch` has room for one and eight
 * names. `packing` is as for namesOf.
 */
export function shortenRows(
  rows: usize, stride: usize, n: i32, tiles: i32, commonest: usize, scratch: usize, packing: usize,
): void {
  const bytes = <usize>tiles << 3;
  for (const end = rows + <usize>n * stride; rows < end; rows += stride) {
    let to = scratch;
    for (let o: usize = 0; o < bytes; o += TILE_COLUMNS) {
      const own = rows + o;
      const mask = maskOf(own, v128.load64_splat(commonest + o));
      v128.store(to, namesOf(mask, own, o * CELLS_APART, <i32>CELLS_APART, 0, packing));
      to += <usize>popcnt<u32>(mask) << 1;
    }
    // The last pair is filled up with cells of commonest bytes, each at most once.
    const last = scratch + ((to - scratch + 15) & ~15);
    for (let o: usize = 0; to < last; o += TILE_COLUMNS) {
      const own = rows + o;
      for (let left = maskOf(own, v128.load64_splat(commonest + o)) ^ 0xff; left != 0 && to < last; left &= left - 1, to += 2) {
        store<u16>(to, nameOf(own, o, <usize>ctz<u32>(left)));
      }
    }
    for (let o: usize = 0, names = last - scratch; o < names; o += 16) v128.store(rows + o, v128.load(scratch + o));
  }
}

@inline function addName(names: usize, record: v128, cells: usize): void {
  const cell = cells + (<usize>load<u16>(names) << 3);
  v128.store64_lane(cell, i64x2.add(v128.load64_zero(cell), record), 0);
}

/** Adds short rows to the small cells that they name, eight a row, from a buffer of pairs of tiles. */
export function addNames(names: usize, records: usize, n: i32, cells: usize): void {
  for (const end = records + (<usize>n << 3); records < end; records += 8, names += 16) {
    const record = v128.load64_zero(records);
    addName(names, record, cells);
    addName(names + 2, record, cells);
    addName(names + 4, record, cells);
    addName(names + 6, record, cells);
    addName(names + 8, record, cells);
    addName(names + 10, record, cells);
    addName(names + 12, record, cells);
    addName(names + 14, record, cells);
  }
}

/** The same to cells of full size. */
export function addNamesFull(names: usize, records: usize, n: i32, histogram: usize): void {
  const one = i32x4(0, 0, 1, 0);
  for (const end = records + (<usize>n << 3); records < end; records += 8) {
    const record = v128.or(v128.load64_zero(records), one);
    for (const last = names + 2 * NAMES_A_PAIR; names < last; names += 2) {
      const cell = histogram + (<usize>load<u16>(names) << 4);
      v128.store(cell, i32x4.add(v128.load(cell), record));
    }
  }
}

/** How many of m rising places are before `place`. */
@inline export function placesBefore(index: usize, m: i32, place: u32): i32 {
  let first = 0;
  for (let last = m; first < last;) {
    const middle = (first + last) >> 1;
    if (load<u32>(index + (<usize>middle << 2)) < place) first = middle + 1;
    else last = middle;
  }
  return first;
}
