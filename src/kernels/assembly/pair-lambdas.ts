// Lambdas of all pairs of one query, four pairs at a time in float32. The reference is
// src/objectives/pairs/pair-lambdas.reference.ts.
//
// Documents that take part are given positions. By label, best first, the worse partners of a document are contiguous
// and no labels are compared: the quick way for whole lists. By rank, only documents of the first `depth` ranks need a
// row of their own: the quick way where a measure looks at the top alone, and the one that knows tiers, the bell and
// scores far apart.

import { at, exp4 } from './common/float4';
import { COUNTING_LIMIT, orderByMerging, rankByCounting, sortByMerging } from './common/order';
import { counted, countMore, countNone, rowBell, rowExact, rowLogistic, rowTables } from './common/pair-rows';
import { rowSeparable } from './common/separable-row';
import { Region } from './layouts/pair-lambdas';

// Regions are `stride` bytes each.
let base: usize = 0;
let stride: usize = 0;
/** Documents of the query at work that take part in pairs. */
let taking: i32 = 0;

export function layOut(start: usize, bytes: usize): void {
  base = start;
  stride = bytes;
}

@inline function region(r: Region): usize {
  return base + <usize>r * stride;
}

@inline function wide(base: usize, i: i32): usize {
  return base + (<usize>i << 3);
}

/** Scores of a query further apart than this are not factored: their powers would fall below float32. */
const FACTORED_SPAN: f32 = 80;
/** Whole labels below this are sorted by counting. */
const GRADES: i32 = 32;

/** Ranks the first n of `scores` as float32, equal scores in their order: fills `order` and `rank`. */
export function rank(n: i32): void {
  const scores = region(Region.scores);
  const score = region(Region.score);
  const order = region(Region.order);
  const ranks = region(Region.rank);
  for (let i = 0; i < n; i++) store<f32>(at(score, i), <f32>load<f64>(wide(scores, i)));
  if (n <= COUNTING_LIMIT) {
    v128.store(at(score, n), f32x4.splat(-Infinity));
    rankByCounting(score, n, ranks);
    for (let i = 0; i < n; i++) store<i32>(at(order, load<i32>(at(ranks, i))), i);
  } else {
    orderByMerging(score, n, order, region(Region.scratch));
    for (let r = 0; r < n; r++) store<i32>(at(ranks, load<i32>(at(order, r))), r);
  }
}

/** Labels as float32, NaN for documents in no pair. Returns whether all others are grades that can be counted. */
function readLabels(n: i32, withoutZeros: i32): bool {
  const labels = region(Region.labels);
  const label = region(Region.label);
  let whole = true;
  for (let i = 0; i < n; i++) {
    const own = <f32>load<f64>(wide(labels, i));
    store<f32>(at(label, i), withoutZeros && own == 0 ? <f32>NaN : own);
    if (own == own && !(own >= 0 && own < <f32>GRADES && Mathf.floor(own) == own)) whole = false;
  }
  return whole;
}

/** Positions by rank. Returns how many documents take part. */
function placeByRank(n: i32): i32 {
  const label = region(Region.label);
  const order = region(Region.order);
  const place = region(Region.place);
  let m = 0;
  for (let r = 0; r < n; r++) {
    const i = load<i32>(at(order, r));
    const own = load<f32>(at(label, i));
    store<i32>(at(place, m), i);
    m += i32(own == own);
  }
  return m;
}

/** Positions by label, best first: labels that are all grades. Returns how many documents take part. */
function placeByGrade(n: i32): i32 {
  const label = region(Region.label);
  const place = region(Region.place);
  const next = region(Region.scratch); // where the next document of a grade goes; first, how many there are
  memory.fill(next, 0, <usize>GRADES << 2);
  for (let i = 0; i < n; i++) {
    const own = load<f32>(at(label, i));
    if (own != own) continue;
    const cell = at(next, <i32>own);
    store<i32>(cell, load<i32>(cell) + 1);
  }
  let m = 0;
  for (let grade = GRADES - 1; grade >= 0; grade--) {
    const held = load<i32>(at(next, grade));
    store<i32>(at(next, grade), m);
    m += held;
  }
  for (let i = 0; i < n; i++) {
    const own = load<f32>(at(label, i));
    if (own != own) continue;
    const cell = at(next, <i32>own);
    const p = load<i32>(cell);
    store<i32>(at(place, p), i);
    store<i32>(cell, p + 1);
  }
  return m;
}

