// Forces of all pairs of one query, four pairs at a time in float32. The reference is src/objectives/pairs/pair-forces.ts.
//
// Everything is laid out by rank, so that the partners of a document are contiguous and only ranks above `depth` need a row of
// their own. Arrays are padded to four entries past n; padding has tier NaN, which equals nothing, so it is in no pair.

import { at, exp4, rankOf, sum } from './common/float4';
import { orderByMerging } from './common/order';

export { orderByMerging };

const INF: f32 = Infinity;

/** order[r] = document at rank r, equal scores in input order. Counting: quickest up to a few hundred documents. */
export function orderByCounting(scores: usize, n: i32, order: usize): void {
  for (let i = n; i < ((n + 3) & ~3); i++) store<f32>(at(scores, i), -INF);
  for (let i = 0; i < n; i++) store<i32>(at(order, rankOf(scores, n, i)), i);
}

/** byRank[r] = byDocument[order[r]]. */
export function gather(byDocument: usize, order: usize, n: i32, byRank: usize): void {
  for (let r = 0; r < n; r++) store<f32>(at(byRank, r), load<f32>(at(byDocument, load<i32>(at(order, r)))));
}

/** byDocument[order[r]] = byRank[r]. */
export function scatter(byRank: usize, order: usize, n: i32, byDocument: usize): void {
  for (let r = 0; r < n; r++) store<f32>(at(byDocument, load<i32>(at(order, r))), load<f32>(at(byRank, r)));
}

/** powers[r] = e^(score - highest); ranks are sorted, so the highest is the first. */
export function powersOf(scores: usize, n: i32, powers: usize): void {
  const highest = v128.load32_splat(scores);
  for (let r = 0; r < n; r += 4) v128.store(at(powers, r), exp4(f32x4.max(f32x4.sub(v128.load(at(scores, r)), highest), f32x4.splat(-87))));
}

let effective: v128 = i32x4.splat(0);

/** Weights of the pairs (a, b..b+3): max(norm |gain_b - gain_a| |upper_a - slope_a lower_b|, floor), 0 where they are no pair. */
@inline function weightOf(takesPart: v128, gainA: v128, gainB: v128, upper: v128, slope: v128, lowerB: v128, least: v128): v128 {
  const change = f32x4.mul(f32x4.sub(gainB, gainA), f32x4.sub(upper, f32x4.mul(slope, lowerB)));
  return v128.and(f32x4.pmax(f32x4.abs(change), least), takesPart);
}

/**
 * The row of rank a for the logistic factor, from precomputed powers: with p = e^a / (e^a + e^b) and q = 1 - p, the
 * better-labelled document is pushed up by weight q where it is a, by weight p where it is b.
 */
function rowLogistic(
  a: i32, n: i32, powers: usize, label: usize, tier: usize, gain: usize, lower: usize,
  upperA: f32, slopeA: f32, floor: f32, lambda: usize, curvature: usize,
): void {
  const powerA = v128.load32_splat(at(powers, a));
  const labelA = v128.load32_splat(at(label, a));
  const tierA = v128.load32_splat(at(tier, a));
  const gainA = v128.load32_splat(at(gain, a));
  const upper = f32x4.splat(upperA);
  const slope = f32x4.splat(slopeA);
  const least = f32x4.splat(floor);
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  let forceA = zero;
  let curvatureA = zero;
  let count = effective;
  for (let b = <usize>(a + 1) << 2, end = <usize>n << 2; b < end; b += 16) {
    const labelB = v128.load(label + b);
    const takesPart = v128.and(f32x4.eq(v128.load(tier + b), tierA), f32x4.ne(labelB, labelA));
    const weight = weightOf(takesPart, gainA, v128.load(gain + b), upper, slope, v128.load(lower + b), least);
    const powerB = v128.load(powers + b);
    const shared = f32x4.div(one, f32x4.add(powerA, powerB));
    const p = f32x4.mul(powerA, shared);
    const q = f32x4.mul(powerB, shared); // not 1 - p, which would lose the digits of a small q
    const force = f32x4.mul(weight, v128.bitselect(q, f32x4.neg(p), f32x4.gt(labelA, labelB)));
    const bend = f32x4.mul(f32x4.mul(weight, p), q);
    count = i32x4.sub(count, f32x4.ne(force, zero));
    forceA = f32x4.add(forceA, force);
    curvatureA = f32x4.add(curvatureA, bend);
    v128.store(lambda + b, f32x4.sub(v128.load(lambda + b), force));
    v128.store(curvature + b, f32x4.add(v128.load(curvature + b), bend));
  }
  effective = count;
  store<f32>(at(lambda, a), load<f32>(at(lambda, a)) + sum(forceA));
  store<f32>(at(curvature, a), load<f32>(at(curvature, a)) + sum(curvatureA));
}

