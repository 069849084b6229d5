// The expected discount of a document where only the first ranks count, or only the last, and its gradient.
//
// Rivals of small odds come first. The distribution of the rank is their product of (1 - c) (1 + odds z), so they are
// added two at a time by a sum and a product of odds, and scaled later. The derivative by the chance c of one of them
// takes the distribution q without it. From p(r) = (1 - c) q(r) + c q(r-1) follows that q is a power series in -odds,
// and the sum over ranks a polynomial whose coefficients are the same for all rivals. That loses digits where odds are
// high: strong rivals come last, the rows before each are kept, and derivatives are got going back with the adjoint.

import { NORMAL_ENTRIES, SoftRegion } from '../layouts/smooth-ranks';
import { between, sum2, wide } from './float2';
import { region, rows } from './soft-chances';

/** So many rivals of odds up to 4 stay within float64 before they are scaled: 5^64. */
const SCALED_AFTER: i32 = 64;
/** Derivatives below this share of the largest one so far are left out. */
const NEGLIGIBLE: f64 = 1e-9;
/** The density, by the units of its table, is at most so many times the chance beyond, within the table. */
const HAZARD: f64 = 10.0 / <f64>NORMAL_ENTRIES;

/** The density, by the units of its table, over the chance to lose, of a weak rival, is at most so much. */
const WEAK_HAZARD: f64 = 2.0 / <f64>NORMAL_ENTRIES;
/** The logarithm to base 2 that `logarithm` gives is less than the real one by at most so much. */
const LOGARITHM_OFF: f64 = 0.0861;

/** Of a row of up to so many bytes, all ranks are taken: looking for those that count would cost as much. */
const NARROW: usize = 16 * 8;

/** The largest derivative by the score of the document itself, of the documents of the query so far. */
let largest: f64 = 0;
/** The largest discount of a rank. */
let most: f64 = 0;
/** Rivals of a larger chance are strong. */
let weak: f64 = 0;
/** By how much polynomials in the odds of weak rivals raise what is left out, at most. */
let raised: f64 = 0;
/** Probabilities of ranks up to this are left out. */
let thin: f64 = 0;
/** Rivals that are sure to win. */
let above: i32 = 0;

/** Before the documents of another query, whose discounts are known. */
export function beginQuery(n: i32, head: i32, foot: i32, weakest: f64, raisedBy: f64): void {
  // Nobody after the last: past the end all lose.
  store<f64>(wide(region(SoftRegion.scores), n), -Infinity);
  store<f64>(wide(region(SoftRegion.relevant), n), 0);
  largest = 0;
  most = 0;
  weak = weakest;
  raised = raisedBy;
  for (let r = 0; r < head; r++) most = max(most, abs(load<f64>(wide(region(SoftRegion.head), r))));
  for (let r = 0; r < foot; r++) most = max(most, abs(load<f64>(wide(region(SoftRegion.foot), r))));
}

/**
 * Whether the document can come into the first ranks so rarely, by `chance`, that it feels next to nothing. No
 * derivative by the chance c of a rival is larger: without it a rank has the probability p(r) / (1 - c) at most.
 */
@inline function isNegligible(chance: f64, n: i32, over: f64, scale: f64): bool {
  return feltBy(chance, n, over, scale) <= NEGLIGIBLE * largest;
}

@inline function feltBy(chance: f64, n: i32, over: f64, scale: f64): f64 {
  return HAZARD * 2 * abs(scale) * most * chance * <f64>n * abs(over);
}

/**
 * A bound of the chance to come into the first ranks. Bernstein: with the mean and the variance of a rank, it is x
 * below the mean by a chance of at most exp(-x^2 / (2 (variance + x/3))).
 */
function chanceOfTop(n: i32, head: i32): f64 {
  const win = region(SoftRegion.win);
  let sum = f64x2.splat(0);
  let squares = f64x2.splat(0);
  for (let i = 0; i < n; i += 2) {
    const own = v128.load(wide(win, i));
    sum = f64x2.add(sum, own);
    squares = f64x2.add(squares, f64x2.mul(own, own));
  }
  const mean = sum2(sum);
  const x = mean - <f64>(head - 1);
  return x > 0 ? Math.exp((-x * x) / (2 * (mean - sum2(squares) + x / 3))) : 1;
}

