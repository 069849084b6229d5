// The best split of a node for a feature, from its histogram. The reference is
// test/training/boosting/kernel-work.reference.ts.

import { Level, LEVEL_BYTES, Split } from '../layouts/boosting';

let lambdaUnit: v128 = f64x2.splat(0);
let hessianUnit: v128 = f64x2.splat(0);
let regularisation: v128 = f64x2.splat(0);
let bySquares: i32 = 0;
let limited: bool = false;
let lambdaLess: v128 = f64x2.splat(0);
let longest: v128 = f64x2.splat(Infinity);
let smoothing: v128 = f64x2.splat(0);

/** The same for all features of a node: one unit of lambda and hessian, l2, whether least squares decide. */
export function setUnits(lambda: f64, hessian: f64, l2: f64, squares: i32): void {
  bySquares = squares;
  lambdaUnit = f64x2.splat(lambda);
  hessianUnit = f64x2.splat(hessian);
  regularisation = f64x2.splat(l2);
}

/** What keeps steps short: l1, the longest step, and how many documents count as the step of the node above. */
export function setLimits(l1: f64, maxStep: f64, pathSmoothing: f64): void {
  limited = l1 > 0 || maxStep < Infinity || pathSmoothing > 0;
  lambdaLess = f64x2.splat(l1);
  longest = f64x2.splat(maxStep);
  smoothing = f64x2.splat(pathSmoothing);
}

/** Lambdas drawn to zero by l1. */
@inline function drawn(lambdas: v128): v128 {
  const size = f64x2.max(f64x2.sub(f64x2.abs(lambdas), lambdaLess), f64x2.splat(0));
  return v128.or(size, v128.and(lambdas, i64x2.splat(i64.MIN_VALUE)));
}

/** The score of sides that take a step, whatever it is. */
@inline function scoresOfSteps(lambdas: v128, below: v128, steps: v128): v128 {
  return f64x2.mul(f64x2.sub(f64x2.mul(f64x2.splat(2), lambdas), f64x2.mul(below, steps)), steps);
}

/** The score of two sides with steps kept short; `parent` is the step of the node. */
function limitedScores(lambdas: v128, below: v128, documents: v128, parent: f64): v128 {
  const own = drawn(lambdas);
  const plain = f64x2.max(f64x2.min(f64x2.div(own, below), longest), f64x2.neg(longest));
  const count = f64x2.convert_low_i32x4_s(documents);
  const share = f64x2.div(count, f64x2.add(count, smoothing));
  const drawnTo = f64x2.mul(f64x2.splat(parent), f64x2.sub(f64x2.splat(1), share));
  return scoresOfSteps(own, below, f64x2.add(f64x2.mul(plain, share), drawnTo));
}

/** The score of a node that takes a step, plus what a split must gain at least. */
@inline function scoreOfNode(lambda: i32, hessian: i32, documents: i32, step: f64, leastGain: f64): f64 {
  const lambdas = f64x2.mul(f64x2.splat(<f64>lambda), lambdaUnit);
  const hessians = f64x2.mul(f64x2.splat(<f64>hessian), hessianUnit);
  const all = limited && bySquares == 0
    ? scoresOfSteps(drawn(lambdas), f64x2.add(hessians, regularisation), f64x2.splat(step))
    : scores(lambdas, hessians, i32x4.splat(documents), step);
  return f64x2.extract_lane(all, 0) + leastGain;
}

/**
 * The score of two sides: lambda^2 / (hessian + l2) of each, or lambda^2 / documents. `documents` are 32-bit integers.
 */
@inline function scores(lambdas: v128, hessians: v128, documents: v128, step: f64): v128 {
  if (limited && bySquares == 0) return limitedScores(lambdas, f64x2.add(hessians, regularisation), documents, step);
  const below = bySquares != 0 ? f64x2.convert_low_i32x4_s(documents) : f64x2.add(hessians, regularisation);
  return f64x2.div(f64x2.mul(lambdas, lambdas), below);
}

