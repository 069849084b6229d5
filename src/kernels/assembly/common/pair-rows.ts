// Lambdas between one document and those after it, four at a time: a row of the pairs of a query. What is added to the
// others' lambdas is taken from the row's own.

import { addToBoth, at, countOf, exp4 } from './float4';
import { overDistance } from './separable-row';

/** Pairs with a lambda so far, in four sums. */
let effective: v128 = i32x4.splat(0);

@inline export function countNone(): void {
  effective = i32x4.splat(0);
}

@inline export function countMore(pairs: i32): void {
  effective = i32x4.add(effective, i32x4(pairs, 0, 0, 0));
}

@inline export function counted(): i32 {
  return countOf(effective);
}

/** Weights of the pairs (a, b..b+3): max(|gain_b - gain_a| |upper_a - slope_a lower_b|, floor), 0 for no pair. */
@inline function weightOf(takesPart: v128, gainA: v128, gainB: v128, upper: v128, slope: v128, lowerB: v128, least: v128): v128 {
  const change = f32x4.mul(f32x4.sub(gainB, gainA), f32x4.sub(upper, f32x4.mul(slope, lowerB)));
  return v128.and(f32x4.pmax(f32x4.abs(change), least), takesPart);
}

/** How a pair pulls by its scores; the last two for scores too far apart to factor, with an exponential a pair. */
const LOGISTIC: i32 = 0;
const BELL: i32 = 1;
const EXACT: i32 = 2;

/**
 * The row of rank a: its pairs with the ranks after it. `values` are powers of e, precomputed, where the factor has
 * them, else scores. `shift` moves the better-labelled document of the bell, as a factor where there are powers.
 * `near` above 0, with scores: each pair is divided by that and how far apart its scores are.
 */
@inline function row(
  factor: i32, bell: i32, a: i32, n: i32, values: usize, label: usize, tier: usize, gain: usize, lower: usize,
  upperA: f32, slopeA: f32, floor: f32, shift: f32, near: f32, lambda: usize, hessian: usize,
): void {
  const valueA = v128.load32_splat(at(values, a));
  const labelA = v128.load32_splat(at(label, a));
  const tierA = v128.load32_splat(at(tier, a));
  const gainA = v128.load32_splat(at(gain, a));
  const upper = f32x4.splat(upperA);
  const slope = f32x4.splat(slopeA);
  const least = f32x4.splat(floor);
  const shifted = f32x4.splat(shift);
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  const span = f32x4.splat(87);
  let lambdaA = zero;
  let hessianA = zero;
  let count = effective;
  for (let b = <usize>(a + 1) << 2, end = <usize>n << 2; b < end; b += 16) {
    const labelB = v128.load(label + b);
    const takesPart = v128.and(f32x4.eq(v128.load(tier + b), tierA), f32x4.ne(labelB, labelA));
    const weight = weightOf(takesPart, gainA, v128.load(gain + b), upper, slope, v128.load(lower + b), least);
    const aIsBetter = f32x4.gt(labelA, labelB);
    const valueB = v128.load(values + b);
    let pairLambda: v128;
    let bend: v128;
    if (factor == LOGISTIC) {
      // With p = e^a / (e^a + e^b) and q = 1 - p: weight q where the better-labelled is a, weight p where it is b.
      const shared = f32x4.div(one, f32x4.add(valueA, valueB));
      const p = f32x4.mul(valueA, shared);
      const q = f32x4.mul(valueB, shared); // not 1 - p, which would lose the digits of a small q
      pairLambda = f32x4.mul(weight, v128.bitselect(q, f32x4.neg(p), aIsBetter));
      bend = f32x4.mul(f32x4.mul(weight, p), q);
    } else if (factor == BELL) {
      // p (1 - p), p = e^(better + shift) / (e^(better + shift) + e^worse).
      const better = f32x4.mul(v128.bitselect(valueA, valueB, aIsBetter), shifted);
      const worse = v128.bitselect(valueB, valueA, aIsBetter);
      const shared = f32x4.div(one, f32x4.add(better, worse));
      const p = f32x4.mul(better, shared);
      const q = f32x4.mul(worse, shared);
      const size = f32x4.mul(f32x4.mul(weight, p), q);
      pairLambda = v128.xor(size, v128.andnot(i32x4.splat(0x80000000), aIsBetter));
      bend = f32x4.mul(size, f32x4.sub(p, q));
    } else {
      const flip = v128.andnot(i32x4.splat(0x80000000), aIsBetter);
      const o = f32x4.add(v128.xor(f32x4.sub(valueA, valueB), flip), shifted);
      // q = 1 / (1 + e^o), from the side on which the power does not overflow
      const small = exp4(f32x4.neg(f32x4.pmin(f32x4.abs(o), span)));
      const tail = f32x4.div(small, f32x4.add(one, small));
      const q = v128.bitselect(tail, f32x4.sub(one, tail), f32x4.gt(o, zero));
      const product = f32x4.mul(tail, f32x4.sub(one, tail));
      const own = near > 0 ? overDistance(weight, valueA, valueB, near) : weight;
      const size = f32x4.mul(own, bell ? product : q);
      bend = f32x4.mul(own, bell ? f32x4.mul(product, f32x4.sub(one, f32x4.add(q, q))) : product);
      pairLambda = v128.xor(size, flip);
    }
    count = i32x4.sub(count, f32x4.ne(pairLambda, zero));
    lambdaA = f32x4.add(lambdaA, pairLambda);
    hessianA = f32x4.add(hessianA, bend);
    v128.store(lambda + b, f32x4.sub(v128.load(lambda + b), pairLambda));
    v128.store(hessian + b, f32x4.add(v128.load(hessian + b), bend));
  }
  effective = count;
  addToBoth(lambda, lambdaA, hessian, hessianA, a);
}

