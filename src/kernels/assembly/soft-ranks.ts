// SoftRank's expected discounts and their gradients, for one document of a query. The reference is
// src/objectives/soft/rank-distributions.ts; why a sum of exponentials is as good as a rank distribution, and so much
// less work, is in docs/decisions/softrank-by-exponentials.md.
//
// The discount of rank r is the sum over terms of weight_k z_k^r, and for the first ranks `head` more. With rivals that
// win independently by chance_i, the mean of z^r is the product over rivals of (1 - chance_i (1 - z)).

import { between, normal2, sum2, wide } from './common/float2';
import { SoftRegion } from './layouts/smooth-ranks';

let base: usize = 0;
let stride: usize = 0;
let table: usize = 0;
let rows: usize = 0;

/** Regions of so many bytes each, the table of the normal distribution, and room for the rows of `head`. */
export function layOut(start: usize, bytes: usize, normal: usize, after: usize): void {
  base = start;
  stride = bytes;
  table = normal;
  rows = after;
}

@inline function region(r: SoftRegion): usize {
  return base + <usize>r * stride;
}

/** win[i] = P(i beats j), density[i]; 0 for j itself. */
function chances(j: i32, n: i32, over: f64): void {
  const scores = region(SoftRegion.scores);
  const win = region(SoftRegion.win);
  const density = region(SoftRegion.density);
  const own = f64x2.splat(load<f64>(wide(scores, j)));
  const scale = f64x2.splat(over);
  for (let i = 0; i < n; i += 2) {
    const apart = f64x2.mul(f64x2.sub(v128.load(wide(scores, i)), own), scale);
    v128.store(wide(win, i), normal2(apart, table, wide(density, i)));
  }
  store<f64>(wide(win, j), 0);
  store<f64>(wide(density, j), 0);
}

/** Puts rivals that may win and may lose side by side; returns their number and leaves that of sure winners. */
let above: i32 = 0;
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

/** A row of `head` in whole vectors, and one of zeros after. */
@inline function rowBytes(width: i32): usize {
  return (<usize>((width + 1) & ~1) << 3) + 16;
}

/**
 * The first ranks: p(r) <- p(r) + chance (p(r-1) - p(r)) rival by rival, every row kept, and back with the adjoint.
 * Adds to slope[t]; returns their part of the value.
 */
function addHead(m: i32, head: i32, scale: f64): f64 {
  const width = min(head - above, m + 1);
  if (width <= 0) return 0;
  const chance = region(SoftRegion.chance);
  const slope = region(SoftRegion.slope);
  const adjoint = region(SoftRegion.adjoint);
  const bytes = rowBytes(width);
  let row = rows;
  v128.store(row, f64x2(1, 0));
  v128.store(row, f64x2.splat(0), 16);
  for (let t = 0; t < m; t++) {
    const own = v128.load64_splat(wide(chance, t));
    const next = row + bytes;
    const end = <usize>min(width, t + 2) << 3;
    let o: usize = 0;
    let last = f64x2.splat(0);
    for (; o < end; o += 16) {
      const here = v128.load(row + o);
      v128.store(next + o, f64x2.add(here, f64x2.mul(own, f64x2.sub(between(last, here), here))));
      last = here;
    }
    // What the next row reads beyond: nothing has come so far yet.
    v128.store(next + o, f64x2.splat(0));
    row = next;
  }
  const first = region(SoftRegion.head) + (<usize>above << 3);
  let value: f64 = 0;
  for (let r = 0; r < width; r++) {
    const worth = scale * load<f64>(wide(first, r));
    store<f64>(wide(adjoint, r), worth);
    value += worth * load<f64>(wide(row, r));
  }
  v128.store(wide(adjoint, width), f64x2.splat(0));
  v128.store(wide(adjoint, width), f64x2.splat(0), 16);
  for (let t = m - 1; t >= 0; t--) {
    row -= bytes;
    const own = v128.load64_splat(wide(chance, t));
    const end = <usize>min(width, t + 1) << 3;
    let total = f64x2.splat(0);
    let here = v128.load(adjoint);
    for (let o: usize = 0; o < end; o += 16) {
      const next = v128.load(adjoint + o, 16);
      const step = f64x2.sub(between(here, next), here);
      total = f64x2.add(total, f64x2.mul(v128.load(row + o), step));
      v128.store(adjoint + o, f64x2.add(here, f64x2.mul(own, step)));
      here = next;
    }
    store<f64>(wide(slope, t), load<f64>(wide(slope, t)) + sum2(total));
  }
  return value;
}

/** So many ranks fit into registers. */
const SHORT: i32 = 12;
const SHORT_BYTES: usize = 96;

/** p(r) + chance (p(r-1) - p(r)) at two ranks, with those at the two before. */
@inline function advanced(own: v128, last: v128, here: v128): v128 {
  return f64x2.add(here, f64x2.mul(own, f64x2.sub(between(last, here), here)));
}