/**
 * Scans one feature's bins and writes its best split to `out`. The gain is 0 where no split is allowed. Documents with
 * bin <= the split's go left. Missing values (bin `missing`) go to the side where they gain more. With `random` there
 * is one threshold, `draw` places after the first bin that has documents, as often as need be from the start again. A
 * split must gain more than `beaten`, what another feature gains, or as much with `orEqual`: only the best split of a
 * node counts, and most features are done with sooner where few of their bins are ahead.
 */
export function bestSplit(
  histogram: usize, bins: i32, missing: i32, out: usize, lambda: i32, hessian: i32, documents: i32, step: f64,
  random: i32, draw: u32, leastDocuments: i32, leastHessian: f64, leastGain: f64, beaten: f64, orEqual: i32,
): void {
  // The number before: to gain more than that is to gain as much.
  const floor = orEqual != 0 ? reinterpret<f64>(reinterpret<i64>(beaten) - 1) : beaten;
  const only = random != 0 ? drawnBin(histogram, bins, draw) : -1;
  const node = i32x4(lambda, hessian, documents, 0);
  const whole = scoreOfNode(lambda, hessian, documents, step, leastGain);
  const absent = v128.load(histogram + (<usize>missing << 4));
  changetype<Split>(out).gain = 0;
  scan(histogram, bins, out, 0, i32x4.splat(0), node, documents, step, whole, leastDocuments, leastHessian, only, floor);
  if (i32x4.extract_lane(absent, 2) > 0) {
    const ahead = max<f64>(floor, changetype<Split>(out).gain);
    scan(histogram, bins, out, 1, absent, node, documents, step, whole, leastDocuments, leastHessian, only, ahead);
  }
}

/** A bin from the first to the last but one that have documents; the only one where there is no other. */
function drawnBin(histogram: usize, bins: i32, draw: u32): i32 {
  let first = 0;
  let last = bins - 1;
  while (first < last && load<i32>(histogram + (<usize>first << 4), 8) == 0) first++;
  while (last > first && load<i32>(histogram + (<usize>last << 4), 8) == 0) last--;
  return first + (last > first ? <i32>(draw % <u32>(last - first)) : 0);
}

/** Scans with the left side starting at the given sums (lambda, hessian, documents); keeps gains above `best`. */
function scan(
  histogram: usize, bins: i32, out: usize, missingLeft: i32, left: v128, node: v128, documents: i32, step: f64, whole: f64,
  leastDocuments: i32, leastHessian: f64, only: i32, best: f64,
): void {
  if (!limited && bySquares == 0 && only < 0) {
    scanPlain(histogram, bins, out, missingLeft, left, node, documents, whole, leastDocuments, leastHessian, best);
    return;
  }
  const split = changetype<Split>(out);
  const least = f64x2.splat(leastHessian);
  for (let b = 0; b < bins; b++) {
    // A bin without documents splits like the one before it, which gains no more; looking for them would take longer.
    left = i32x4.add(left, v128.load(histogram + (<usize>b << 4)));
    const leftDocuments = i32x4.extract_lane(left, 2);
    if (leftDocuments < leastDocuments || (only >= 0 && b != only)) continue;
    const rightDocuments = documents - leftDocuments;
    if (rightDocuments < leastDocuments || rightDocuments == 0) break;
    const right = i32x4.sub(node, left);
    // Both sides at once: left in one lane, right in the other.
    const hessians = f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i32>(left, right, 1, 5, 1, 5)), hessianUnit);
    if (i64x2.bitmask(f64x2.lt(hessians, least)) != 0) continue;
    const lambdas = f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i32>(left, right, 0, 4, 0, 4)), lambdaUnit);
    const sides = scores(lambdas, hessians, v128.shuffle<i32>(left, right, 2, 6, 2, 6), step);
    const gain = f64x2.extract_lane(sides, 0) + f64x2.extract_lane(sides, 1) - whole;
    if (gain > best) {
      best = gain;
      split.gain = gain;
      split.bin = b;
      split.missingLeft = missingLeft;
      v128.store(out, left, offsetof<Split>('lambda'));
    }
  }
}