/** Odds and 1 / (1 - c) of weak rivals, 0 for others; lists the strong ones and returns their number. */
function sortOut(n: i32): i32 {
  const win = region(SoftRegion.win);
  const odds = region(SoftRegion.odds);
  const inverse = region(SoftRegion.inverse);
  const list = region(SoftRegion.rival);
  const one = f64x2.splat(1);
  let sure = i64x2.splat(0);
  let strong = 0;
  for (let i = 0; i < n; i += 2) {
    const own = v128.load(wide(win, i));
    const isStrong = f64x2.gt(own, f64x2.splat(weak));
    const isSure = f64x2.eq(own, one);
    const over = v128.andnot(f64x2.div(one, f64x2.sub(one, own)), isStrong);
    v128.store(wide(inverse, i), over);
    v128.store(wide(odds, i), f64x2.mul(own, over));
    sure = i64x2.sub(sure, isSure);
    const open = i64x2.bitmask(v128.andnot(isStrong, isSure));
    // Written in any case: what does not count is written over.
    store<i32>(list + (<usize>strong << 2), i);
    strong += open & 1;
    store<i32>(list + (<usize>strong << 2), i + 1);
    strong += open >> 1;
  }
  // Rivals are taken eight at a time.
  for (let i = (n + 1) & ~1; i & 7; i += 2) {
    v128.store(wide(odds, i), f64x2.splat(0));
    v128.store(wide(inverse, i), f64x2.splat(0));
  }
  above = <i32>(i64x2.extract_lane(sure, 0) + i64x2.extract_lane(sure, 1));
  return strong;
}

/** The row after one more pair of rivals, at two ranks and the two before, but for its scale. */
@inline function withPair(here: v128, last: v128, sum: v128, product: v128): v128 {
  return f64x2.add(f64x2.add(here, f64x2.mul(sum, between(last, here))), f64x2.mul(product, last));
}

/** Whether a row has more than thin probabilities at two ranks. */
@inline function counts(row: usize): bool {
  return v128.any_true(f64x2.gt(v128.load(row), f64x2.splat(thin)));
}

/** The distribution over the first ranks by weak rivals alone, `bytes` long. */
function addWeak(n: i32, bytes: usize): void {
  const odds = region(SoftRegion.odds);
  const inverse = region(SoftRegion.inverse);
  const one = f64x2.splat(1);
  memory.fill(rows, 0, bytes);
  store<f64>(rows, 1);
  // After so many rivals no rank is further down.
  let reach: usize = 16;
  for (let first = 0; first < n; first += SCALED_AFTER) {
    let scale = one;
    for (let i = first, last = min(n, first + SCALED_AFTER); i < last; i += 4) {
      const oddsA = v128.load(wide(odds, i));
      const oddsB = v128.load(wide(odds, i), 16);
      if (!v128.any_true(v128.or(oddsA, oddsB))) continue;
      const over = f64x2.mul(
        f64x2.pmax(one, v128.load(wide(inverse, i))),
        f64x2.pmax(one, v128.load(wide(inverse, i), 16)),
      );
      scale = f64x2.mul(scale, over);
      const otherA = i64x2.shuffle(oddsA, oddsA, 1, 0);
      const otherB = i64x2.shuffle(oddsB, oddsB, 1, 0);
      const sumA = f64x2.add(oddsA, otherA);
      const sumB = f64x2.add(oddsB, otherB);
      const productA = f64x2.mul(oddsA, otherA);
      const productB = f64x2.mul(oddsB, otherB);
      let lastA = f64x2.splat(0);
      let lastB = f64x2.splat(0);
      reach = min(bytes, reach + 32);
      for (let row = rows, end = rows + reach; row < end; row += 16) {
        const here = v128.load(row);
        const next = withPair(here, lastA, sumA, productA);
        v128.store(row, withPair(next, lastB, sumB, productB));
        lastA = here;
        lastB = next;
      }
    }
    const by = f64x2.splat(1 / (f64x2.extract_lane(scale, 0) * f64x2.extract_lane(scale, 1)));
    for (let row = rows, end = rows + reach; row < end; row += 16) v128.store(row, f64x2.mul(v128.load(row), by));
  }
}

