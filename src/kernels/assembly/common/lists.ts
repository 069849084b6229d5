// Lists of rows, in eight columns whose commonest bytes are left out: see layouts/boosting.ts.

import { List, LIST_APART, SMALL_COLUMN_BYTES, TILE_COLUMNS } from '../layouts/boosting';

/** Which of a row's eight bytes are not the commonest, a bit each. */
@inline export function maskOf(row: usize, commonest: v128): u32 {
  return i8x16.bitmask(i8x16.ne(v128.load64_zero(row), commonest)) & 0xff;
}

/**
 * Eight names of cells, 16 bits each, of a row's eight bytes: `first`, `apart` for each column before, and the byte,
 * shifted left. Those whose bit is set come first, what is behind them means nothing.
 * `packing` has for each mask twice the numbers of the bits that are set, a byte each.
 */
@inline export function namesOf(mask: u32, row: usize, first: usize, apart: i32, shift: i32, packing: usize): v128 {
  const columns = i16x8.mul(i16x8.splat(<i16>apart), i16x8(0, 1, 2, 3, 4, 5, 6, 7));
  const cells = i16x8.shl(i16x8.extend_low_i8x16_u(v128.load64_zero(row)), shift);
  const names = i16x8.add(i16x8.add(cells, columns), i16x8.splat(<i16>first));
  const lanes = v128.load64_zero(packing + (<usize>mask << 3));
  const both = v128.shuffle<u8>(lanes, lanes, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  return i8x16.swizzle(names, i8x16.add(both, i16x8.splat(0x100)));
}

/** Counts rows of eight bytes, side by side, by kind. */
export function countKinds(rows: usize, n: i32, commonest: usize, list: usize): void {
  const counts = list + offsetof<List>('one') - 4;
  const common = v128.load64_splat(commonest);
  for (const end = rows + (<usize>n << 3); rows < end; rows += 8) {
    const mask = maskOf(rows, common);
    if (mask == 0) continue;
    const own = counts + (<usize>popcnt<u32>(mask) << 2);
    store<u32>(own, load<u32>(own) + 1);
  }
}

/**
 * Such rows to a list, from row `first` of the list's stretch on. `ends` says where the next row of each kind is to be,
 * from the second word on. Eight names are written of each row, and the next one written over those that it has not.
 */
export function listRows(rows: usize, n: i32, commonest: usize, first: i32, recordBytes: i32, ends: usize, packing: usize): void {
  const common = v128.load64_splat(commonest);
  let record = <u32>(first * recordBytes);
  for (const end = rows + (<usize>n << 3); rows < end; rows += TILE_COLUMNS, record += recordBytes) {
    const mask = maskOf(rows, common);
    if (mask == 0) continue;
    const cells = popcnt<u32>(mask);
    const own = ends + (<usize>cells << 2);
    const to = <usize>load<u32>(own);
    store<u32>(to, record);
    v128.store(to + 4, namesOf(mask, rows, 0, <i32>SMALL_COLUMN_BYTES, 3, packing));
    store<u32>(own, <u32>to + 4 + 2 * cells);
  }
}

@inline function add(cells: usize, at: usize, record: v128): void {
  const cell = cells + <usize>load<u16>(at);
  v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell), record), 0);
}

/**
 * Adds rows of one kind. Written out by kind: no row ends a loop, which processors do not foresee. Returns where the
 * next kind begins.
 */
@inline function addKind(kind: usize, row: usize, rows: u32, records: usize, cells: usize): usize {
  const bytes = 4 + 2 * kind;
  const end = row + <usize>rows * bytes;
  for (; row < end; row += bytes) {
    const record = v128.load64_zero(records + <usize>load<u32>(row));
    add(cells, row + 4, record);
    if (kind > 1) add(cells, row + 6, record);
    if (kind > 2) add(cells, row + 8, record);
    if (kind > 3) add(cells, row + 10, record);
    if (kind > 4) add(cells, row + 12, record);
    if (kind > 5) add(cells, row + 14, record);
    if (kind > 6) add(cells, row + 16, record);
    if (kind > 7) add(cells, row + 18, record);
  }
  return end + LIST_APART;
}

/** Adds the rows of a list, whose records begin at `records`, to small cells: lambda and hessian. */
export function addList(list: usize, records: usize, cells: usize): void {
  const own = changetype<List>(list);
  let row = <usize>own.start;
  row = addKind(1, row, own.one, records, cells);
  row = addKind(2, row, own.two, records, cells);
  row = addKind(3, row, own.three, records, cells);
  row = addKind(4, row, own.four, records, cells);
  row = addKind(5, row, own.five, records, cells);
  row = addKind(6, row, own.six, records, cells);
  row = addKind(7, row, own.seven, records, cells);
  addKind(8, row, own.eight, records, cells);
}
