// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Lambdas of all pairs of equal weight, or weighted by the separable swap change of a measure, over many queries in one
// call: what boosting spends its time on besides histograms. The reference is
// src/objectives/pairs/pair-lambdas.reference.ts.
//
// Documents of a query are laid out by label, best first, once and for all: the partners of a document are then
// contiguous, and no pair needs its labels compared. Ranks are taken over the documents in row order, so that equal
// scores rank by that. A pair of documents a, b with a the better labelled weighs |(worth_a - worth_b)(gain_a -
// gain_b)|, discount being that of its rank.

import { addToBoth, at, countOf, exp4 } from './common/float4';
import { orderByMerging } from './common/order';
import { overDistance, rowSeparable } from './common/separable-row';

/** Above this many ranks, merging beats insertion. */
const INSERTION_LIMIT: i32 = 1000;

/** Pairs with a lambda: of the rows at work in four sums, and of those before. */
let effective: v128 = i32x4.splat(0);
let pairs: f64 = 0;
/** Of the query at work, whose rows may be done in several calls. */
let factored: bool = false;
let topRows: i32 = 0; // documents at one of few ranks that count

@inline function countMore(more: i32): void {
  effective = i32x4.add(effective, i32x4(more, 0, 0, 0));
}

/**
 * Document a, which is at a top rank, against those of the `higher` first documents, of higher labels, that are not:
 * with `rowSeparable` for every document at a top rank, these are all pairs that count.
 */
function rowAbove(
  a: i32, higher: i32, outside: usize, discount: usize, gain: usize, score: usize, near: f32, power: usize, lambda: usize, hessian: usize,
): void {
  const discountA = v128.load32_splat(at(discount, a));
  const gainA = v128.load32_splat(at(gain, a));
  const powerA = v128.load32_splat(at(power, a));
  const scoreA = v128.load32_splat(at(score, a));
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  const least = f32x4.splat(near);
  let lambdaA = zero;
  let bendA = zero;
  let count = effective;
  let left = i32x4.sub(i32x4.splat(higher), i32x4(0, 1, 2, 3));
  for (let o: usize = 0, end = <usize>higher << 2; o < end; o += 16) {
    const takesPart = v128.and(v128.load(outside + o), i32x4.gt_s(left, i32x4.splat(0)));
    const apart = f32x4.sub(discountA, v128.load(discount + o));
    const change = v128.and(f32x4.abs(f32x4.mul(apart, f32x4.sub(v128.load(gain + o), gainA))), takesPart);
    const powerB = v128.load(power + o);
    // One division for both: over the powers and over the distance.
    const distance = near > 0 ? f32x4.add(least, f32x4.abs(f32x4.sub(scoreA, v128.load(score + o)))) : one;
    const shared = f32x4.div(one, f32x4.mul(f32x4.add(powerA, powerB), distance));
    const pairLambda = f32x4.mul(change, f32x4.mul(powerA, shared));
    const bend = f32x4.mul(pairLambda, f32x4.mul(powerB, f32x4.mul(shared, distance)));
    count = i32x4.sub(count, f32x4.gt(pairLambda, zero));
    lambdaA = f32x4.add(lambdaA, pairLambda);
    bendA = f32x4.add(bendA, bend);
    v128.store(lambda + o, f32x4.add(v128.load(lambda + o), pairLambda));
    v128.store(hessian + o, f32x4.add(v128.load(hessian + o), bend));
    left = i32x4.sub(left, i32x4.splat(4));
  }
  effective = count;
  addToBoth(lambda, f32x4.neg(lambdaA), hessian, bendA, a);
}