/** Less than what some fifteen roundings to float32 leave of a number. */
const NEARLY_ONE: f64 = 1 - 1e-5;
/** The square of more than this is beyond float32. */
const MOST_BELOW: f32 = 9.2e18;

/** What gains are looked at by, roughly; 0, which all pass, where float32 cannot tell. */
@inline function roughly(needed: f64, more: f32): v128 {
  return f32x4.splat(needed < <f64>f32.MAX_VALUE && more < MOST_BELOW ? <f32>needed : 0);
}

/**
 * As `scan`, where nothing keeps steps short and lambda^2 / (hessian + l2) decides: the usual case, in less time. Four
 * bins at once are looked at first, roughly and without a division: a and b being what is below the lambdas of both
 * sides, whether lambda_l^2 b + lambda_r^2 a is less than a b times all that a gain must be above. Mostly it is.
 */
export function scanPlain(
  histogram: usize, bins: i32, out: usize, missingLeft: i32, left: v128, node: v128, documents: i32, whole: f64,
  leastDocuments: i32, leastHessian: f64, best: f64,
): void {
  const mostDocuments = documents - max(leastDocuments, 1);
  const end = histogram + (<usize>bins << 4);
  let cell = histogram;
  // Too few documents on the left so far.
  for (; cell < end; cell += 16) {
    const next = i32x4.add(left, v128.load(cell));
    if (i32x4.extract_lane(next, 2) >= leastDocuments) break;
    left = next;
  }
  // In units of the integers.
  const unit = f64x2.extract_lane(lambdaUnit, 0);
  const weight = f64x2.extract_lane(hessianUnit, 0);
  const l2 = <f32>(f64x2.extract_lane(regularisation, 0) / weight);
  const more = f32x4.splat(l2);
  const scale = NEARLY_ONE * weight / (unit * unit);
  const lambda = i32x4.splat(i32x4.extract_lane(node, 0));
  const hessian = i32x4.splat(i32x4.extract_lane(node, 1));
  let least = roughly((whole + best) * scale, l2);
  for (; cell < end; cell += 64) {
    const first = i32x4.add(left, v128.load(cell));
    if (i32x4.extract_lane(first, 2) > mostDocuments) return;
    // What lies behind the last bin is looked at, and not kept.
    const second = i32x4.add(first, v128.load(cell, 16));
    const third = i32x4.add(second, v128.load(cell, 32));
    left = i32x4.add(third, v128.load(cell, 48));
    const two = v128.shuffle<i32>(first, second, 0, 4, 1, 5);
    const others = v128.shuffle<i32>(third, left, 0, 4, 1, 5);
    const lambdas = v128.shuffle<i64>(two, others, 0, 2);
    const hessians = v128.shuffle<i64>(two, others, 1, 3);
    const onLeft = f32x4.convert_i32x4_s(lambdas);
    const onRight = f32x4.convert_i32x4_s(i32x4.sub(lambda, lambdas));
    const belowLeft = f32x4.add(f32x4.convert_i32x4_s(hessians), more);
    const belowRight = f32x4.add(f32x4.convert_i32x4_s(i32x4.sub(hessian, hessians)), more);
    const gains = f32x4.add(
      f32x4.mul(f32x4.mul(onLeft, onLeft), belowRight), f32x4.mul(f32x4.mul(onRight, onRight), belowLeft),
    );
    // What is no number is no less than anything.
    const less = i32x4.bitmask(f32x4.lt(gains, f32x4.mul(least, f32x4.mul(belowLeft, belowRight))));
    if (less == 15) continue;
    for (let k: usize = 0, sums = first; k < 4 && cell + (k << 4) < end; k++) {
      if (k > 0) sums = i32x4.add(sums, v128.load(cell + (k << 4)));
      if (less & (1 << <i32>k)) continue;
      best = keepBetter(sums, cell + (k << 4), histogram, out, missingLeft, node, mostDocuments, whole, leastHessian, best);
    }
    least = roughly((whole + best) * scale, l2);
  }
}

