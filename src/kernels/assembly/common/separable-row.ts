// The pairs of one document under a separable swap change, which two kernels spend their time on.

import { addTo, at, countOf } from './float4';

/**
 * Document a against the documents b.. of lower labels, positions by label: each pair weighs |(worth_a -
 * worth_b)(gain_a - gain_b)|. From powers, for the logistic factor. Returns the pairs with a lambda.
 */
export function rowSeparable(
  a: i32, b: i32, m: i32, discount: usize, gain: usize, power: usize, lambda: usize, hessian: usize,
): i32 {
  const discountA = v128.load32_splat(at(discount, a));
  const gainA = v128.load32_splat(at(gain, a));
  const powerA = v128.load32_splat(at(power, a));
  const one = f32x4.splat(1);
  let lambdaA = f32x4.splat(0);
  let bendA = f32x4.splat(0);
  let count = i32x4.splat(0);
  for (let o = <usize>b << 2, end = <usize>m << 2; o < end; o += 16) {
    const change = f32x4.mul(f32x4.sub(discountA, v128.load(discount + o)), f32x4.sub(gainA, v128.load(gain + o)));
    const powerB = v128.load(power + o);
    const shared = f32x4.div(one, f32x4.add(powerA, powerB));
    const pairLambda = f32x4.mul(f32x4.abs(change), f32x4.mul(powerB, shared));
    const bend = f32x4.mul(pairLambda, f32x4.mul(powerA, shared));
    count = i32x4.sub(count, f32x4.gt(pairLambda, f32x4.splat(0)));
    lambdaA = f32x4.add(lambdaA, pairLambda);
    bendA = f32x4.add(bendA, bend);
    v128.store(lambda + o, f32x4.sub(v128.load(lambda + o), pairLambda));
    v128.store(hessian + o, f32x4.add(v128.load(hessian + o), bend));
  }
  addTo(lambda, a, lambdaA);
  addTo(hessian, a, bendA);
  return countOf(count);
}