/** The bell factor p (1 - p), p = e^(better + shift) / (e^(better + shift) + e^worse), from precomputed powers. */
function rowBell(
  a: i32, n: i32, powers: usize, label: usize, tier: usize, gain: usize, lower: usize,
  upperA: f32, slopeA: f32, floor: f32, lift: f32, lambda: usize, curvature: usize,
): void {
  const powerA = v128.load32_splat(at(powers, a));
  const labelA = v128.load32_splat(at(label, a));
  const tierA = v128.load32_splat(at(tier, a));
  const gainA = v128.load32_splat(at(gain, a));
  const upper = f32x4.splat(upperA);
  const slope = f32x4.splat(slopeA);
  const least = f32x4.splat(floor);
  const lifted = f32x4.splat(lift);
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  let forceA = zero;
  let curvatureA = zero;
  let count = effective;
  for (let b = <usize>(a + 1) << 2, end = <usize>n << 2; b < end; b += 16) {
    const labelB = v128.load(label + b);
    const takesPart = v128.and(f32x4.eq(v128.load(tier + b), tierA), f32x4.ne(labelB, labelA));
    const weight = weightOf(takesPart, gainA, v128.load(gain + b), upper, slope, v128.load(lower + b), least);
    const aIsBetter = f32x4.gt(labelA, labelB);
    const powerB = v128.load(powers + b);
    const better = f32x4.mul(v128.bitselect(powerA, powerB, aIsBetter), lifted);
    const worse = v128.bitselect(powerB, powerA, aIsBetter);
    const shared = f32x4.div(one, f32x4.add(better, worse));
    const p = f32x4.mul(better, shared);
    const q = f32x4.mul(worse, shared);
    const size = f32x4.mul(f32x4.mul(weight, p), q);
    const force = v128.xor(size, v128.andnot(i32x4.splat(0x80000000), aIsBetter));
    const bend = f32x4.mul(size, f32x4.sub(p, q));
    count = i32x4.sub(count, f32x4.ne(force, zero));
    forceA = f32x4.add(forceA, force);
    curvatureA = f32x4.add(curvatureA, bend);
    v128.store(lambda + b, f32x4.sub(v128.load(lambda + b), force));
    v128.store(curvature + b, f32x4.add(v128.load(curvature + b), bend));
  }
  effective = count;
  store<f32>(at(lambda, a), load<f32>(at(lambda, a)) + sum(forceA));
  store<f32>(at(curvature, a), load<f32>(at(curvature, a)) + sum(curvatureA));
}

