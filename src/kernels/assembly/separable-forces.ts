// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Forces of all pairs for measures with a separable swap change, over many queries in one call: what boosting spends its time
// on besides histograms. The reference is src/objectives/pairs/pair-forces.ts.
//
// Documents of a query are laid out by label, best first, once and for all: the partners of a document are then contiguous, and
// no pair needs its labels compared. Ranks are counted over the documents in row order, so that equal scores rank by that.

import { at, exp4, rankOf, sum } from './common/float4';

let effective: v128 = i32x4.splat(0);

/** Document a against the documents b.. of lower labels, from precomputed powers. */
function row(a: i32, b: i32, m: i32, worth: usize, gain: usize, power: usize, lambda: usize, curvature: usize): void {
  const worthA = v128.load32_splat(at(worth, a));
  const gainA = v128.load32_splat(at(gain, a));
  const powerA = v128.load32_splat(at(power, a));
  const one = f32x4.splat(1);
  let forceA = f32x4.splat(0);
  let bendA = f32x4.splat(0);
  let count = effective;
  for (let o = <usize>b << 2, end = <usize>m << 2; o < end; o += 16) {
    const weight = f32x4.mul(f32x4.abs(f32x4.sub(worthA, v128.load(worth + o))), f32x4.sub(gainA, v128.load(gain + o)));
    const powerB = v128.load(power + o);
    const shared = f32x4.div(one, f32x4.add(powerA, powerB));
    const force = f32x4.mul(weight, f32x4.mul(powerB, shared));
    const bend = f32x4.mul(force, f32x4.mul(powerA, shared));
    count = i32x4.sub(count, f32x4.gt(force, f32x4.splat(0)));
    forceA = f32x4.add(forceA, force);
    bendA = f32x4.add(bendA, bend);
    v128.store(lambda + o, f32x4.sub(v128.load(lambda + o), force));
    v128.store(curvature + o, f32x4.add(v128.load(curvature + o), bend));
  }
  effective = count;
  store<f32>(at(lambda, a), load<f32>(at(lambda, a)) + sum(forceA));
  store<f32>(at(curvature, a), load<f32>(at(curvature, a)) + sum(bendA));
}

/** The same with an exponential a pair, for scores too far apart for their powers. */
function rowExact(a: i32, b: i32, m: i32, worth: usize, gain: usize, score: usize, lambda: usize, curvature: usize): void {
  const worthA = v128.load32_splat(at(worth, a));
  const gainA = v128.load32_splat(at(gain, a));
  const scoreA = v128.load32_splat(at(score, a));
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  let forceA = zero;
  let bendA = zero;
  let count = effective;
  for (let o = <usize>b << 2, end = <usize>m << 2; o < end; o += 16) {
    const weight = f32x4.mul(f32x4.abs(f32x4.sub(worthA, v128.load(worth + o))), f32x4.sub(gainA, v128.load(gain + o)));
    const apart = f32x4.sub(scoreA, v128.load(score + o));
    const small = exp4(f32x4.neg(f32x4.pmin(f32x4.abs(apart), f32x4.splat(87))));
    const tail = f32x4.div(small, f32x4.add(one, small));
    const other = f32x4.sub(one, tail);
    const inside = f32x4.gt(f32x4.splat(Infinity), apart); // padding has score -infinity
    const force = v128.and(f32x4.mul(weight, v128.bitselect(tail, other, f32x4.gt(apart, zero))), inside);
    const bend = v128.and(f32x4.mul(weight, f32x4.mul(tail, other)), inside);
    count = i32x4.sub(count, f32x4.gt(force, zero));
    forceA = f32x4.add(forceA, force);
    bendA = f32x4.add(bendA, bend);
    v128.store(lambda + o, f32x4.sub(v128.load(lambda + o), force));
    v128.store(curvature + o, f32x4.add(v128.load(curvature + o), bend));
  }
  effective = count;
  store<f32>(at(lambda, a), load<f32>(at(lambda, a)) + sum(forceA));
  store<f32>(at(curvature, a), load<f32>(at(curvature, a)) + sum(bendA));
}

/**
 * One query of n documents, m of them judged; rows are its scores and forces. By position in label order: `gain`, `end` (the
 * first position with a lower label), `place` (the document). `worth` is by rank. `scratch` has room for 6 arrays of n + 24.
 */
function query(
  n: i32, m: i32, place: usize, gain: usize, end: usize, worth: usize, scores: usize, norm: f32, scratch: usize,
  lambdaOut: usize, curvatureOut: usize,
): void {
  const stride = (<usize>(n + 3) & ~3) * 4 + 80;
  const tied = scratch;
  const score = tied + stride;
  const ranked = score + stride;
  const power = ranked + stride;
  const lambda = power + stride;
  const curvature = lambda + stride;
  let highest: f32 = -Infinity;
  let lowest: f32 = Infinity;
  for (let i = 0; i < n; i++) {
    const s = load<f32>(at(scores, i));
    store<f32>(at(tied, i), s);
    highest = max(highest, s);
    lowest = min(lowest, s);
  }
  for (let i = n; i < ((n + 3) & ~3); i++) store<f32>(at(tied, i), -Infinity);
  for (let p = 0; p < m; p++) {
    const i = load<i32>(at(place, p));
    store<f32>(at(score, p), load<f32>(at(tied, i)));
    store<f32>(at(ranked, p), load<f32>(at(worth, rankOf(tied, n, i))) * norm);
  }
  const factored = highest - lowest <= 80;
  const top = f32x4.splat(highest);
  for (let p = 0; p < m; p += 4) v128.store(at(power, p), exp4(f32x4.max(f32x4.sub(v128.load(at(score, p)), top), f32x4.splat(-87))));
  // Padding pulls nobody: power 0 where powers are used, score -infinity where scores are.
  v128.store(at(ranked, m), f32x4.splat(0));
  v128.store(at(power, m), f32x4.splat(0));
  v128.store(at(score, m), f32x4.splat(-Infinity));
  memory.fill(lambda, 0, stride);
  memory.fill(curvature, 0, stride);
  for (let a = 0; a < m; a++) {
    const b = load<i32>(at(end, a));
    if (b >= m) break;
    if (factored) row(a, b, m, ranked, gain, power, lambda, curvature);
    else rowExact(a, b, m, ranked, gain, score, lambda, curvature);
  }
  for (let p = 0; p < m; p++) {
    const i = load<i32>(at(place, p));
    store<f32>(at(lambdaOut, i), load<f32>(at(lambda, p)));
    store<f32>(at(curvatureOut, i), load<f32>(at(curvature, p)));
  }
}

/** Queries `first` to `last`. Per query: offsets (rows), judged (count), norm (NaN: no forces), worth by rank at its offset. */
export function forcesOfQueries(
  first: i32, last: i32, offsets: usize, judged: usize, norms: usize, place: usize, gain: usize, end: usize, worth: usize,
  scores: usize, scratch: usize, lambda: usize, curvature: usize,
): i32 {
  effective = i32x4.splat(0);
  for (let q = first; q < last; q++) {
    const start = load<i32>(at(offsets, q));
    const n = load<i32>(at(offsets, q + 1)) - start;
    const norm = load<f32>(at(norms, q));
    if (norm != norm) continue;
    query(
      n, load<i32>(at(judged, q)), at(place, start), at(gain, start), at(end, start), at(worth, start), at(scores, start), norm,
      scratch, at(lambda, start), at(curvature, start),
    );
  }
  return i32x4.extract_lane(effective, 0) + i32x4.extract_lane(effective, 1) + i32x4.extract_lane(effective, 2) + i32x4.extract_lane(effective, 3);
}
