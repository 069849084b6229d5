// Short rows, which name the cells of what is not the commonest byte of a column: see layouts/boosting.ts.

import { CELLS_APART, NAMES_A_PAIR, TILE_COLUMNS } from '../layouts/boosting';
import { maskOf } from './lists';

/** Adds to counts, of a byte each, how many of a row's eight bytes are not the commonest. */
export function countOthers(rows: usize, n: i32, commonest: usize, counts: usize): void {
  const common = v128.load64_splat(commonest);
  for (const end = rows + (<usize>n << 3); rows < end; rows += 8, counts++) {
    store<u8>(counts, <u8>(load<u8>(counts) + popcnt<u32>(maskOf(rows, common))));
  }
}

/** Names of the cells of a row's eight bytes whose bits are set, as far as there is room; returns where they end. */
@inline function writeNames(mask: u32, row: usize, column: usize, to: usize, end: usize): usize {
  for (let left = mask; left != 0 && to < end; left &= left - 1, to += 2) {
    const k = <usize>ctz<u32>(left);
    store<u16>(to, <u16>((column + k) * CELLS_APART + <usize>load<u8>(row + k)));
  }
  return to;
}

/** Makes short rows of n rows, `stride` bytes apart, whose first tiles are there; `scratch` has room for these. */
export function shortenRows(rows: usize, stride: usize, n: i32, tiles: i32, commonest: usize, scratch: usize): void {
  const bytes = <usize>tiles << 3;
  for (const end = rows + <usize>n * stride; rows < end; rows += stride) {
    memory.copy(scratch, rows, bytes);
    let to = rows;
    for (let o: usize = 0; o < bytes; o += TILE_COLUMNS) {
      const own = scratch + o;
      to = writeNames(maskOf(own, v128.load64_splat(commonest + o)), own, o, to, rows + bytes);
    }
    const last = rows + ((to - rows + 15) & ~15);
    for (let o: usize = 0; to < last; o += TILE_COLUMNS) {
      const own = scratch + o;
      to = writeNames(maskOf(own, v128.load64_splat(commonest + o)) ^ 0xff, own, o, to, last);
    }
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