/** Either factor with an exponential a pair, for scores too far apart to factor. */
function rowExact(
  a: i32, n: i32, scores: usize, label: usize, tier: usize, gain: usize, lower: usize,
  upperA: f32, slopeA: f32, floor: f32, bell: i32, shift: f32, lambda: usize, curvature: usize,
): void {
  const scoreA = v128.load32_splat(at(scores, a));
  const labelA = v128.load32_splat(at(label, a));
  const tierA = v128.load32_splat(at(tier, a));
  const gainA = v128.load32_splat(at(gain, a));
  const upper = f32x4.splat(upperA);
  const slope = f32x4.splat(slopeA);
  const least = f32x4.splat(floor);
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  const span = f32x4.splat(87);
  let forceA = zero;
  let curvatureA = zero;
  let count = effective;
  for (let b = <usize>(a + 1) << 2, end = <usize>n << 2; b < end; b += 16) {
    const labelB = v128.load(label + b);
    const takesPart = v128.and(f32x4.eq(v128.load(tier + b), tierA), f32x4.ne(labelB, labelA));
    const weight = weightOf(takesPart, gainA, v128.load(gain + b), upper, slope, v128.load(lower + b), least);
    const aIsBetter = f32x4.gt(labelA, labelB);
    const flip = v128.andnot(i32x4.splat(0x80000000), aIsBetter);
    const o = f32x4.add(v128.xor(f32x4.sub(scoreA, v128.load(scores + b)), flip), f32x4.splat(shift));
    // q = 1 / (1 + e^o), from the side on which the power does not overflow
    const small = exp4(f32x4.neg(f32x4.pmin(f32x4.abs(o), span)));
    const tail = f32x4.div(small, f32x4.add(one, small));
    const q = v128.bitselect(tail, f32x4.sub(one, tail), f32x4.gt(o, zero));
    const product = f32x4.mul(tail, f32x4.sub(one, tail));
    const size = f32x4.mul(weight, bell ? product : q);
    const bend = f32x4.mul(weight, bell ? f32x4.mul(product, f32x4.sub(one, f32x4.add(q, q))) : product);
    const force = v128.xor(size, flip);
    count = i32x4.sub(count, f32x4.ne(force, zero));
    forceA = f32x4.add(forceA, force);
    curvatureA = f32x4.add(curvatureA, bend);
    v128.store(lambda + b, f32x4.sub(v128.load(lambda + b), force));
    v128.store(curvature + b, f32x4.add(v128.load(curvature + b), bend));
  }
  effective = count;
  store<f32>(at(lambda, a), load<f32>(at(lambda, a)) + sum(forceA));
  store<f32>(at(curvature, a), load<f32>(at(curvature, a)) + sum(curvatureA));
}

/**
 * All pairs whose upper document is among the first `depth` ranks. `lambda` and `curvature` are cleared first. Returns the
 * number of pairs with a force. `bell` chooses the factor, `factored` the rows with precomputed powers; `lift` is e^shift.
 */
export function pairForces(
  n: i32, depth: i32, scores: usize, powers: usize, label: usize, tier: usize, gain: usize,
  upper: usize, slope: usize, lower: usize, norm: f32, floor: f32,
  bell: i32, shift: f32, lift: f32, factored: i32, lambda: usize, curvature: usize,
): i32 {
  memory.fill(lambda, 0, (<usize>n << 2) + 16);
  memory.fill(curvature, 0, (<usize>n << 2) + 16);
  effective = i32x4.splat(0);
  for (let a = 0; a < depth; a++) {
    const tierA = load<f32>(at(tier, a));
    if (tierA != tierA) continue;
    const upperA = load<f32>(at(upper, a)) * norm;
    const slopeA = load<f32>(at(slope, a)) * norm;
    if (!factored) rowExact(a, n, scores, label, tier, gain, lower, upperA, slopeA, floor, bell, shift, lambda, curvature);
    else if (bell) rowBell(a, n, powers, label, tier, gain, lower, upperA, slopeA, floor, lift, lambda, curvature);
    else rowLogistic(a, n, powers, label, tier, gain, lower, upperA, slopeA, floor, lambda, curvature);
  }
  return i32x4.extract_lane(effective, 0) + i32x4.extract_lane(effective, 1) + i32x4.extract_lane(effective, 2) + i32x4.extract_lane(effective, 3);
}
