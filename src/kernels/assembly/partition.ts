// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Rows of a node into its two children, and what is done with the rows of a leaf.

/**
 * Rows of a chunk by the side they go to: left where left[bin] = 1. `bins` is the feature's column, 1 << shift bytes
 * from row to row. Those that go left come first in `out`, the others last and in reverse. Branch-free: every row is
 * stored at both ends of what is still free, and one end advances. Returns how many went left.
 */
export function partitionChunk(bins: usize, shift: usize, left: usize, index: usize, n: i32, out: usize): i32 {
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

/** Takes the `lefts` first rows of a chunk to `left` and the others, in order again, to `right`: a stable partition. */
export function placeChunk(chunk: usize, n: i32, lefts: i32, left: usize, right: usize): void {
  memory.copy(left, chunk, <usize>lefts << 2);
  const first = chunk + (<usize>lefts << 2);
  let from = chunk + (<usize>n << 2);
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

/** Adds a leaf's value to the scores of its rows. */
export function addToRows(index: usize, n: i32, value: f32, scores: usize): void {
  for (let i = index, end = index + (<usize>n << 2); i < end; i += 4) {
    const at = scores + (<usize>load<u32>(i) << 2);
    store<f32>(at, load<f32>(at) + value);
  }
}

/**
 * Sums of lambda and hessian over a leaf's rows, rounded to multiples of 1 / scale. The scales keep all sums below
 * 2^52, where float64 adds whole numbers exactly: no order of summation changes them.
 */
export function sumRows(index: usize, n: i32, lambdas: usize, lambdaScale: f64, hessianScale: f64, out: usize): void {
  const scale = f64x2.replace_lane(f64x2.splat(lambdaScale), 1, hessianScale);
  let total = f64x2.splat(0);
  for (let i = index, end = index + (<usize>n << 2); i < end; i += 4) {
    const own = f64x2.promote_low_f32x4(v128.load64_zero(lambdas + (<usize>load<u32>(i) << 3)));
    total = f64x2.add(total, f64x2.nearest(f64x2.mul(own, scale)));
  }
  v128.store(out, total);
}

/** Lambda and hessian of n rows as 32-bit integers. */
export function quantise(lambdas: usize, n: i32, lambdaScale: f32, hessianScale: f32, records: usize): void {
  const scale = f32x4(lambdaScale, hessianScale, lambdaScale, hessianScale);
  for (let o: usize = 0, end = <usize>n << 3; o < end; o += 16) {
    v128.store(records + o, i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(lambdas + o), scale))));
  }
}

/** Sums of |lambda| and of hessian over consecutive rows, in row order. */
export function sumMagnitudes(lambdas: usize, first: i32, last: i32, out: usize): void {
  let total = f64x2.splat(0);
  for (let o = lambdas + (<usize>first << 3), end = lambdas + (<usize>last << 3); o < end; o += 8) {
    total = f64x2.add(total, f64x2.abs(f64x2.promote_low_f32x4(v128.load64_zero(o))));
  }
  v128.store(out, total);
}

/** The same hessian for all of consecutive rows. */
export function setHessian(lambdas: usize, first: i32, last: i32, value: f32): void {
  for (let o = lambdas + (<usize>first << 3), end = lambdas + (<usize>last << 3); o < end; o += 8) store<f32>(o, value, 4);
}

/**
 * Adds one tree's value to the scores of rows `first` to `last`, from their bins. A node is 8 bytes: column of the
 * feature u16, unused u16, left child i16, right child i16; a child c < 0 is leaf ~c. `sides` has 256 bytes a node: 1
 * where a row with that byte in the column goes left.
 */
export function addTree(
  rows: usize, stride: i32, first: i32, last: i32, nodes: usize, sides: usize, leaves: usize, scores: usize,
): void {
  for (let i = first; i < last; i++) {
    const row = rows + <usize>i * stride;
    let node: i32 = 0;
    do {
      const at = nodes + (<usize>node << 3);
      const byte = <usize>load<u8>(row + <usize>load<u16>(at));
      const left = load<u8>(sides + (<usize>node << 8) + byte);
      node = left ? <i32>load<i16>(at, 4) : <i32>load<i16>(at, 6);
    } while (node >= 0);
    const to = scores + (<usize>i << 2);
    store<f32>(to, load<f32>(to) + load<f32>(leaves + (<usize>~node << 2)));
  }
}
