// The pairs of one document under a separable swap change, which two kernels spend their time on.

import { addToBoth, at, countOf } from './float4';

/** Weights of pairs over how far apart their scores are, and `near` more. */
@inline export function overDistance(weight: v128, scoreA: v128, scoreB: v128, near: f32): v128 {
  return f32x4.div(weight, f32x4.add(f32x4.splat(near), f32x4.abs(f32x4.sub(scoreA, scoreB))));
}

/** Of the row at work: its lambda and hessian, and pairs with a lambda, in four sums each. */
let lambdaOfRow: v128 = f32x4.splat(0);
let bendOfRow: v128 = f32x4.splat(0);
let effective: v128 = i32x4.splat(0);

/**
 * Document a against the documents b.. of lower labels, positions by label: each pair weighs |(worth_a -
 * worth_b)(gain_a - gain_b)|, over near + |score_a - score_b| where near is above 0. From powers, for the logistic
 * factor; their products and sums are within the range of float32. Returns the pairs with a lambda.
 *
 * Against those of the `higher` first documents, of higher labels, too, whose rank has no discount: done for every
 * document whose rank has one, these are all pairs with a weight.
 */
export function rowSeparable(
  a: i32, higher: i32, b: i32, m: i32, discount: usize, gain: usize, score: usize, near: f32, power: usize, lambda: usize, hessian: usize,
): i32 {
  lambdaOfRow = f32x4.splat(0);
  bendOfRow = f32x4.splat(0);
  effective = i32x4.splat(0);
  if (near > 0) {
    if (higher > 0) pull(true, true, a, 0, higher, discount, gain, score, near, power, lambda, hessian);
    pull(true, false, a, b, m, discount, gain, score, near, power, lambda, hessian);
  } else {
    if (higher > 0) pull(false, true, a, 0, higher, discount, gain, score, near, power, lambda, hessian);
    pull(false, false, a, b, m, discount, gain, score, near, power, lambda, hessian);
  }
  addToBoth(lambda, lambdaOfRow, hessian, bendOfRow, a);
  return countOf(effective);
}

/** Compiled four times: a pair of unit distance needs neither scores nor their difference. */
@inline function pull(
  close: bool, above: bool, a: i32, first: i32, last: i32, discount: usize, gain: usize, score: usize, near: f32,
  power: usize, lambda: usize, hessian: usize,
): void {
  const discountA = v128.load32_splat(at(discount, a));
  const gainA = v128.load32_splat(at(gain, a));
  const powerA = v128.load32_splat(at(power, a));
  const scoreA = v128.load32_splat(at(score, a));
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const least = f32x4.splat(near);
  const size = i32x4.splat(0x7fffffff); // f32x4.abs would be three instructions
  let lambdaA = lambdaOfRow;
  let bendA = bendOfRow;
  let count = effective;
  let left = i32x4.sub(i32x4.splat(last), i32x4(0, 1, 2, 3));
  for (let o = <usize>first << 2, end = <usize>last << 2; o < end; o += 16) {
    const discountB = v128.load(discount + o);
    let change = v128.and(f32x4.mul(f32x4.sub(discountA, discountB), f32x4.sub(gainA, v128.load(gain + o))), size);
    if (above) {
      change = v128.and(change, v128.and(f32x4.eq(discountB, zero), i32x4.gt_s(left, zero)));
      left = i32x4.sub(left, i32x4.splat(4));
    }
    const powerB = v128.load(power + o);
    const powers = f32x4.add(powerA, powerB);
    const worse = above ? powerA : powerB;
    const better = above ? powerB : powerA;
    let pairLambda: v128;
    let bend: v128;
    if (close) {
      const distance = f32x4.add(least, v128.and(f32x4.sub(scoreA, v128.load(score + o)), size));
      // Powers first: beside them a large change would be beyond float32.
      pairLambda = f32x4.mul(change, f32x4.div(worse, f32x4.mul(powers, distance)));
      bend = f32x4.div(f32x4.mul(pairLambda, better), powers);
    } else {
      const shared = f32x4.div(one, powers);
      pairLambda = f32x4.mul(change, f32x4.mul(worse, shared));
      bend = f32x4.mul(pairLambda, f32x4.mul(better, shared));
    }
    count = i32x4.sub(count, f32x4.gt(pairLambda, zero));
    const before = v128.load(lambda + o);
    lambdaA = above ? f32x4.sub(lambdaA, pairLambda) : f32x4.add(lambdaA, pairLambda);
    bendA = f32x4.add(bendA, bend);
    v128.store(lambda + o, above ? f32x4.add(before, pairLambda) : f32x4.sub(before, pairLambda));
    v128.store(hessian + o, f32x4.add(v128.load(hessian + o), bend));
  }
  lambdaOfRow = lambdaA;
  bendOfRow = bendA;
  effective = count;
}