/** The chance of the strong rival number s; of none past the last. */
@inline function strongChance(s: i32, strong: i32): f64 {
  return s < strong ? load<f64>(wide(region(SoftRegion.win), rivalAt(s))) : 0;
}

@inline function rivalAt(s: i32): i32 {
  return load<i32>(region(SoftRegion.rival) + (<usize>s << 2));
}

/**
 * Notes which ranks of a row count, in bytes, given that none does before `from` or from `to` on: where thin
 * probabilities are left out on either side, what is felt of them is thin, too, in all rows and going back.
 */
@inline function window(number: i32, row: usize, from: usize, to: usize): void {
  let low = from;
  let high = to;
  if (to > NARROW) {
    while (high > low + 16 && !counts(row + high - 16)) high -= 16;
    while (low + 16 < high && !counts(row + low)) low += 16;
  }
  const own = windowOf(number);
  store<u32>(own, <u32>low);
  store<u32>(own, <u32>high, 4);
}

@inline function windowOf(number: i32): usize {
  return wide(region(SoftRegion.window), number);
}

/** p(r) <- p(r) + chance (p(r-1) - p(r)) for strong rivals, two at a time, every row kept; returns the last one. */
function addStrong(strong: i32, bytes: usize): usize {
  let row = rows;
  window(0, row, 0, bytes);
  for (let s = 0; s < strong; s += 2) {
    const a = strongChance(s, strong);
    const b = strongChance(s + 1, strong);
    const neither = f64x2.splat((1 - a) * (1 - b));
    const one = f64x2.splat(a * (1 - b) + b * (1 - a));
    const both = f64x2.splat(a * b);
    const low = <usize>load<u32>(windowOf(s >> 1));
    const high = <usize>load<u32>(windowOf(s >> 1), 4);
    const end = min(bytes, high + 16);
    // Past the window nothing was written.
    if (end > high) v128.store(row + high, f64x2.splat(0));
    let last = f64x2.splat(0);
    for (let at = row + low; at < row + end; at += 16) {
      const here = v128.load(at);
      const next = f64x2.add(f64x2.mul(neither, here), f64x2.mul(one, between(last, here)));
      v128.store(at + bytes, f64x2.add(next, f64x2.mul(both, last)));
      last = here;
    }
    row += bytes;
    window((s >> 1) + 1, row, low, end);
  }
  return row;
}

/** Adds the derivative by the chance of strong rival number s. */
@inline function addStrongSlope(s: i32, slope: f64, over: f64): f64 {
  const i = rivalAt(s);
  const gradient = wide(region(SoftRegion.gradient), i);
  const lambda = slope * load<f64>(wide(region(SoftRegion.density), i)) * over;
  store<f64>(gradient, load<f64>(gradient) + lambda);
  return lambda;
}

/**
 * Back through the rows with the adjoint: the derivatives of strong rivals, whose sum is returned. With d the adjoint's
 * differences by rank and dd those of d, two rivals of chances a and b take the adjoint to itself + (a + b) d + a b dd,
 * and the derivative by a is the sum over the ranks of the row before them of d + b dd.
 */
function goBack(strong: i32, bytes: usize, over: f64): f64 {
  const adjoint = region(SoftRegion.adjoint);
  let total: f64 = 0;
  for (let s = (strong - 1) & ~1; s >= 0; s -= 2) {
    const row = rows + <usize>(s >> 1) * bytes;
    const a = strongChance(s, strong);
    const b = strongChance(s + 1, strong);
    const either = f64x2.splat(a + b);
    const both = f64x2.splat(a * b);
    const low = <usize>load<u32>(windowOf(s >> 1));
    const high = <usize>load<u32>(windowOf(s >> 1), 4);
    let first = f64x2.splat(0);
    let second = f64x2.splat(0);
    let here = v128.load(adjoint + low);
    let next = v128.load(adjoint + low, 16);
    let step = f64x2.sub(between(here, next), here);
    for (let o = low; o < high; o += 16) {
      const after = v128.load(adjoint + o, 32);
      const nextStep = f64x2.sub(between(next, after), next);
      const bend = f64x2.sub(between(step, nextStep), step);
      const own = v128.load(row + o);
      first = f64x2.add(first, f64x2.mul(own, step));
      second = f64x2.add(second, f64x2.mul(own, bend));
      v128.store(adjoint + o, f64x2.add(here, f64x2.add(f64x2.mul(either, step), f64x2.mul(both, bend))));
      here = next;
      next = after;
      step = nextStep;
    }
    const byOne = sum2(first);
    const byBoth = sum2(second);
    total += addStrongSlope(s, byOne + b * byBoth, over);
    if (s + 1 < strong) total += addStrongSlope(s + 1, byOne + a * byBoth, over);
  }
  return total;
}

