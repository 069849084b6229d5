// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Rows of a node into its two children.

/**
 * Rows by the side they go to: left where left[bin] = 1. `bins` is the feature's column, 1 << shift bytes
 * from row to row. Those that go left come first in `out`, the others last and in reverse. Branch-free: every row is
 * stored at both ends of what is still free, and one end advances. Returns how many went left.
 */
export function partitionRows(bins: usize, shift: usize, left: usize, index: usize, n: i32, out: usize): i32 {
  let l = out;
  let r = out + (<usize>n << 2);
  for (let i = index, end = index + (<usize>n << 2); i < end; i += 4) {
    const row = load<u32>(i);
    const goes = <usize>load<u8>(left + <usize>load<u8>(bins + (<usize>row << shift))) << 2;
    store<u32>(l, row);
    store<u32>(r - 4, row);
    l += goes;
    r -= 4 - goes;
  }
  return <i32>((l - out) >> 2);
}

/** As `partitionRows`, for a wide category: bins are 16-bit numbers, side by side. */
export function partitionWide(bins: usize, left: usize, index: usize, n: i32, out: usize): i32 {
  let l = out;
  let r = out + (<usize>n << 2);
  for (let i = index, end = index + (<usize>n << 2); i < end; i += 4) {
    const row = load<u32>(i);
    const goes = <usize>load<u8>(left + <usize>load<u16>(bins + (<usize>row << 1))) << 2;
    store<u32>(l, row);
    store<u32>(r - 4, row);
    l += goes;
    r -= 4 - goes;
  }
  return <i32>((l - out) >> 2);
}

/** Takes the `lefts` first of such rows to `left` and the others, in order again, to `right`: a stable partition. */
export function placeRows(rows: usize, n: i32, lefts: i32, left: usize, right: usize): void {
  memory.copy(left, rows, <usize>lefts << 2);
  const first = rows + (<usize>lefts << 2);
  let from = rows + (<usize>n << 2);
  for (; from >= first + 16; right += 16) {
    from -= 16;
    const four = v128.load(from);
    v128.store(right, v128.shuffle<i32>(four, four, 3, 2, 1, 0));
  }
  for (; from > first; right += 4) {
    from -= 4;
    store<u32>(right, load<u32>(from));
  }
}

/** index[i] = i for first <= i < last. */
export function countUp(index: usize, first: i32, last: i32): void {
  for (let i = first; i < last; i++) store<u32>(index + (<usize>i << 2), i);
}