/** As rowSeparable, for pairs that all weigh 1. Powers are within the range of float32: every pair has a lambda. */
function rowUnit(a: i32, b: i32, m: i32, power: usize, lambda: usize, hessian: usize): void {
  const powerA = v128.load32_splat(at(power, a));
  const one = f32x4.splat(1);
  let lambdaA = f32x4.splat(0);
  let bendA = f32x4.splat(0);
  for (let o = <usize>b << 2, end = <usize>m << 2; o < end; o += 16) {
    const powerB = v128.load(power + o);
    const shared = f32x4.div(one, f32x4.add(powerA, powerB));
    const pairLambda = f32x4.mul(powerB, shared);
    const bend = f32x4.mul(pairLambda, f32x4.mul(powerA, shared));
    lambdaA = f32x4.add(lambdaA, pairLambda);
    bendA = f32x4.add(bendA, bend);
    v128.store(lambda + o, f32x4.sub(v128.load(lambda + o), pairLambda));
    v128.store(hessian + o, f32x4.add(v128.load(hessian + o), bend));
  }
  countMore(m - b);
  addToBoth(lambda, lambdaA, hessian, bendA, a);
}

/** `rowUnit` for two documents of the same label: what both add to others is read and written once. The same bits. */
function rowsUnit(a: i32, c: i32, b: i32, m: i32, power: usize, lambda: usize, hessian: usize): void {
  const powerA = v128.load32_splat(at(power, a));
  const powerC = v128.load32_splat(at(power, c));
  const one = f32x4.splat(1);
  let lambdaA = f32x4.splat(0);
  let bendA = f32x4.splat(0);
  let lambdaC = f32x4.splat(0);
  let bendC = f32x4.splat(0);
  for (let o = <usize>b << 2, end = <usize>m << 2; o < end; o += 16) {
    const powerB = v128.load(power + o);
    const sharedA = f32x4.div(one, f32x4.add(powerA, powerB));
    const sharedC = f32x4.div(one, f32x4.add(powerC, powerB));
    const pairA = f32x4.mul(powerB, sharedA);
    const pairC = f32x4.mul(powerB, sharedC);
    const bentA = f32x4.mul(pairA, f32x4.mul(powerA, sharedA));
    const bentC = f32x4.mul(pairC, f32x4.mul(powerC, sharedC));
    lambdaA = f32x4.add(lambdaA, pairA);
    lambdaC = f32x4.add(lambdaC, pairC);
    bendA = f32x4.add(bendA, bentA);
    bendC = f32x4.add(bendC, bentC);
    v128.store(lambda + o, f32x4.sub(f32x4.sub(v128.load(lambda + o), pairA), pairC));
    v128.store(hessian + o, f32x4.add(f32x4.add(v128.load(hessian + o), bentA), bentC));
  }
  countMore(2 * (m - b));
  addToBoth(lambda, lambdaA, hessian, bendA, a);
  addToBoth(lambda, lambdaC, hessian, bendC, c);
}

/**
 * Any of these with an exponential a pair, for scores too far apart for their powers: document a against first..end.
 * `unit` is rowUnit, `above` is rowAbove; both are 0 or 1.
 */
function rowExact(
  a: i32, first: i32, end: i32, unit: i32, above: i32, outside: usize, discount: usize, gain: usize, score: usize, near: f32, lambda: usize, hessian: usize,
): void {
  const discountA = v128.load32_splat(at(discount, a));
  const gainA = v128.load32_splat(at(gain, a));
  const scoreA = v128.load32_splat(at(score, a));
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  const alike = i32x4.splat(-unit);
  const below = i32x4.splat(above - 1);
  const flip = i32x4.splat(above << 31);
  let lambdaA = zero;
  let bendA = zero;
  let count = effective;
  for (let b = first; b < end; b += 4) {
    const discountB = v128.load(at(discount, b));
    const change = f32x4.abs(f32x4.mul(f32x4.sub(discountA, discountB), f32x4.sub(gainA, v128.load(at(gain, b)))));
    const inside = i32x4.gt_s(i32x4.splat(end - b), i32x4(0, 1, 2, 3));
    const takesPart = v128.and(inside, v128.or(below, v128.load(at(outside, b))));
    const scoreB = v128.load(at(score, b));
    const full = v128.and(v128.bitselect(one, change, alike), takesPart);
    const weight = near > 0 ? overDistance(full, scoreA, scoreB, near) : full;
    // By how much the better-labelled document is ahead.
    const apart = v128.xor(f32x4.sub(scoreA, scoreB), flip);
    const small = exp4(f32x4.neg(f32x4.pmin(f32x4.abs(apart), f32x4.splat(87))));
    const tail = f32x4.div(small, f32x4.add(one, small));
    const other = f32x4.sub(one, tail);
    const pairLambda = v128.xor(f32x4.mul(weight, v128.bitselect(tail, other, f32x4.gt(apart, zero))), flip);
    const bend = f32x4.mul(weight, f32x4.mul(tail, other));
    count = i32x4.sub(count, f32x4.ne(pairLambda, zero));
    lambdaA = f32x4.add(lambdaA, pairLambda);
    bendA = f32x4.add(bendA, bend);
    v128.store(at(lambda, b), f32x4.sub(v128.load(at(lambda, b)), pairLambda));
    v128.store(at(hessian, b), f32x4.add(v128.load(at(hessian, b)), bend));
  }
  effective = count;
  addToBoth(lambda, lambdaA, hessian, bendA, a);
}

