// The pairs of one document under a separable swap change, which two kernels spend their time on.

import { addToBoth, at, countOf } from './float4';

/** Weights of pairs over how far apart their scores are, and `near` more. */
@inline export function overDistance(weight: v128, scoreA: v128, scoreB: v128, near: f32): v128 {
  return f32x4.div(weight, f32x4.add(f32x4.splat(near), f32x4.abs(f32x4.sub(scoreA, scoreB))));
}

/**
 * Document a against the documents b.. of lower labels, positions by label: each pair weighs |(worth_a -
 * worth_b)(gain_a - gain_b)|, over near + |score_a - score_b| where near is above 0. From powers, for the logistic
 * factor. Returns the pairs with a lambda.
 */
export function rowSeparable(
  a: i32, b: i32, m: i32, discount: usize, gain: usize, score: usize, near: f32, power: usize, lambda: usize, hessian: usize,
): i32 {
  return near > 0
    ? row(true, a, b, m, discount, gain, score, near, power, lambda, hessian)
    : row(false, a, b, m, discount, gain, score, near, power, lambda, hessian);
}

/** Compiled twice: a pair of unit distance needs neither scores nor their difference. */
@inline function row(
  close: bool, a: i32, b: i32, m: i32, discount: usize, gain: usize, score: usize, near: f32, power: usize, lambda: usize, hessian: usize,
): i32 {
  const discountA = v128.load32_splat(at(discount, a));
  const gainA = v128.load32_splat(at(gain, a));
  const powerA = v128.load32_splat(at(power, a));
  const scoreA = v128.load32_splat(at(score, a));
  const least = f32x4.splat(near);
  const one = f32x4.splat(1);
  let lambdaA = f32x4.splat(0);
  let bendA = f32x4.splat(0);
  let count = i32x4.splat(0);
  for (let o = <usize>b << 2, end = <usize>m << 2; o < end; o += 16) {
    const change = f32x4.mul(f32x4.sub(discountA, v128.load(discount + o)), f32x4.sub(gainA, v128.load(gain + o)));
    const powerB = v128.load(power + o);
    const powers = f32x4.add(powerA, powerB);
    let pairLambda: v128;
    let bend: v128;
    if (close) {
      // One division for both: over the powers and over the distance.
      const distance = f32x4.add(least, f32x4.abs(f32x4.sub(scoreA, v128.load(score + o))));
      const shared = f32x4.div(one, f32x4.mul(powers, distance));
      pairLambda = f32x4.mul(f32x4.abs(change), f32x4.mul(powerB, shared));
      bend = f32x4.mul(pairLambda, f32x4.mul(powerA, f32x4.mul(shared, distance)));
    } else {
      const shared = f32x4.div(one, powers);
      pairLambda = f32x4.mul(f32x4.abs(change), f32x4.mul(powerB, shared));
      bend = f32x4.mul(pairLambda, f32x4.mul(powerA, shared));
    }
    count = i32x4.sub(count, f32x4.gt(pairLambda, f32x4.splat(0)));
    lambdaA = f32x4.add(lambdaA, pairLambda);
    bendA = f32x4.add(bendA, bend);
    v128.store(lambda + o, f32x4.sub(v128.load(lambda + o), pairLambda));
    v128.store(hessian + o, f32x4.add(v128.load(hessian + o), bend));
  }
  addToBoth(lambda, lambdaA, hessian, bendA, a);
  return countOf(count);
}