/** Keeps the split behind a cell where it is one and gains more than `best`; returns the best gain. */
function keepBetter(
  left: v128, cell: usize, histogram: usize, out: usize, missingLeft: i32, node: v128, mostDocuments: i32, whole: f64,
  leastHessian: f64, best: f64,
): f64 {
  if (i32x4.extract_lane(left, 2) > mostDocuments) return best;
  // Lambdas of both sides, then their hessians.
  const sides = v128.shuffle<i32>(left, i32x4.sub(node, left), 0, 4, 1, 5);
  const hessians = f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i32>(sides, sides, 2, 3, 2, 3)), hessianUnit);
  if (i64x2.bitmask(f64x2.lt(hessians, f64x2.splat(leastHessian))) != 0) return best;
  const lambdas = f64x2.mul(f64x2.convert_low_i32x4_s(sides), lambdaUnit);
  const own = f64x2.div(f64x2.mul(lambdas, lambdas), f64x2.add(hessians, regularisation));
  const gain = f64x2.extract_lane(own, 0) + f64x2.extract_lane(own, 1) - whole;
  if (!(gain > best)) return best;
  const split = changetype<Split>(out);
  split.gain = gain;
  split.bin = <i32>((cell - histogram) >> 4);
  split.missingLeft = missingLeft;
  v128.store(out, left, offsetof<Split>('lambda'));
  return gain;
}

// ---- within bounds: monotone constraints

let lowest: f64 = -Infinity;
let highest: f64 = Infinity;

/** What values of leaves are held within below the node. */
export function setBounds(low: f64, high: f64): void {
  lowest = low;
  highest = high;
}

@inline function bounded(lambda: f64, below: f64): f64 {
  return min<f64>(max<f64>(below > 0 ? lambda / below : 0, lowest), highest);
}

/** What a leaf gains within the bounds: lambda^2 / below where its value is lambda / below. */
@inline function gainAt(lambda: f64, below: f64, value: f64): f64 {
  return 2 * lambda * value - below * value * value;
}

/**
 * As `bestSplit`, with values of leaves within the bounds; they must not fall from left to right for a `direction` of
 * 1, nor rise for -1.
 */
export function bestBounded(
  histogram: usize, bins: i32, missing: i32, out: usize, lambda: i32, hessian: i32, documents: i32,
  leastDocuments: i32, leastHessian: f64, leastGain: f64, direction: i32,
): void {
  const split = changetype<Split>(out);
  split.gain = 0;
  const node = i32x4(lambda, hessian, documents, 0);
  const unit = f64x2.extract_lane(lambdaUnit, 0);
  const weight = f64x2.extract_lane(hessianUnit, 0);
  const l2 = f64x2.extract_lane(regularisation, 0);
  const allLambda = <f64>lambda * unit;
  const allBelow = <f64>hessian * weight + l2;
  const whole = gainAt(allLambda, allBelow, bounded(allLambda, allBelow)) + leastGain;
  const absent = v128.load(histogram + (<usize>missing << 4));
  const ways = i32x4.extract_lane(absent, 2) > 0 ? 2 : 1;
  for (let missingLeft = 0; missingLeft < ways; missingLeft++) {
    let left = missingLeft ? absent : i32x4.splat(0);
    for (let b = 0; b < bins; b++) {
      left = i32x4.add(left, v128.load(histogram + (<usize>b << 4)));
      const leftDocuments = i32x4.extract_lane(left, 2);
      if (leftDocuments < leastDocuments) continue;
      const rightDocuments = documents - leftDocuments;
      if (rightDocuments < leastDocuments || rightDocuments == 0) break;
      const right = i32x4.sub(node, left);
      const leftHessian = <f64>i32x4.extract_lane(left, 1) * weight;
      const rightHessian = <f64>i32x4.extract_lane(right, 1) * weight;
      if (min<f64>(leftHessian, rightHessian) < leastHessian) continue;
      const leftLambda = <f64>i32x4.extract_lane(left, 0) * unit;
      const rightLambda = <f64>i32x4.extract_lane(right, 0) * unit;
      const leftValue = bounded(leftLambda, leftHessian + l2);
      const rightValue = bounded(rightLambda, rightHessian + l2);
      if (<f64>direction * (rightValue - leftValue) < 0) continue;
      const gain =
        gainAt(leftLambda, leftHessian + l2, leftValue) + gainAt(rightLambda, rightHessian + l2, rightValue) - whole;
      if (gain > split.gain) {
        split.gain = gain;
        split.bin = b;
        split.missingLeft = missingLeft;
        v128.store(out, left, offsetof<Split>('lambda'));
      }
    }
  }
}

