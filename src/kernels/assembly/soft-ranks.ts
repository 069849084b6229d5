// SoftRank's expected discounts and their gradients, for one document of a query. The reference is
// src/objectives/soft/rank-distributions.ts; why a sum of exponentials is as good as a rank distribution, and so much
// less work, is in docs/decisions/softrank-by-exponentials.md.
//
// The discount of rank r is the sum over terms of weight_k z_k^r, for the first ranks `head` more, and for the last
// ones `foot` more. With rivals that win independently by chance_i, the mean of z^r is the product over rivals of
// (1 - chance_i (1 - z)).

import { sum2, wide } from './common/float2';
import { chances, region, turnOver } from './common/soft-chances';
import { expectedAtTop } from './common/soft-top';
import { SoftRegion } from './layouts/smooth-ranks';

export { layOut } from './common/soft-chances';
export { beginQuery } from './common/soft-top';

/** Rivals that are sure to win. */
let above: i32 = 0;

/** Puts rivals that may win and may lose side by side; returns their number and leaves that of sure winners. */
function gatherRivals(n: i32): i32 {
  const win = region(SoftRegion.win);
  const rival = region(SoftRegion.rival);
  const chance = region(SoftRegion.chance);
  let m = 0;
  above = 0;
  for (let i = 0; i < n; i++) {
    const own = load<f64>(wide(win, i));
    // Written in any case: what does not count is written over.
    store<f64>(wide(chance, m), own);
    store<i32>(rival + (<usize>m << 2), i);
    above += i32(own == 1);
    m += i32(own != 0) & i32(own != 1);
  }
  return m;
}

/**
 * The terms: their part of the value, and slope[t], the derivative by the chance of rival t. Four terms at a time;
 * `terms` is a multiple of four.
 */
function addTerms(m: i32, terms: i32, scale: f64): f64 {
  const fall = region(SoftRegion.fall);
  const weight = region(SoftRegion.weight);
  const product = region(SoftRegion.product);
  const chance = region(SoftRegion.chance);
  const slope = region(SoftRegion.slope);
  const one = f64x2.splat(1);
  let value = f64x2.splat(0);
  for (let k = 0; k < terms; k += 4) {
    const fallA = v128.load(wide(fall, k));
    const fallB = v128.load(wide(fall, k), 16);
    let a = f64x2.mul(v128.load(wide(weight, k)), f64x2.splat(scale));
    let b = f64x2.mul(v128.load(wide(weight, k), 16), f64x2.splat(scale));
    let powerA = f64x2.sub(one, fallA);
    let powerB = f64x2.sub(one, fallB);
    for (let left = above; left > 0; left >>= 1) {
      if (left & 1) {
        a = f64x2.mul(a, powerA);
        b = f64x2.mul(b, powerB);
      }
      powerA = f64x2.mul(powerA, powerA);
      powerB = f64x2.mul(powerB, powerB);
    }
    for (let t = 0; t < m; t++) {
      const own = v128.load64_splat(wide(chance, t));
      a = f64x2.mul(a, f64x2.sub(one, f64x2.mul(own, fallA)));
      b = f64x2.mul(b, f64x2.sub(one, f64x2.mul(own, fallB)));
    }
    value = f64x2.add(value, f64x2.add(a, b));
    v128.store(wide(product, k), f64x2.mul(a, fallA));
    v128.store(wide(product, k), f64x2.mul(b, fallB), 16);
  }
  for (let t = 0; t < m; t++) {
    const own = v128.load64_splat(wide(chance, t));
    let total = f64x2.splat(0);
    for (let o: usize = 0, end = <usize>terms << 3; o < end; o += 32) {
      const a = f64x2.sub(one, f64x2.mul(own, v128.load(fall + o)));
      const b = f64x2.sub(one, f64x2.mul(own, v128.load(fall + o, 16)));
      // Two quotients by one division: it takes as long as all the rest.
      const both = f64x2.add(f64x2.mul(v128.load(product + o), b), f64x2.mul(v128.load(product + o, 16), a));
      total = f64x2.add(total, f64x2.div(both, f64x2.mul(a, b)));
    }
    store<f64>(wide(slope, t), -sum2(total));
  }
  return sum2(value);
}

/** What the terms are worth to document j; the derivatives by all scores are added to `gradient`. */
function expectedByTerms(j: i32, n: i32, over: f64, terms: i32, scale: f64): f64 {
  const m = gatherRivals(n);
  const value = addTerms(m, terms, scale);
  const slope = region(SoftRegion.slope);
  const rival = region(SoftRegion.rival);
  const density = region(SoftRegion.density);
  const gradient = region(SoftRegion.gradient);
  let own: f64 = 0;
  for (let t = 0; t < m; t++) {
    const i = load<i32>(rival + (<usize>t << 2));
    const lambda = load<f64>(wide(slope, t)) * load<f64>(wide(density, i)) * over;
    store<f64>(wide(gradient, i), load<f64>(wide(gradient, i)) + lambda);
    own += lambda;
  }
  store<f64>(wide(gradient, j), load<f64>(wide(gradient, j)) - own);
  return value;
}

/**
 * `scale` times the expected discount of document j; its derivatives by all scores are added to `gradient`. `over` is 1
 * over the deviation of a difference of scores, in distances between two entries of the table.
 */
export function expectedDiscount(j: i32, n: i32, over: f64, terms: i32, head: i32, foot: i32, scale: f64): f64 {
  chances(j, n, over);
  let value: f64 = 0;
  if (terms > 0) value = expectedByTerms(j, n, over, terms, scale);
  if (head > 0) value += expectedAtTop(j, n, over, region(SoftRegion.head), head, scale);
  if (foot > 0) {
    // With scores turned over the last ranks are the first ones.
    turnOver(j, n);
    value += expectedAtTop(j, n, -over, region(SoftRegion.foot), foot, scale);
  }
  return value;
}

/**
 * `norm` times expected relevant documents down to j over expected documents down to it; its derivatives by all scores
 * are added to `gradient`.
 */
export function expectedPrecision(j: i32, n: i32, over: f64, norm: f64): f64 {
  chances(j, n, over);
  const win = region(SoftRegion.win);
  const density = region(SoftRegion.density);
  const relevant = region(SoftRegion.relevant);
  const gradient = region(SoftRegion.gradient);
  let hits = f64x2(1, 0);
  let position = f64x2(1, 0);
  for (let i = 0; i < n; i += 2) {
    const own = v128.load(wide(win, i));
    position = f64x2.add(position, own);
    hits = f64x2.add(hits, f64x2.mul(own, v128.load(wide(relevant, i))));
  }
  const down = sum2(position);
  const precision = sum2(hits) / down;
  const mean = f64x2.splat(precision);
  const scale = f64x2.splat((norm * over) / down);
  let own = f64x2.splat(0);
  for (let i = 0; i < n; i += 2) {
    const byWin = f64x2.mul(scale, f64x2.sub(v128.load(wide(relevant, i)), mean));
    const lambda = f64x2.mul(byWin, v128.load(wide(density, i)));
    own = f64x2.add(own, lambda);
    v128.store(wide(gradient, i), f64x2.add(v128.load(wide(gradient, i)), lambda));
  }
  store<f64>(wide(gradient, j), load<f64>(wide(gradient, j)) - sum2(own));
  return norm * precision;
}
