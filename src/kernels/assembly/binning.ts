// asc: --sharedMemory --maximumMemory 65536 --enable threads
// From feature values to bins of one byte, and the forms in which rows of them are held.

export { countKinds, listRows } from './common/lists';
export { countOthers, shortenRows, sortByNames } from './common/short-rows';

/** Edges of a column; every sixteenth of them, the last of each group, is a pivot. */
const GROUP_BYTES: usize = 64;

/** How many of sixteen numbers are below the value in all lanes: no step waits for another, unlike a binary search. */
@inline function below(a: v128, b: v128, c: v128, d: v128, value: v128): usize {
  const first = i16x8.narrow_i32x4_s(f32x4.lt(a, value), f32x4.lt(b, value));
  const second = i16x8.narrow_i32x4_s(f32x4.lt(c, value), f32x4.lt(d, value));
  return popcnt<u32>(i8x16.bitmask(i8x16.narrow_i16x8_s(first, second)));
}

/** The pivots of four groups of edges, from the first group's. */
@inline function pivots(last: usize): v128 {
  return f32x4(load<f32>(last), load<f32>(last, GROUP_BYTES), load<f32>(last, 2 * GROUP_BYTES), load<f32>(last, 3 * GROUP_BYTES));
}

/**
 * Bins n values: how many of the edges (256, ascending, padded with infinity) are below the value. A value on an edge
 * belongs to the bin below it; NaN is missing. Returns how many are missing.
 */
export function binColumn(values: usize, n: i32, edges: usize, out: usize): i32 {
  const last = edges + GROUP_BYTES - 4;
  const a = pivots(last);
  const b = pivots(last + 4 * GROUP_BYTES);
  const c = pivots(last + 8 * GROUP_BYTES);
  const d = pivots(last + 12 * GROUP_BYTES);
  let missing = 0;
  for (const end = values + (<usize>n << 2); values < end; values += 4) {
    const value = v128.load32_splat(values);
    const group = below(a, b, c, d, value);
    const own = edges + group * GROUP_BYTES;
    const bin = (group << 4) + below(v128.load(own), v128.load(own, 16), v128.load(own, 32), v128.load(own, 48), value);
    const number = load<f32>(values);
    const absent = u32(number != number);
    missing += absent;
    store<u8>(out++, <u8>(<u32>bin | (0 - absent)));
  }
  return missing;
}

/** Puts n bins, times `step`, into as many bytes, beside features of lower steps. The last state is missing. */
export function addBins(bins: usize, n: i32, step: u32, states: u32, out: usize): void {
  const keep: u32 = step > 1 ? 255 : 0;
  for (const end = out + n; out < end; out++) {
    store<u8>(out, <u8>((<u32>load<u8>(out) & keep) + min<u32>(<u32>load<u8>(bins), states - 1) * step));
    bins++;
  }
}

