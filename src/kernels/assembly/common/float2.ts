// What kernels over two float64 values at a time share.
import { NORMAL_LAST, NORMAL_TABLE, NORMAL_TERMS } from '../layouts/smooth-ranks';

@inline export function wide(base: usize, i: i32): usize {
  return base + (<usize>i << 3);
}

@inline export function sum2(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}

/** Added to a number below 2^51, it leaves the nearest whole number in the low bits. */
const ROUNDING: f64 = 6755399441055744;

/** 1 over the factorials of 11 to 0, and then 1 / ln 2, ROUNDING, ln 2 in two parts: read faster than written down. */
const EXPONENTIAL = memory.data<f64>([
  1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1,
  1.4426950408889634, 6755399441055744, 0.693147180369123816490, 1.90821492927058770002e-10,
]);

@inline function constant(k: i32): v128 {
  return v128.load64_splat(EXPONENTIAL + (<usize>k << 3));
}

@inline function mulAdd(a: v128, b: v128, c: v128): v128 {
  return f64x2.add(f64x2.mul(a, b), c);
}

/**
 * e^x for -700 <= x <= 700, relative error about 1e-14: 2^k e^f with f = x - k ln 2 in two parts, to lose no digits.
 */
@inline export function exp2(x: v128): v128 {
  const rounded = mulAdd(x, constant(12), constant(13));
  const k = f64x2.sub(rounded, constant(13));
  const f = f64x2.sub(f64x2.sub(x, f64x2.mul(k, constant(14))), f64x2.mul(k, constant(15)));
  let p = mulAdd(constant(0), f, constant(1));
  p = mulAdd(p, f, constant(2));
  p = mulAdd(p, f, constant(3));
  p = mulAdd(p, f, constant(4));
  p = mulAdd(p, f, constant(5));
  p = mulAdd(p, f, constant(6));
  p = mulAdd(p, f, constant(7));
  p = mulAdd(p, f, constant(8));
  p = mulAdd(p, f, constant(9));
  p = mulAdd(p, f, constant(10));
  p = mulAdd(p, f, constant(11));
  // k is in the low bits of `rounded`: added to the exponent of p.
  return i64x2.add(p, i64x2.shl(rounded, 52));
}

/** Lanes: the second of a, the first of b. */
@inline export function between(a: v128, b: v128): v128 {
  return i64x2.shuffle(a, b, 1, 2);
}

/** As with EXPONENTIAL: the last entry, ROUNDING, the bit of the sign, a half. */
const NORMAL = memory.data<u64>([
  reinterpret<u64>(<f64>NORMAL_LAST), reinterpret<u64>(ROUNDING), 0x8000000000000000, reinterpret<u64>(<f64>0.5),
]);

/**
 * P(Z <= x), exactly 0 or 1 beyond the ends of the table, and the density there, which goes to `density`; for x in
 * distances between two entries of the table, and the density by that unit. The table has the Taylor series of both
 * around each entry (src/kernels/normal-table.ts).
 */
@inline export function normal2(x: v128, density: usize): v128 {
  const sign = v128.load64_splat(NORMAL, 16);
  const rounding = v128.load64_splat(NORMAL, 8);
  const apart = f64x2.pmin(v128.load64_splat(NORMAL), v128.andnot(x, sign));
  const rounded = f64x2.add(apart, rounding);
  const d = f64x2.sub(apart, f64x2.sub(rounded, rounding));
  const first = <usize>i32x4.extract_lane(rounded, 0) * (8 * NORMAL_TERMS);
  const second = <usize>i32x4.extract_lane(rounded, 2) * (8 * NORMAL_TERMS);
  const a4 = v128.load(first, NORMAL_TABLE + 32);
  const b4 = v128.load(second, NORMAL_TABLE + 32);
  const a2 = v128.load(first, NORMAL_TABLE + 16);
  const b2 = v128.load(second, NORMAL_TABLE + 16);
  const a0 = v128.load(first, NORMAL_TABLE);
  const b0 = v128.load(second, NORMAL_TABLE);
  // Horner's rule for the series and its derivative at once.
  let slope = i64x2.shuffle(a4, b4, 1, 3);
  let value = f64x2.add(f64x2.mul(slope, d), i64x2.shuffle(a4, b4, 0, 2));
  slope = f64x2.add(f64x2.mul(slope, d), value);
  value = f64x2.add(f64x2.mul(value, d), i64x2.shuffle(a2, b2, 1, 3));
  slope = f64x2.add(f64x2.mul(slope, d), value);
  value = f64x2.add(f64x2.mul(value, d), i64x2.shuffle(a2, b2, 0, 2));
  slope = f64x2.add(f64x2.mul(slope, d), value);
  value = f64x2.add(f64x2.mul(value, d), i64x2.shuffle(a0, b0, 1, 3));
  slope = f64x2.add(f64x2.mul(slope, d), value);
  value = f64x2.add(f64x2.mul(value, d), i64x2.shuffle(a0, b0, 0, 2));
  v128.store(density, slope);
  return f64x2.add(v128.load64_splat(NORMAL, 24), v128.or(value, v128.and(x, sign)));
}