/**
 * A score's bits, made to compare as numbers do, over the complement of the document's number: the higher key ranks
 * first.
 */
@inline function keyOf(scores: usize, i: i32): i64 {
  const bits = reinterpret<i32>(load<f32>(at(scores, i)) + 0); // -0 ties with 0
  return (<i64>(bits ^ ((bits >> 31) & 0x7fffffff)) << 32) | <i64>(<u32>~i);
}

/** Puts a key in its place among those before `to`, highest first; the one at `to` is written over. */
@inline function insertKey(keys: usize, to: usize, key: i64): void {
  for (; to > keys; to -= 8) {
    const before = load<i64>(to - 8);
    if (before > key) break;
    store<i64>(to, before);
  }
  store<i64>(to, key);
}

/**
 * order[r] = document at rank r, for the first `depth` ranks, from the order of the tree before, which is nearly right:
 * insertion. The others come after in no particular order: most are done with by one look at the lowest score so far.
 * One look at a key settles scores and ties, so where the order came from does not matter.
 */
function orderByInsertion(scores: usize, n: i32, depth: i32, order: usize, keys: usize): void {
  for (let r = 0; r < depth; r++) insertKey(keys, keys + (<usize>r << 3), keyOf(scores, load<i32>(at(order, r))));
  const lowest = keys + (<usize>(depth - 1) << 3);
  let least = load<f32>(at(scores, ~load<i32>(lowest)));
  for (let r = depth; r < n; r++) {
    const document = load<i32>(at(order, r));
    if (load<f32>(at(scores, document)) < least) continue;
    const key = keyOf(scores, document);
    if (key < load<i64>(lowest)) continue;
    store<i32>(at(order, r), ~load<i32>(lowest));
    insertKey(keys, lowest, key);
    least = load<f32>(at(scores, ~load<i32>(lowest)));
  }
  for (let r = 0; r < depth; r++) store<i32>(at(order, r), ~load<i32>(keys + (<usize>r << 3)));
}

/**
 * ranked[p] = norm times the discount of the rank of the document at p, 0 from rank `depth` on. `list` is the places of
 * documents at one of the `top` first ranks, in order: all are written and few stay, as no processor foresees which;
 * outside[p] is 0 at these places, else all bits. `spare` has room for n pairs of values, `marks` for n.
 */
function discountOfRanks(
  n: i32, m: i32, depth: i32, top: i32, scores: usize, place: usize, discount: usize, norm: f32, order: usize, spare: usize, marks: usize,
  ranked: usize, outside: usize, list: usize,
): void {
  const known = max(min(depth, n), 1);
  if (known > INSERTION_LIMIT) orderByMerging(scores, n, order, spare);
  else orderByInsertion(scores, n, known, order, spare);
  memory.fill(spare, 0, <usize>n << 2);
  memory.fill(marks, 0xff, <usize>n << 2);
  for (let r = 0; r < known; r++) store<f32>(at(spare, load<i32>(at(order, r))), load<f32>(at(discount, r)) * norm);
  for (let r = 0; r < top; r++) store<i32>(at(marks, load<i32>(at(order, r))), 0);
  let to = list;
  for (let p = 0; p < m; p++) {
    const document = load<i32>(at(place, p));
    const mark = load<i32>(at(marks, document));
    store<f32>(at(ranked, p), load<f32>(at(spare, document)));
    store<i32>(at(outside, p), mark);
    store<i32>(to, p);
    to += <usize>(mark + 1) << 2;
  }
  topRows = <i32>((to - list) >> 2);
}