/** Positions by label, best first: any labels. */
function placeByMerging(n: i32): i32 {
  const label = region(Region.label);
  const place = region(Region.place);
  let m = 0;
  for (let i = 0; i < n; i++) {
    const own = load<f32>(at(label, i));
    store<i32>(at(place, m), i);
    m += i32(own == own);
  }
  sortByMerging(label, place, m, region(Region.scratch));
  return m;
}

/** For each position by label the first one with a lower label. */
function findEnds(m: i32): void {
  const label = region(Region.ownLabel);
  const end = region(Region.end);
  let next = m;
  for (let p = m - 1; p >= 0; p--) {
    if (p + 1 < m && load<f32>(at(label, p)) != load<f32>(at(label, p + 1))) next = p + 1;
    store<i32>(at(end, p), next);
  }
}

/** What the rows read, by position: the tables as float32, gains times the norm, a padding that pulls nobody. */
function gather(m: i32, separable: i32, tiered: i32, norm: f64): void {
  const upper = region(Region.upper);
  const slope = region(Region.slope);
  const lower = separable ? upper : region(Region.lower);
  for (let p = 0; p < m; p++) {
    const i = load<i32>(at(region(Region.place), p));
    const r = load<i32>(at(region(Region.rank), i));
    store<f32>(at(region(Region.at), p), <f32>r);
    store<f32>(at(region(Region.ownScore), p), load<f32>(at(region(Region.score), i)));
    store<f32>(at(region(Region.ownLabel), p), load<f32>(at(region(Region.label), i)));
    store<f32>(at(region(Region.ownTier), p), tiered ? load<f32>(at(region(Region.tiers), i)) : 0);
    store<f32>(at(region(Region.ownGain), p), <f32>(norm * load<f64>(wide(region(Region.gain), i))));
    store<f32>(at(region(Region.ownUpper), p), <f32>load<f64>(wide(upper, r)));
    store<f32>(at(region(Region.ownSlope), p), separable ? 1 : <f32>load<f64>(wide(slope, r)));
    store<f32>(at(region(Region.ownLower), p), <f32>load<f64>(wide(lower, r)));
  }
  const zero = f32x4.splat(0);
  v128.store(at(region(Region.at), m), zero);
  v128.store(at(region(Region.ownScore), m), zero);
  v128.store(at(region(Region.ownTier), m), f32x4.splat(NaN));
  v128.store(at(region(Region.ownGain), m), zero);
  v128.store(at(region(Region.ownUpper), m), zero);
  v128.store(at(region(Region.ownSlope), m), zero);
  v128.store(at(region(Region.ownLower), m), zero);
}

/** Power[p] = e^(score - highest), 0 in the padding. */
function raise(m: i32, highest: f32): void {
  const score = region(Region.ownScore);
  const power = region(Region.power);
  for (let p = 0; p < m; p += 4) v128.store(at(power, p), exp4(f32x4.max(f32x4.sub(v128.load(at(score, p)), f32x4.splat(highest)), f32x4.splat(-87))));
  v128.store(at(power, m), f32x4.splat(0));
}

/** Pairs of the rows `from` to `to`, positions by label. Returns the pairs with a lambda. */
function sweepByLabel(m: i32, separable: i32, floor: f32, near: f32, from: i32, to: i32): i32 {
  const gain = region(Region.ownGain);
  const upper = region(Region.ownUpper);
  const power = region(Region.power);
  const lambda = region(Region.ownLambda);
  const hessian = region(Region.ownHessian);
  for (let a = from; a < min(m, to); a++) {
    const b = load<i32>(at(region(Region.end), a));
    if (b >= m) break;
    if (separable && floor == 0) countMore(rowSeparable(a, b, m, upper, gain, region(Region.ownScore), near, power, lambda, hessian));
    else rowTables(a, b, m, region(Region.at), upper, region(Region.ownSlope), region(Region.ownLower), gain, floor, power, lambda, hessian);
  }
  return counted();
}