/**
 * coefficient[d] = the sum over r of p(r) (discount(r + d + 1) - discount(r + d)), over ranks from `low` up to `high`,
 * in bytes; returns the largest.
 */
function fillCoefficients(row: usize, width: i32, low: usize, high: usize): f64 {
  const adjoint = region(SoftRegion.adjoint);
  const step = region(SoftRegion.step);
  const coefficient = region(SoftRegion.coefficient);
  for (let r = 0; r < width + 4; r += 2) {
    const at = wide(adjoint, r);
    v128.store(wide(step, r), f64x2.sub(v128.load(at, 8), v128.load(at)));
  }
  let highest = f64x2.splat(0);
  // Four at a time, which share the row: sums wait for each other, but not for those of others.
  for (let d = 0, count = width - <i32>(low >> 3); d < count; d += 4) {
    let a = f64x2.splat(0);
    let b = f64x2.splat(0);
    let c = f64x2.splat(0);
    let e = f64x2.splat(0);
    for (let o = low, end = min(high, <usize>(width - d) << 3), at = wide(step, d); o < end; o += 16) {
      const own = v128.load(row + o);
      a = f64x2.add(a, f64x2.mul(own, v128.load(at + o)));
      b = f64x2.add(b, f64x2.mul(own, v128.load(at + o, 8)));
      c = f64x2.add(c, f64x2.mul(own, v128.load(at + o, 16)));
      e = f64x2.add(e, f64x2.mul(own, v128.load(at + o, 24)));
    }
    const first = f64x2.add(i64x2.shuffle(a, b, 0, 2), i64x2.shuffle(a, b, 1, 3));
    const second = f64x2.add(i64x2.shuffle(c, e, 0, 2), i64x2.shuffle(c, e, 1, 3));
    v128.store(wide(coefficient, d), first);
    v128.store(wide(coefficient, d), second, 16);
    highest = f64x2.pmax(highest, f64x2.pmax(f64x2.abs(first), f64x2.abs(second)));
  }
  return max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1));
}

/** Powers below 2^-this, times coefficients of at most these, make derivatives that are negligible; at least 1. */
@inline function bitsThatCount(highest: f64, over: f64): f64 {
  const share = (WEAK_HAZARD * highest * abs(over)) / (NEGLIGIBLE * largest);
  // The first document of a query has nothing to be small beside.
  return share < Infinity ? max(1, logarithm(share) + LOGARITHM_OFF) : Infinity;
}

/** The derivatives of two rivals, by the values of their polynomials. */
@inline function addSlopes(slope: v128, i: i32, over: f64): v128 {
  const gradient = wide(region(SoftRegion.gradient), i);
  const byChance = f64x2.mul(slope, v128.load(wide(region(SoftRegion.inverse), i)));
  const byScore = f64x2.mul(v128.load(wide(region(SoftRegion.density), i)), f64x2.splat(over));
  const lambda = f64x2.mul(byChance, byScore);
  v128.store(gradient, f64x2.add(v128.load(gradient), lambda));
  return lambda;
}

/** To base 2, of a number above 0: its bits are a line from power to power of 2, a little below the curve. */
@inline function logarithm(x: f64): f64 {
  return <f64>(reinterpret<i64>(x) - reinterpret<i64>(<f64>1)) * (1.0 / 4503599627370496);
}

/**
 * Terms of a polynomial that count where no odds are above these and powers below 2^-bits make no difference; at most
 * `width`.
 */