/**
 * `addHead` for up to SHORT ranks, which are all that a measure such as NDCG@10 looks at: no row is read but for the
 * sum.
 */
function addShortHead(m: i32, head: i32, scale: f64): f64 {
  const width = head - above;
  if (width <= 0) return 0;
  const chance = region(SoftRegion.chance);
  const slope = region(SoftRegion.slope);
  const zero = f64x2.splat(0);
  let p0 = f64x2(1, 0);
  let p1 = zero;
  let p2 = zero;
  let p3 = zero;
  let p4 = zero;
  let p5 = zero;
  let row = rows;
  for (let t = 0; t < m; t++) {
    v128.store(row, p0);
    v128.store(row, p1, 16);
    v128.store(row, p2, 32);
    v128.store(row, p3, 48);
    v128.store(row, p4, 64);
    v128.store(row, p5, 80);
    const own = v128.load64_splat(wide(chance, t));
    p5 = advanced(own, p4, p5);
    p4 = advanced(own, p3, p4);
    p3 = advanced(own, p2, p3);
    p2 = advanced(own, p1, p2);
    p1 = advanced(own, p0, p1);
    p0 = advanced(own, zero, p0);
    row += SHORT_BYTES;
  }
  const adjoint = region(SoftRegion.adjoint);
  const first = region(SoftRegion.head) + (<usize>above << 3);
  for (let r = 0; r < SHORT; r++) store<f64>(wide(adjoint, r), r < width ? scale * load<f64>(wide(first, r)) : 0);
  let a0 = v128.load(adjoint);
  let a1 = v128.load(adjoint, 16);
  let a2 = v128.load(adjoint, 32);
  let a3 = v128.load(adjoint, 48);
  let a4 = v128.load(adjoint, 64);
  let a5 = v128.load(adjoint, 80);
  const low = f64x2.add(f64x2.add(f64x2.mul(a0, p0), f64x2.mul(a1, p1)), f64x2.mul(a2, p2));
  const high = f64x2.add(f64x2.add(f64x2.mul(a3, p3), f64x2.mul(a4, p4)), f64x2.mul(a5, p5));
  for (let t = m - 1; t >= 0; t--) {
    row -= SHORT_BYTES;
    const own = v128.load64_splat(wide(chance, t));
    const s0 = f64x2.sub(between(a0, a1), a0);
    const s1 = f64x2.sub(between(a1, a2), a1);
    const s2 = f64x2.sub(between(a2, a3), a2);
    const s3 = f64x2.sub(between(a3, a4), a3);
    const s4 = f64x2.sub(between(a4, a5), a4);
    const s5 = f64x2.sub(between(a5, zero), a5);
    let even = f64x2.mul(v128.load(row), s0);
    let odd = f64x2.mul(v128.load(row, 16), s1);
    even = f64x2.add(even, f64x2.mul(v128.load(row, 32), s2));
    odd = f64x2.add(odd, f64x2.mul(v128.load(row, 48), s3));
    even = f64x2.add(even, f64x2.mul(v128.load(row, 64), s4));
    odd = f64x2.add(odd, f64x2.mul(v128.load(row, 80), s5));
    store<f64>(wide(slope, t), load<f64>(wide(slope, t)) + sum2(f64x2.add(even, odd)));
    a0 = f64x2.add(a0, f64x2.mul(own, s0));
    a1 = f64x2.add(a1, f64x2.mul(own, s1));
    a2 = f64x2.add(a2, f64x2.mul(own, s2));
    a3 = f64x2.add(a3, f64x2.mul(own, s3));
    a4 = f64x2.add(a4, f64x2.mul(own, s4));
    a5 = f64x2.add(a5, f64x2.mul(own, s5));
  }
  return sum2(f64x2.add(low, high));
}

/**
 * `scale` times the expected discount of document j; its derivatives by all scores are added to `gradient`. `over` is 1
 * over the deviation of a difference of scores.
 */
export function expectedDiscount(j: i32, n: i32, over: f64, terms: i32, head: i32, scale: f64): f64 {
  chances(j, n, over);
  const m = gatherRivals(n);
  const slope = region(SoftRegion.slope);
  let value: f64 = 0;
  if (terms > 0) value = addTerms(m, terms, scale);
  else memory.fill(slope, 0, <usize>m << 3);
  if (head > 0) value += head <= SHORT ? addShortHead(m, head, scale) : addHead(m, head, scale);
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
 * `norm` times expected relevant documents down to j over expected documents down to it; its derivatives by all scores
 * are added to `gradient`.
 */
export function expectedPrecision(j: i32, n: i32, over: f64, norm: f64): f64 {
  chances(j, n, over);
  const win = region(SoftRegion.win);
  const density = region(SoftRegion.density);
  const relevant = region(SoftRegion.relevant);
  const gradient = region(SoftRegion.gradient);
  // Documents past the end are beaten by none.
  if (n & 1) {
    store<f64>(wide(win, n), 0);
    store<f64>(wide(density, n), 0);
  }
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
