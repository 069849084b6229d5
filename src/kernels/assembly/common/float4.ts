// What kernels over four float32 values at a time share.

@inline export function at(base: usize, i: i32): usize {
  return base + (<usize>i << 2);
}

@inline export function sum(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3);
}

/** value[i] += the sum of the lanes of one, from the first to the last, and other[i] += that of the other. */
@inline export function addToBoth(value: usize, more: v128, other: usize, otherMore: v128, i: i32): void {
  const two = v128.shuffle<i32>(more, otherMore, 0, 4, 1, 5);
  const last = v128.shuffle<i32>(more, otherMore, 2, 6, 3, 7);
  const three = f32x4.add(f32x4.add(two, v128.shuffle<i32>(two, two, 2, 3, 2, 3)), last);
  const sums = f32x4.add(three, v128.shuffle<i32>(last, last, 2, 3, 2, 3));
  store<f32>(at(value, i), load<f32>(at(value, i)) + f32x4.extract_lane(sums, 0));
  store<f32>(at(other, i), load<f32>(at(other, i)) + f32x4.extract_lane(sums, 1));
}

/** e^x for |x| <= 87, relative error about 2e-7: 2^k e^f with f = x - k ln 2 in two parts, to lose no digits. */
@inline export function exp4(x: v128): v128 {
  const k = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.44269504)));
  const f = f32x4.add(f32x4.sub(x, f32x4.mul(k, f32x4.splat(0.693359375))), f32x4.mul(k, f32x4.splat(2.12194440e-4)));
  let p = f32x4.splat(1.0 / 720);
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(1.0 / 120));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(1.0 / 24));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(1.0 / 6));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(0.5));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(1));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(1));
  return f32x4.mul(p, i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(k), i32x4.splat(127)), 23));
}

/** Four counts, added up. */
@inline export function countOf(lanes: v128): i32 {
  return i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1) + i32x4.extract_lane(lanes, 2) + i32x4.extract_lane(lanes, 3);
}