// ---- categories

/** As `scores`, with something more below. */
@inline function smoothScores(lambdas: v128, hessians: v128, documents: v128, more: v128, step: f64): v128 {
  if (limited && bySquares == 0) {
    return limitedScores(lambdas, f64x2.add(f64x2.add(hessians, regularisation), more), documents, step);
  }
  const below = bySquares != 0 ? f64x2.convert_low_i32x4_s(documents) : f64x2.add(hessians, regularisation);
  return f64x2.div(f64x2.mul(lambdas, lambdas), f64x2.add(below, more));
}

/** Sorts levels by key, equal ones in their order, by merging ever longer runs; returns where they end up. */
function sortLevels(levels: usize, n: i32, other: usize): usize {
  for (let run = 1; run < n; run <<= 1) {
    let to = other;
    for (let start = 0; start < n; start += run << 1) {
      let a = levels + <usize>start * LEVEL_BYTES;
      const middle = levels + <usize>min(start + run, n) * LEVEL_BYTES;
      const end = levels + <usize>min(start + (run << 1), n) * LEVEL_BYTES;
      let b = middle;
      while (a < middle || b < end) {
        if (b == end || (a < middle && changetype<Level>(a).key <= changetype<Level>(b).key)) {
          v128.store(to, v128.load(a));
          a += LEVEL_BYTES;
        } else {
          v128.store(to, v128.load(b));
          b += LEVEL_BYTES;
        }
        to += LEVEL_BYTES;
      }
    }
    const sorted = other;
    other = levels;
    levels = sorted;
  }
  return levels;
}

@inline function boundedSide(lambdas: v128, below: v128, lane: u8): f64 {
  const lambda = lane == 0 ? f64x2.extract_lane(lambdas, 0) : f64x2.extract_lane(lambdas, 1);
  const under = lane == 0 ? f64x2.extract_lane(below, 0) : f64x2.extract_lane(below, 1);
  return gainAt(lambda, under, bounded(lambda, under));
}

let bestFirst: i32 = 0;
let bestLast: i32 = 0;

/** Takes levels `first` to `last` in steps for the left side, one more at a time or each alone; keeps the best. */
function scanLevels(
  histogram: usize, levels: usize, first: i32, last: i32, step: i32, alone: bool, out: usize, node: v128, more: v128, own: f64, whole: f64,
  leastDocuments: i32, leastHessian: f64,
): void {
  const split = changetype<Split>(out);
  const documents = i32x4.extract_lane(node, 2);
  const least = f64x2.splat(leastHessian);
  let left = i32x4.splat(0);
  for (let i = first; i != last + step; i += step) {
    const cell = v128.load(histogram + (<usize>changetype<Level>(levels + <usize>i * LEVEL_BYTES).bin << 4));
    left = alone ? cell : i32x4.add(left, cell);
    const leftDocuments = i32x4.extract_lane(left, 2);
    const rightDocuments = documents - leftDocuments;
    if (leftDocuments < leastDocuments || rightDocuments < leastDocuments || rightDocuments == 0) continue;
    const right = i32x4.sub(node, left);
    const hessians = f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i32>(left, right, 1, 5, 1, 5)), hessianUnit);
    if (i64x2.bitmask(f64x2.lt(hessians, least)) != 0) continue;
    const lambdas = f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i32>(left, right, 0, 4, 0, 4)), lambdaUnit);
    let gain: f64;
    if (lowest == -Infinity && highest == Infinity) {
      const sides = smoothScores(lambdas, hessians, v128.shuffle<i32>(left, right, 2, 6, 2, 6), more, own);
      gain = f64x2.extract_lane(sides, 0) + f64x2.extract_lane(sides, 1) - whole;
    } else {
      const below = f64x2.add(f64x2.add(hessians, regularisation), more);
      gain = boundedSide(lambdas, below, 0) + boundedSide(lambdas, below, 1) - whole;
    }
    if (gain > split.gain) {
      split.gain = gain;
      bestFirst = alone ? i : min(first, i);
      bestLast = alone ? i : max(first, i);
      v128.store(out, left, offsetof<Split>('lambda'));
    }
  }
}