/** From powers. */
export function rowLogistic(
  a: i32, n: i32, powers: usize, label: usize, tier: usize, gain: usize, lower: usize,
  upperA: f32, slopeA: f32, floor: f32, lambda: usize, hessian: usize,
): void {
  row(LOGISTIC, 0, a, n, powers, label, tier, gain, lower, upperA, slopeA, floor, 0, 0, lambda, hessian);
}

/** From powers; `lift` is e^shift. */
export function rowBell(
  a: i32, n: i32, powers: usize, label: usize, tier: usize, gain: usize, lower: usize,
  upperA: f32, slopeA: f32, floor: f32, lift: f32, lambda: usize, hessian: usize,
): void {
  row(BELL, 1, a, n, powers, label, tier, gain, lower, upperA, slopeA, floor, lift, 0, lambda, hessian);
}

/** Either factor, from scores. */
export function rowExact(
  a: i32, n: i32, scores: usize, label: usize, tier: usize, gain: usize, lower: usize,
  upperA: f32, slopeA: f32, floor: f32, bell: i32, shift: f32, near: f32, lambda: usize, hessian: usize,
): void {
  row(EXACT, bell, a, n, scores, label, tier, gain, lower, upperA, slopeA, floor, shift, near, lambda, hessian);
}

/**
 * Document a against the documents b.. of lower labels, for any table form: max(|gain_b - gain_a| |upper - slope
 * lower|, floor), upper and slope of the document that is ranked higher, lower of the other. From powers, for the
 * logistic factor.
 */
export function rowTables(a: i32, b: i32, m: i32, ranks: usize, upper: usize, slope: usize, lower: usize, gain: usize, floor: f32, power: usize, lambda: usize, hessian: usize): void {
  const rankA = v128.load32_splat(at(ranks, a));
  const upperA = v128.load32_splat(at(upper, a));
  const slopeA = v128.load32_splat(at(slope, a));
  const lowerA = v128.load32_splat(at(lower, a));
  const gainA = v128.load32_splat(at(gain, a));
  const powerA = v128.load32_splat(at(power, a));
  const least = f32x4.splat(floor);
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  let lambdaA = zero;
  let bendA = zero;
  let count = effective;
  for (let o = <usize>b << 2, end = <usize>m << 2; o < end; o += 16) {
    const under = f32x4.sub(upperA, f32x4.mul(slopeA, v128.load(lower + o)));
    const over = f32x4.sub(v128.load(upper + o), f32x4.mul(v128.load(slope + o), lowerA));
    const factor = v128.bitselect(under, over, f32x4.gt(v128.load(ranks + o), rankA));
    const change = f32x4.mul(factor, f32x4.sub(gainA, v128.load(gain + o)));
    const powerB = v128.load(power + o);
    const shared = f32x4.div(one, f32x4.add(powerA, powerB));
    const pairLambda = f32x4.mul(f32x4.pmax(f32x4.abs(change), least), f32x4.mul(powerB, shared));
    const bend = f32x4.mul(pairLambda, f32x4.mul(powerA, shared));
    count = i32x4.sub(count, f32x4.gt(pairLambda, zero));
    lambdaA = f32x4.add(lambdaA, pairLambda);
    bendA = f32x4.add(bendA, bend);
    v128.store(lambda + o, f32x4.sub(v128.load(lambda + o), pairLambda));
    v128.store(hessian + o, f32x4.add(v128.load(hessian + o), bend));
  }
  effective = count;
  addToBoth(lambda, lambdaA, hessian, bendA, a);
}