@inline function termsThatCount(odds: f64, bits: f64, width: i32): i32 {
  const fall = -(logarithm(odds) + LOGARITHM_OFF);
  return fall * <f64>width <= bits ? width : <i32>(bits / fall) + 1;
}

/** The derivatives of weak rivals; returns their sum. */
function addPolynomials(n: i32, width: i32, bits: f64, over: f64): f64 {
  const odds = region(SoftRegion.odds);
  const first = region(SoftRegion.coefficient);
  const zero = f64x2.splat(0);
  let total = zero;
  for (let i = 0; i < n; i += 8) {
    const at = wide(odds, i);
    const oddsA = f64x2.neg(v128.load(at));
    const oddsB = f64x2.neg(v128.load(at, 16));
    const oddsC = f64x2.neg(v128.load(at, 32));
    const oddsD = f64x2.neg(v128.load(at, 48));
    const least = f64x2.pmin(f64x2.pmin(oddsA, oddsB), f64x2.pmin(oddsC, oddsD));
    const highest = -min(f64x2.extract_lane(least, 0), f64x2.extract_lane(least, 1));
    if (highest == 0) continue;
    const terms = termsThatCount(highest, bits, width);
    let a = zero;
    let b = zero;
    let c = zero;
    let d = zero;
    for (let k = wide(first, terms - 1); k >= first; k -= 8) {
      const coefficient = v128.load64_splat(k);
      a = f64x2.add(f64x2.mul(a, oddsA), coefficient);
      b = f64x2.add(f64x2.mul(b, oddsB), coefficient);
      c = f64x2.add(f64x2.mul(c, oddsC), coefficient);
      d = f64x2.add(f64x2.mul(d, oddsD), coefficient);
    }
    total = f64x2.add(total, addSlopes(a, i, over));
    total = f64x2.add(total, addSlopes(b, i + 2, over));
    total = f64x2.add(total, addSlopes(c, i + 4, over));
    total = f64x2.add(total, addSlopes(d, i + 6, over));
  }
  return sum2(total);
}

/**
 * What the first `head` ranks are worth to document j, by discounts from `discounts` on; the derivatives by all scores
 * are added to `gradient`. Where `over` is below 0, scores are turned over.
 */
export function expectedAtTop(j: i32, n: i32, over: f64, discounts: usize, head: i32, scale: f64): f64 {
  if (largest > 0 && isNegligible(chanceOfTop(n, head), n, over, scale)) return 0;
  const strong = sortOut(n);
  const width = head - above;
  if (width <= 0) return 0;
  const bytes = <usize>((width + 1) & ~1) << 3;
  thin = (NEGLIGIBLE * largest) / (feltBy(1, n, over, scale) * <f64>n * raised);
  addWeak(n, bytes);
  const row = addStrong(strong, bytes);
  const counted = windowOf((strong + 1) >> 1);
  const low = <usize>load<u32>(counted);
  const high = <usize>load<u32>(counted, 4);
  const adjoint = region(SoftRegion.adjoint);
  const first = discounts + (<usize>above << 3);
  for (let r = 0; r < width; r += 2) {
    v128.store(wide(adjoint, r), f64x2.mul(f64x2.splat(scale), v128.load(wide(first, r))));
  }
  // Beyond the ranks that count nothing is worth anything.
  for (let r = 0; r < 6; r++) store<f64>(wide(adjoint, width + r), 0);
  let worth = f64x2.splat(0);
  let held = f64x2.splat(0);
  for (let o = low; o < high; o += 16) {
    const own = v128.load(row + o);
    worth = f64x2.add(worth, f64x2.mul(own, v128.load(adjoint + o)));
    held = f64x2.add(held, own);
  }
  const value = sum2(worth);
  if (isNegligible(sum2(held), n, over, scale)) return value;
  const bits = bitsThatCount(fillCoefficients(row, width, low, high), over);
  const total = goBack(strong, bytes, over) + addPolynomials(n, width - <i32>(low >> 3), bits, over);
  const gradient = wide(region(SoftRegion.gradient), j);
  store<f64>(gradient, load<f64>(gradient) - total);
  largest = max(largest, abs(total));
  return value;
}