/**
 * 1 / deviation of the m lambdas and n - m zeros; 1 where they are all the same. What one document of a pair gains the
 * other loses: their mean is next to nothing, and taking its square from that of the lambdas loses no digits.
 */
function overDeviation(lambda: usize, m: i32, n: i32): f64 {
  let total = f64x2.splat(0);
  let squares = f64x2.splat(0);
  for (let o = lambda, end = at(lambda, m); o < end; o += 16) {
    const four = v128.load(o);
    const two = f64x2.promote_low_f32x4(four);
    const others = f64x2.promote_low_f32x4(v128.shuffle<i32>(four, four, 2, 3, 2, 3));
    total = f64x2.add(total, f64x2.add(two, others));
    squares = f64x2.add(squares, f64x2.add(f64x2.mul(two, two), f64x2.mul(others, others)));
  }
  const sum = f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1);
  const apart = f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1) - (sum * sum) / <f64>n;
  return apart > 0 ? Math.sqrt(<f64>n / apart) : 1;
}

/**
 * One query of n documents, m of them judged; rows are its scores and lambdas. By place in label order: `gain`, `end`
 * (the first place with a lower label), `place` (the document). `discount` is by rank, 0 from rank `depth` on; `order`
 * is any order of the documents, and then theirs by rank. `scratch` has room for 8 arrays of n + 24. Lambdas come out
 * as pairs of lambda and hessian, times `weight`. A long query may take several calls, by rows `from` to `to`, that is
 * places in label order. The scratch must be left as it is between them.
 */
function query(
  n: i32, m: i32, depth: i32, place: usize, gain: usize, end: usize, discount: usize, order: usize, scores: usize, norm: f32,
  weight: f32, unit: i32, deviation: i32, near: f32, top: i32, from: i32, to: i32, scratch: usize, out: usize,
): void {
  const stride = (<usize>(n + 3) & ~3) * 4 + 80;
  const score = scratch;
  const ranked = score + stride;
  const power = ranked + stride;
  const lambda = power + stride;
  const hessian = lambda + stride;
  const spare = hessian + stride;
  const list = spare + stride;
  const outside = list + stride;
  // Where few ranks count, only pairs with a document at one of them are visited.
  const counted = min(depth, top);
  const few = !unit && (counted < depth || counted * 2 < m);
  if (from == 0) {
    if (!unit) discountOfRanks(n, m, depth, counted, scores, place, discount, norm, order, spare, lambda, ranked, outside, list);
    begin(m, place, scores, score, ranked, power, lambda, hessian, stride);
  }
  const last = few ? topRows : min(to, m);
  // Documents of the label at work, and those before them have higher ones.
  let higher: i32 = 0;
  let b: i32 = 0;
  for (let i = few ? 0 : from; i < last; i++) {
    const a = few ? load<i32>(at(list, i)) : i;
    if (a < from || a >= to) continue;
    while (a >= b) {
      higher = b;
      b = load<i32>(at(end, b));
    }
    if (b < m) {
      if (!factored || (unit && near > 0)) rowExact(a, b, m, unit, 0, outside, ranked, gain, score, near, lambda, hessian);
      else if (!unit) countMore(rowSeparable(a, b, m, ranked, gain, score, near, power, lambda, hessian));
      else if (a + 1 < min(b, last)) {
        rowsUnit(a, a + 1, b, m, power, lambda, hessian);
        i++;
      } else rowUnit(a, b, m, power, lambda, hessian);
    }
    if (!few || higher == 0) continue;
    if (factored) rowAbove(a, higher, outside, ranked, gain, score, near, power, lambda, hessian);
    else rowExact(a, 0, higher, 0, 1, outside, ranked, gain, score, near, lambda, hessian);
  }
  pairs += <f64>countOf(effective);
  effective = i32x4.splat(0);
  if (to < m || (from > 0 && from >= m)) return;
  // In float64: lambdas may be so small that what they are multiplied by is beyond float32.
  const scale = f64x2.splat(deviation ? <f64>weight * overDeviation(lambda, m, n) : <f64>weight);
  for (let p = 0; p < m; p++) {
    const both = v128.load32_lane(at(hessian, p), v128.load32_zero(at(lambda, p)), 1);
    const scaled = f32x4.demote_f64x2_zero(f64x2.mul(f64x2.promote_low_f32x4(both), scale));
    v128.store64_lane(out + (<usize>load<i32>(at(place, p)) << 3), scaled, 0);
  }
}