/** Pairs whose upper document is among the first `depth` ranks, positions by rank. Returns the pairs with a lambda. */
function sweepByRank(m: i32, depth: i32, floor: f32, bell: i32, shift: f32, lift: f32, near: f32, factored: bool, from: i32, to: i32): i32 {
  const score = region(Region.ownScore);
  const power = region(Region.power);
  const label = region(Region.ownLabel);
  const tier = region(Region.ownTier);
  const gain = region(Region.ownGain);
  const lower = region(Region.ownLower);
  const lambda = region(Region.ownLambda);
  const hessian = region(Region.ownHessian);
  for (let a = from; a < min(m - 1, to); a++) {
    if (load<f32>(at(region(Region.at), a)) >= <f32>depth) break;
    const upperA = load<f32>(at(region(Region.ownUpper), a));
    const slopeA = load<f32>(at(region(Region.ownSlope), a));
    if (!factored) rowExact(a, m, score, label, tier, gain, lower, upperA, slopeA, floor, bell, shift, near, lambda, hessian);
    else if (bell) rowBell(a, m, power, label, tier, gain, lower, upperA, slopeA, floor, lift, lambda, hessian);
    else rowLogistic(a, m, power, label, tier, gain, lower, upperA, slopeA, floor, lambda, hessian);
  }
  return counted();
}

/**
 * After `rank` and with Labels, Gains and the tables filled: Lambda and Hessian. Returns the pairs with a lambda.
 * `depth`: ranks from here on are the upper of no pair; `cut`: though there are such with a weight. `separable`: Upper
 * alone is filled. `tiered`: pairs are within equal Tiers. `bell` chooses the factor, moved by `shift`; `lift` is
 * e^shift; `near` above 0 divides each pair by that and how far apart its scores are. A long query may take several
 * calls, by rows `from` to `to`: the first has `from` 0, and results are there after that with `to` n.
 */
export function lambdas(n: i32, depth: i32, cut: i32, separable: i32, tiered: i32, withoutZeros: i32, norm: f64, floor: f32, bell: i32, shift: f32, lift: f32, near: f32, from: i32, to: i32): i32 {
  const highest = load<f32>(at(region(Region.score), load<i32>(region(Region.order))));
  const lowest = load<f32>(at(region(Region.score), load<i32>(at(region(Region.order), n - 1))));
  const whole = !bell && !tiered && !cut && depth > n >> 1;
  // Of the rows by powers, one alone knows distances.
  const factored = highest - lowest + abs(shift) <= FACTORED_SPAN && (near == 0 || (whole && separable && floor == 0));
  const byLabel = factored && whole;
  if (from == 0) {
    const graded = readLabels(n, withoutZeros);
    taking = !byLabel ? placeByRank(n) : graded ? placeByGrade(n) : placeByMerging(n);
    gather(taking, separable, tiered, norm);
    if (factored) raise(taking, highest);
    const bytes = (<usize>taking << 2) + 16;
    memory.fill(region(Region.ownLambda), 0, bytes);
    memory.fill(region(Region.ownHessian), 0, bytes);
    if (byLabel) findEnds(taking);
  }
  const m = taking;
  countNone();
  const pairs = byLabel
    ? sweepByLabel(m, separable, floor, near, from, to)
    : sweepByRank(m, depth, floor, bell, shift, lift, near, factored, from, to);
  if (to < n) return pairs;
  memory.fill(region(Region.lambda), 0, <usize>n << 3);
  memory.fill(region(Region.hessian), 0, <usize>n << 3);
  for (let p = 0; p < m; p++) {
    const i = load<i32>(at(region(Region.place), p));
    store<f64>(wide(region(Region.lambda), i), <f64>load<f32>(at(region(Region.ownLambda), p)));
    store<f64>(wide(region(Region.hessian), i), <f64>load<f32>(at(region(Region.ownHessian), p)));
  }
  return pairs;
}
