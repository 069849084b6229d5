// asc: --sharedMemory --maximumMemory 65536 --enable threads
// From feature values to bins of one byte.

const MISSING: u8 = 255;

/** How many of the 256 ascending edges (padded with infinity) are below the value: eight steps without a branch. */
@inline function binOf(edges: usize, value: f32): usize {
  let at: usize = select<usize>(512, 0, load<f32>(edges, 508) < value);
  at += select<usize>(256, 0, load<f32>(edges + at, 252) < value);
  at += select<usize>(128, 0, load<f32>(edges + at, 124) < value);
  at += select<usize>(64, 0, load<f32>(edges + at, 60) < value);
  at += select<usize>(32, 0, load<f32>(edges + at, 28) < value);
  at += select<usize>(16, 0, load<f32>(edges + at, 12) < value);
  at += select<usize>(8, 0, load<f32>(edges + at, 4) < value);
  at += select<usize>(4, 0, load<f32>(edges + at) < value);
  return at >> 2;
}

/** Bins n values into every `stride`-th byte from `out`. A value on an edge belongs to the bin below it; NaN is missing. */
export function binColumn(values: usize, n: i32, edges: usize, out: usize, stride: i32): void {
  for (let end = values + (<usize>n << 2); values < end; values += 4) {
    const value = load<f32>(values);
    store<u8>(out, select<u8>(<u8>binOf(edges, value), MISSING, value == value));
    out += stride;
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
