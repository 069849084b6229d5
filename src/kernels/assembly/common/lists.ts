// Lists of rows, in eight columns whose commonest bytes are left out: see layouts/boosting.ts.

import { List, SMALL_COLUMN_BYTES } from '../layouts/boosting';

/** Which of a row's eight bytes are not the commonest, a bit each. */
@inline export function maskOf(row: usize, commonest: v128): u32 {
  return i8x16.bitmask(i8x16.ne(v128.load64_zero(row), commonest)) & 0xff;
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
 * Such rows to a list, from row `first` of the list's section on. `ends` says where the next row of each kind is to be,
 * from the second word on.
 */
export function listRows(rows: usize, n: i32, commonest: usize, first: i32, recordBytes: i32, ends: usize): void {
  const common = v128.load64_splat(commonest);
  let record = <u32>(first * recordBytes);
  for (const end = rows + (<usize>n << 3); rows < end; rows += 8, record += recordBytes) {
    const mask = maskOf(rows, common);
    if (mask == 0) continue;
    const own = ends + (<usize>popcnt<u32>(mask) << 2);
    let to = <usize>load<u32>(own);
    store<u32>(to, record);
    to += 4;
    for (let left = mask; left != 0; left &= left - 1, to += 2) {
      const k = <usize>ctz<u32>(left);
      store<u16>(to, <u16>(k * SMALL_COLUMN_BYTES + (<usize>load<u8>(rows + k) << 3)));
    }
    store<u32>(own, <u32>to);
  }
}

@inline function add(cells: usize, at: usize, record: v128): void {
  const cell = cells + <usize>load<u16>(at);
  v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell), record), 0);
}

/** Adds rows of one kind. Written out by kind: no row ends a loop, which processors do not foresee. Returns the end. */
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
  return end;
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
