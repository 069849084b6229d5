// asc: --sharedMemory --maximumMemory 65536 --enable threads
// From feature values to bins of one byte.

const MISSING: u8 = 255;

/** One step of a search among 256 ascending edges: on by `half` where the edge there is below the value. */
@inline function step(edges: usize, at: usize, value: f32, half: usize): usize {
  return at + select<usize>(half, 0, load<f32>(edges + at + half - 4) < value);
}

@inline function binFor(at: usize, value: f32): u8 {
  return select<u8>(<u8>(at >> 2), MISSING, value == value);
}

/** Four values at once: a search is a chain of loads that wait for each other, and four chains can wait together. */
function binFour(values: usize, edges: usize, out: usize, stride: usize): i32 {
  const a = load<f32>(values);
  const b = load<f32>(values, 4);
  const c = load<f32>(values, 8);
  const d = load<f32>(values, 12);
  let i: usize = 0;
  let j: usize = 0;
  let k: usize = 0;
  let l: usize = 0;
  for (let half: usize = 512; half >= 4; half >>= 1) {
    i = step(edges, i, a, half);
    j = step(edges, j, b, half);
    k = step(edges, k, c, half);
    l = step(edges, l, d, half);
  }
  store<u8>(out, binFor(i, a));
  store<u8>(out + stride, binFor(j, b));
  store<u8>(out + 2 * stride, binFor(k, c));
  store<u8>(out + 3 * stride, binFor(l, d));
  return i32(a != a) + i32(b != b) + i32(c != c) + i32(d != d);
}

/**
 * Bins n values into every `stride`-th byte from `out`: how many of the edges (256, padded with infinity) are below the value. A
 * value on an edge belongs to the bin below it; NaN is missing. Returns how many are missing.
 */
export function binColumn(values: usize, n: i32, edges: usize, out: usize, stride: i32): i32 {
  const whole = n & ~3;
  let missing = 0;
  for (let r = 0; r < whole; r += 4) missing += binFour(values + (<usize>r << 2), edges, out + <usize>r * stride, stride);
  for (let r = whole; r < n; r++) {
    const value = load<f32>(values + (<usize>r << 2));
    let at: usize = 0;
    for (let half: usize = 512; half >= 4; half >>= 1) at = step(edges, at, value, half);
    store<u8>(out + <usize>r * stride, binFor(at, value));
    missing += i32(value != value);
  }
  return missing;
}

/** Writes n bins below 15, or missing, to half of every `stride`-th byte from `out`: the lower half first, then (shift 4) the upper. */
export function packHalf(bins: usize, n: i32, shift: i32, out: usize, stride: i32): void {
  const kept: u32 = shift ? 15 : 0;
  for (let r = 0; r < n; r++) {
    const to = out + <usize>r * stride;
    store<u8>(to, <u8>((<u32>load<u8>(to) & kept) | (min<u32>(<u32>load<u8>(bins + <usize>r), 15) << shift)));
  }
}

/** Row-major copy of the tiles: tile t of row i is at tiles + t * tileBytes + 8 i. */
export function rowsOfTiles(tiles: usize, tileBytes: usize, count: i32, first: i32, last: i32, rows: usize): void {
  const stride = <usize>count << 3;
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

/** One pass of a radix sort by the byte at `shift`. */
function radixPass(from: usize, to: usize, n: i32, shift: u32, counts: usize): void {
  memory.fill(counts, 0, 1024);
  for (let p = from, end = from + (<usize>n << 2); p < end; p += 4) {
    const c = counts + (<usize>((load<u32>(p) >> shift) & 255) << 2);
    store<u32>(c, load<u32>(c) + 1);
  }
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

/** Sorts n float32 values, none of them NaN, ascending and in place; `scratch` is as long, `counts` is 1024 bytes. */
export function sortFloats(values: usize, n: i32, scratch: usize, counts: usize): void {
  for (let p = values, end = values + (<usize>n << 2); p < end; p += 4) store<u32>(p, ordered(load<u32>(p)));
  radixPass(values, scratch, n, 0, counts);
  radixPass(scratch, values, n, 8, counts);
  radixPass(values, scratch, n, 16, counts);
  radixPass(scratch, values, n, 24, counts);
  for (let p = values, end = values + (<usize>n << 2); p < end; p += 4) store<u32>(p, unordered(load<u32>(p)));
}
