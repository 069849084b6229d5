// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Lambda and hessian of rows, side by side in float32: their magnitudes, and the integers that trees are grown from.

/** The same hessian for all of consecutive rows. */
export function setHessian(lambdas: usize, first: i32, last: i32, value: f32): void {
  for (let o = lambdas + (<usize>first << 3), end = lambdas + (<usize>last << 3); o < end; o += 8) store<f32>(o, value, 4);
}

/** Sums of |lambda| and of hessian over consecutive rows, in row order. */
export function sumMagnitudes(lambdas: usize, first: i32, last: i32, out: usize): void {
  let total = f64x2.splat(0);
  for (let o = lambdas + (<usize>first << 3), end = lambdas + (<usize>last << 3); o < end; o += 8) {
    total = f64x2.add(total, f64x2.abs(f64x2.promote_low_f32x4(v128.load64_zero(o))));
  }
  v128.store(out, total);
}

/** Lambda and hessian of consecutive places as 32-bit integers, from the rows that `order` has there. */
export function quantise(
  lambdas: usize, order: usize, first: i32, last: i32, lambdaScale: f32, hessianScale: f32, records: usize, recordBytes: usize,
): void {
  const scale = f32x4(lambdaScale, hessianScale, 0, 0);
  for (let i = first; i < last; i++) {
    const own = v128.load64_zero(lambdas + (<usize>load<u32>(order + (<usize>i << 2)) << 3));
    v128.store64_lane(records + <usize>i * recordBytes, i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(own, scale))), 0);
  }
}