/**
 * The best split of a category: its levels, those with `leastLevel` documents, sorted by lambda over hessian and cut,
 * or each alone where there are few. What is not listed goes right, missing values too: so sets are taken from both
 * ends. Where there is nothing but listed levels, the smaller side is the set. `set` gets a bit a bin; `scratch` has
 * room for twice the levels.
 */
export function bestLevels(
  histogram: usize, bins: i32, out: usize, set: usize, scratch: usize, lambda: i32, hessian: i32, documents: i32,
  step: f64, leastDocuments: i32, leastHessian: f64, leastGain: f64, leastLevel: i32, levelSmoothing: f64, oneHot: i32,
): void {
  const split = changetype<Split>(out);
  split.gain = 0;
  split.bin = 0;
  split.missingLeft = 0;
  const node = i32x4(lambda, hessian, documents, 0);
  let whole = scoreOfNode(lambda, hessian, documents, step, leastGain);
  const unit = f64x2.extract_lane(lambdaUnit, 0);
  const weight = f64x2.extract_lane(hessianUnit, 0);
  if (lowest != -Infinity || highest != Infinity) {
    const below = <f64>hessian * weight + f64x2.extract_lane(regularisation, 0);
    whole = gainAt(<f64>lambda * unit, below, bounded(<f64>lambda * unit, below)) + leastGain;
  }
  const more = bySquares != 0 ? levelSmoothing : levelSmoothing * (<f64>hessian * weight / <f64>documents);
  let n = 0;
  let listed = 0;
  for (let b = 0; b < bins; b++) {
    const cell = v128.load(histogram + (<usize>b << 4));
    const own = i32x4.extract_lane(cell, 2);
    if (own < leastLevel) continue;
    const level = changetype<Level>(scratch + <usize>n * LEVEL_BYTES);
    const below = (bySquares != 0 ? <f64>own : <f64>i32x4.extract_lane(cell, 1) * weight) + more;
    level.key = below > 0 ? <f64>i32x4.extract_lane(cell, 0) * unit / below : 0;
    level.bin = b;
    listed += own;
    n++;
  }
  if (n == 0) return;
  const more2 = f64x2.splat(more);
  const isAlone = bins <= oneHot;
  let levels = scratch;
  if (!isAlone) levels = sortLevels(scratch, n, scratch + <usize>n * LEVEL_BYTES);
  scanLevels(histogram, levels, 0, n - 1, 1, isAlone, out, node, more2, step, whole, leastDocuments, leastHessian);
  if (!isAlone && listed < documents) {
    scanLevels(histogram, levels, n - 1, 0, -1, false, out, node, more2, step, whole, leastDocuments, leastHessian);
  }
  if (split.gain <= 0) return;
  const inside = listed < documents || 2 * split.documents <= documents;
  if (!inside) {
    const left = v128.load(out, offsetof<Split>('lambda'));
    v128.store(out, i32x4.sub(node, left), offsetof<Split>('lambda'));
  }
  memory.fill(set, 0, <usize>((bins + 31) >> 5) << 2);
  for (let i = 0; i < n; i++) {
    if ((i >= bestFirst && i <= bestLast) != inside) continue;
    const bin = changetype<Level>(levels + <usize>i * LEVEL_BYTES).bin;
    const word = set + (<usize>(bin >> 5) << 2);
    store<u32>(word, load<u32>(word) | (1 << (bin & 31)));
  }
}
