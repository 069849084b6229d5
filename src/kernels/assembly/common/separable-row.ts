// The pairs of one document under a separable swap change, which two kernels spend their time on.

import { addTo, at, countOf } from './float4';

/**
 * Document a against the documents b.. of lower labels, positions by label: each pair weighs |(worth_a - worth_b)(gain_a - gain_b)|.
 * From powers, for the logistic factor. Returns the pairs with a force.
 */
export function rowSeparable(
  a: i32, b: i32, m: i32, worth: usize, gain: usize, power: usize, lambda: usize, curvature: usize,
): i32 {
  const worthA = v128.load32_splat(at(worth, a));
  const gainA = v128.load32_splat(at(gain, a));
  const powerA = v128.load32_splat(at(power, a));
  const one = f32x4.splat(1);
  let forceA = f32x4.splat(0);
  let bendA = f32x4.splat(0);
  let count = i32x4.splat(0);
  for (let o = <usize>b << 2, end = <usize>m << 2; o < end; o += 16) {
    const change = f32x4.mul(f32x4.sub(worthA, v128.load(worth + o)), f32x4.sub(gainA, v128.load(gain + o)));
    const powerB = v128.load(power + o);
    const shared = f32x4.div(one, f32x4.add(powerA, powerB));
    const force = f32x4.mul(f32x4.abs(change), f32x4.mul(powerB, shared));
    const bend = f32x4.mul(force, f32x4.mul(powerA, shared));
    count = i32x4.sub(count, f32x4.gt(force, f32x4.splat(0)));
    forceA = f32x4.add(forceA, force);
    bendA = f32x4.add(bendA, bend);
    v128.store(lambda + o, f32x4.sub(v128.load(lambda + o), force));
    v128.store(curvature + o, f32x4.add(v128.load(curvature + o), bend));
  }
  addTo(lambda, a, forceA);
  addTo(curvature, a, bendA);
  return countOf(count);
}