@inline function highestOf(lanes: v128): f32 {
  const two = f32x4.pmax(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 2, 3));
  return f32x4.extract_lane(f32x4.pmax(two, v128.shuffle<i32>(two, two, 1, 1, 1, 1)), 0);
}

/** Scores by place, their powers, and no lambdas so far. */
function begin(m: i32, place: usize, scores: usize, score: usize, ranked: usize, power: usize, lambda: usize, hessian: usize, stride: usize): void {
  for (let p = 0; p < m; p++) store<f32>(at(score, p), load<f32>(at(scores, load<i32>(at(place, p)))));
  v128.store(at(score, m), v128.load32_splat(score));
  let high = v128.load32_splat(score);
  let low = high;
  for (let p = 0; p < m; p += 4) {
    const four = v128.load(at(score, p));
    high = f32x4.pmax(high, four);
    low = f32x4.pmin(low, four);
  }
  const highest = highestOf(high);
  factored = highest + highestOf(f32x4.neg(low)) <= 80;
  const top = f32x4.splat(highest);
  for (let p = 0; p < m; p += 4) v128.store(at(power, p), exp4(f32x4.max(f32x4.sub(v128.load(at(score, p)), top), f32x4.splat(-87))));
  // Padding pulls nobody; scratch may hold what is not a number, which even a weight of 0 would pass on.
  v128.store(at(ranked, m), f32x4.splat(0));
  v128.store(at(power, m), f32x4.splat(0));
  memory.fill(lambda, 0, stride);
  memory.fill(hessian, 0, stride);
}

/**
 * Queries `first` to `last`. Per query: offsets (rows), judged (count), depth, norm (NaN: no lambdas), weight, discount
 * by rank at its offset, `order` likewise. `unit`: pairs weigh 1; `deviation`: lambdas are divided by their deviation
 * in the query. Both are 0 or 1. `near` above 0: each pair is divided by that and how far apart its scores are. Only
 * pairs count of which a document is at one of the `top` first ranks. Of each query, the rows `from` to `to`: a long
 * one may be dealt with in several calls. Returns the pairs with a lambda.
 */
export function lambdasOfQueries(
  first: i32, last: i32, offsets: usize, judged: usize, depths: usize, norms: usize, weights: usize, place: usize, gain: usize,
  end: usize, discount: usize, order: usize, scores: usize, unit: i32, deviation: i32, near: f32, top: i32,
  from: i32, to: i32, scratch: usize, out: usize,
): f64 {
  pairs = 0;
  for (let q = first; q < last; q++) {
    const start = load<i32>(at(offsets, q));
    const n = load<i32>(at(offsets, q + 1)) - start;
    const norm = load<f32>(at(norms, q));
    if (norm != norm) continue;
    query(
      n, load<i32>(at(judged, q)), load<i32>(at(depths, q)), at(place, start), at(gain, start), at(end, start), at(discount, start),
      at(order, start), at(scores, start), norm, load<f32>(at(weights, q)), unit, deviation, near, top, from, to, scratch,
      out + (<usize>start << 3),
    );
  }
  return pairs;
}