@inline function low8(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

@inline function high8(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

@inline function low16(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

@inline function high16(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Two rows of eight bytes. */
@inline function storeRows(rows: v128, out: usize, stride: usize): void {
  v128.store64_lane(out, rows, 0);
  v128.store64_lane(out + stride, rows, 1);
}

/**
 * Eight rows, from columns 0 to 7 paired: a has the bytes of columns 0 and 1 by turns, b those of 2 and 3, and so on.
 */
@inline function storeEight(a: v128, b: v128, c: v128, d: v128, out: usize, stride: usize): void {
  const firstLeft = low16(a, b);
  const firstRight = low16(c, d);
  storeRows(v128.shuffle<u32>(firstLeft, firstRight, 0, 4, 1, 5), out, stride);
  storeRows(v128.shuffle<u32>(firstLeft, firstRight, 2, 6, 3, 7), out + 2 * stride, stride);
  const lastLeft = high16(a, b);
  const lastRight = high16(c, d);
  storeRows(v128.shuffle<u32>(lastLeft, lastRight, 0, 4, 1, 5), out + 4 * stride, stride);
  storeRows(v128.shuffle<u32>(lastLeft, lastRight, 2, 6, 3, 7), out + 6 * stride, stride);
}

/**
 * Bytes `first` to before `last` of eight columns, of which `columns` has the addresses, as rows of eight bytes,
 * `stride` bytes apart.
 */
export function rowsOfColumns(columns: usize, first: i32, last: i32, out: usize, stride: usize): void {
  const whole = last - ((last - first) & 15);
  for (let r = first; r < whole; r += 16) {
    const c0 = v128.load(<usize>load<u32>(columns, 0) + r);
    const c1 = v128.load(<usize>load<u32>(columns, 4) + r);
    const c2 = v128.load(<usize>load<u32>(columns, 8) + r);
    const c3 = v128.load(<usize>load<u32>(columns, 12) + r);
    const c4 = v128.load(<usize>load<u32>(columns, 16) + r);
    const c5 = v128.load(<usize>load<u32>(columns, 20) + r);
    const c6 = v128.load(<usize>load<u32>(columns, 24) + r);
    const c7 = v128.load(<usize>load<u32>(columns, 28) + r);
    storeEight(low8(c0, c1), low8(c2, c3), low8(c4, c5), low8(c6, c7), out, stride);
    storeEight(high8(c0, c1), high8(c2, c3), high8(c4, c5), high8(c6, c7), out + 8 * stride, stride);
    out += 16 * stride;
  }
  for (let r = whole; r < last; r++) {
    for (let k: usize = 0; k < 8; k++) store<u8>(out + k, load<u8>(<usize>load<u32>(columns + (k << 2)) + r));
    out += stride;
  }
}

@inline function byteAt(from: usize, index: usize): u64 {
  return load<u8>(from + <usize>load<u32>(index));
}

/** to[i] = from[index[i]]; eight at a time, as a processor stores one a cycle, however short. */
export function permuteBytes(from: usize, index: usize, n: i32, to: usize): void {
  const end = to + <usize>n;
  for (const last = end - 7; to < last; to += 8, index += 32) {
    const one = byteAt(from, index) | (byteAt(from, index + 4) << 8) | (byteAt(from, index + 8) << 16) | (byteAt(from, index + 12) << 24);
    const other = byteAt(from, index + 16) | (byteAt(from, index + 20) << 8) | (byteAt(from, index + 24) << 16) | (byteAt(from, index + 28) << 24);
    store<u64>(to, one | (other << 32));
  }
  for (; to < end; to++, index += 4) store<u8>(to, <u8>byteAt(from, index));
}

/** Row-major copy of the tiles: tile t of row i is at tiles + t * tileBytes + 8 i. */
export function rowsOfTiles(
  tiles: usize, tileBytes: usize, count: i32, first: i32, last: i32, rows: usize, stride: usize,
): void {
  for (let i = first; i < last; i++) {
    let from = tiles + (<usize>i << 3);
    let to = rows + <usize>i * stride;
    for (let t = 0; t < count; t++) {
      store<u64>(to, load<u64>(from));
      from += tileBytes;
      to += 8;
    }
  }
}

/** Bits of a float32 as an unsigned number in the same order; NaN must not occur. */
@inline function ordered(bits: u32): u32 {
  return bits ^ (<u32>(<i32>bits >> 31) | 0x80000000);
}

@inline function unordered(key: u32): u32 {
  return key ^ (<u32>(<i32>~key >> 31) | 0x80000000);
}

/** One pass of a radix sort by the byte at `shift`, from the counts of that byte's values. */
function radixPass(from: usize, to: usize, n: i32, shift: u32, counts: usize): void {
  let start: u32 = 0;
  for (let c = counts; c < counts + 1024; c += 4) {
    const own = load<u32>(c);
    store<u32>(c, start);
    start += own;
  }
  for (let p = from, end = from + (<usize>n << 2); p < end; p += 4) {
    const key = load<u32>(p);
    const c = counts + (<usize>((key >> shift) & 255) << 2);
    const place = load<u32>(c);
    store<u32>(c, place + 1);
    store<u32>(to + (<usize>place << 2), key);
  }
}

@inline function count(counts: usize, digit: u32): void {
  const c = counts + (<usize>digit << 2);
  store<u32>(c, load<u32>(c) + 1);
}

/**
 * Sorts n float32 values, none of them NaN, ascending and in place; `scratch` is as long, `counts` is 4096 bytes. A
 * byte that all values share needs no pass: whole numbers have two or three of those.
 */
export function sortFloats(values: usize, n: i32, scratch: usize, counts: usize): void {
  memory.fill(counts, 0, 4096);
  let key: u32 = 0;
  for (let p = values, end = values + (<usize>n << 2); p < end; p += 4) {
    key = ordered(load<u32>(p));
    store<u32>(p, key);
    count(counts, key & 255);
    count(counts + 1024, (key >> 8) & 255);
    count(counts + 2048, (key >> 16) & 255);
    count(counts + 3072, key >> 24);
  }
  let from = values;
  let to = scratch;
  for (let shift: u32 = 0; shift < 32; shift += 8) {
    const own = counts + (<usize>shift << 7);
    if (load<u32>(own + (<usize>((key >> shift) & 255) << 2)) == <u32>n) continue;
    radixPass(from, to, n, shift, own);
    const sorted = to;
    to = from;
    from = sorted;
  }
  for (let o: usize = 0, end = <usize>n << 2; o < end; o += 4) store<u32>(values + o, unordered(load<u32>(from + o)));
}
