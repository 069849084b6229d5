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

/** So many ranks fit into registers, and are all that a measure such as NDCG@10 looks at. */
const SHORT: i32 = 10;
const SHORT_BYTES: usize = 80;
/** Rivals of a larger chance are not divided out of a distribution: odds of 4 to the 9th leave 10 of 16 digits. */
const WEAK: f64 = 0.8;
/** Derivatives below this share of the largest one so far are left out. */
const NEGLIGIBLE: f64 = 1e-9;
/** The density of the normal distribution is at most so many times the chance beyond, within the table. */
const HAZARD: f64 = 10;

/** The largest derivative by the score of the document itself, of the documents of the query so far. */
let largest: f64 = 0;

/** Before the documents of another query. */
export function beginQuery(): void {
  largest = 0;
}

/** Leaves the chances of weak rivals, 0 for others, lists the strong ones, and returns their number. */
function sortOut(n: i32): i32 {
  const win = region(SoftRegion.win);
  const chance = region(SoftRegion.chance);
  const list = region(SoftRegion.rival);
  const one = f64x2.splat(1);
  let sure = i64x2.splat(0);
  let strong = 0;
  // No rival after the last.
  store<f64>(wide(win, n), 0);
  store<f64>(wide(region(SoftRegion.density), n), 0);
  for (let i = 0; i < n; i += 2) {
    const own = v128.load(wide(win, i));
    const isStrong = f64x2.gt(own, f64x2.splat(WEAK));
    const isSure = f64x2.eq(own, one);
    v128.store(wide(chance, i), v128.andnot(own, isStrong));
    sure = i64x2.sub(sure, isSure);
    const open = i64x2.bitmask(v128.andnot(isStrong, isSure));
    // Written in any case: what does not count is written over.
    store<i32>(list + (<usize>strong << 2), i);
    strong += open & 1;
    store<i32>(list + (<usize>strong << 2), i + 1);
    strong += open >> 1;
  }
  above = <i32>(i64x2.extract_lane(sure, 0) + i64x2.extract_lane(sure, 1));
  return strong;
}

/** (1 - chance) p(r) + chance p(r-1) at two ranks, with those at the two before. */
@inline function advanced(own: v128, other: v128, last: v128, here: v128): v128 {
  return f64x2.add(f64x2.mul(other, here), f64x2.mul(own, between(last, here)));
}

/**
 * What `expectedDiscount` does where up to SHORT ranks count and no others. The derivative by the chance c of a rival
 * takes the distribution q without it. From p(r) = (1 - c) q(r) + c q(r-1) follows that q is a power series in the odds
 * -c / (1 - c), and the sum over ranks a polynomial whose coefficients are the same for all rivals. That loses digits
 * where odds are high: strong rivals come last, the rows before each are kept, and derivatives are got going back with
 * the adjoint.
 */
function expectedAtTop(j: i32, n: i32, over: f64, head: i32, scale: f64): f64 {
  const strong = sortOut(n);
  const width = head - above;
  if (width <= 0) return 0;
  const win = region(SoftRegion.win);
  const density = region(SoftRegion.density);
  const chance = region(SoftRegion.chance);
  const list = region(SoftRegion.rival);
  const adjoint = region(SoftRegion.adjoint);
  const gradient = region(SoftRegion.gradient);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  let p0 = f64x2(1, 0);
  let p1 = zero;
  let p2 = zero;
  let p3 = zero;
  let p4 = zero;
  for (let i = 0; i < n; i++) {
    const own = v128.load64_splat(wide(chance, i));
    const other = f64x2.sub(one, own);
    p4 = advanced(own, other, p3, p4);
    p3 = advanced(own, other, p2, p3);
    p2 = advanced(own, other, p1, p2);
    p1 = advanced(own, other, p0, p1);
    p0 = advanced(own, other, zero, p0);
  }
  let row = rows;
  for (let s = 0; s < strong; s++) {
    v128.store(row, p0);
    v128.store(row, p1, 16);
    v128.store(row, p2, 32);
    v128.store(row, p3, 48);
    v128.store(row, p4, 64);
    row += SHORT_BYTES;
    const own = v128.load64_splat(wide(win, load<i32>(list + (<usize>s << 2))));
    const other = f64x2.sub(one, own);
    p4 = advanced(own, other, p3, p4);
    p3 = advanced(own, other, p2, p3);
    p2 = advanced(own, other, p1, p2);
    p1 = advanced(own, other, p0, p1);
    p0 = advanced(own, other, zero, p0);
  }
  // Discounts, and from there on zeros as far as any shift of them reaches.
  const first = region(SoftRegion.head) + (<usize>above << 3);
  let most: f64 = 0;
  for (let r = 0; r < 2 * SHORT + 2; r++) {
    const discount = r < width ? scale * load<f64>(wide(first, r)) : 0;
    most = max(most, abs(discount));
    store<f64>(wide(adjoint, r), discount);
  }
  let a0 = v128.load(adjoint);
  let a1 = v128.load(adjoint, 16);
  let a2 = v128.load(adjoint, 32);
  let a3 = v128.load(adjoint, 48);
  let a4 = v128.load(adjoint, 64);
  const low = f64x2.add(f64x2.add(f64x2.mul(a0, p0), f64x2.mul(a1, p1)), f64x2.mul(a2, p2));
  const value = sum2(f64x2.add(low, f64x2.add(f64x2.mul(a3, p3), f64x2.mul(a4, p4))));
  // No derivative by a chance c is larger: q(r) <= p(r) / (1 - c).
  const reach = sum2(f64x2.add(f64x2.add(f64x2.add(p0, p1), f64x2.add(p2, p3)), p4));
  if (HAZARD * 2 * most * reach * <f64>n * over <= NEGLIGIBLE * largest) return value;
  let total: f64 = 0;
  for (let s = strong - 1; s >= 0; s--) {
    row -= SHORT_BYTES;
    const i = load<i32>(list + (<usize>s << 2));
    const own = v128.load64_splat(wide(win, i));
    const other = f64x2.sub(one, own);
    const b0 = between(a0, a1);
    const b1 = between(a1, a2);
    const b2 = between(a2, a3);
    const b3 = between(a3, a4);
    const b4 = between(a4, zero);
    let even = f64x2.mul(v128.load(row), f64x2.sub(b0, a0));
    let odd = f64x2.mul(v128.load(row, 16), f64x2.sub(b1, a1));
    even = f64x2.add(even, f64x2.mul(v128.load(row, 32), f64x2.sub(b2, a2)));
    odd = f64x2.add(odd, f64x2.mul(v128.load(row, 48), f64x2.sub(b3, a3)));
    even = f64x2.add(even, f64x2.mul(v128.load(row, 64), f64x2.sub(b4, a4)));
    const lambda = sum2(f64x2.add(even, odd)) * load<f64>(wide(density, i)) * over;
    store<f64>(wide(gradient, i), load<f64>(wide(gradient, i)) + lambda);
    total += lambda;
    a0 = f64x2.add(f64x2.mul(other, a0), f64x2.mul(own, b0));
    a1 = f64x2.add(f64x2.mul(other, a1), f64x2.mul(own, b1));
    a2 = f64x2.add(f64x2.mul(other, a2), f64x2.mul(own, b2));
    a3 = f64x2.add(f64x2.mul(other, a3), f64x2.mul(own, b3));
    a4 = f64x2.add(f64x2.mul(other, a4), f64x2.mul(own, b4));
  }
  // Coefficient d: the sum over r of p(r) (discount(r + d + 1) - discount(r + d)).
  const coefficient = region(SoftRegion.product);
  for (let d = 0; d < SHORT; d++) {
    const at = wide(adjoint, d);
    let even = f64x2.mul(p0, f64x2.sub(v128.load(at, 8), v128.load(at)));
    let odd = f64x2.mul(p1, f64x2.sub(v128.load(at, 24), v128.load(at, 16)));
    even = f64x2.add(even, f64x2.mul(p2, f64x2.sub(v128.load(at, 40), v128.load(at, 32))));
    odd = f64x2.add(odd, f64x2.mul(p3, f64x2.sub(v128.load(at, 56), v128.load(at, 48))));
    even = f64x2.add(even, f64x2.mul(p4, f64x2.sub(v128.load(at, 72), v128.load(at, 64))));
    store<f64>(wide(coefficient, d), over * sum2(f64x2.add(even, odd)));
  }
  const c0 = v128.load64_splat(coefficient);
  const c1 = v128.load64_splat(coefficient, 8);
  const c2 = v128.load64_splat(coefficient, 16);
  const c3 = v128.load64_splat(coefficient, 24);
  const c4 = v128.load64_splat(coefficient, 32);
  const c5 = v128.load64_splat(coefficient, 40);
  const c6 = v128.load64_splat(coefficient, 48);
  const c7 = v128.load64_splat(coefficient, 56);
  const c8 = v128.load64_splat(coefficient, 64);
  const c9 = v128.load64_splat(coefficient, 72);
  let totals = zero;
  for (let i = 0; i < n; i += 2) {
    const own = v128.load(wide(chance, i));
    const inverse = f64x2.div(one, f64x2.sub(one, own));
    const x = f64x2.neg(f64x2.mul(own, inverse));
    const x2 = f64x2.mul(x, x);
    let even = f64x2.add(f64x2.mul(c8, x2), c6);
    let odd = f64x2.add(f64x2.mul(c9, x2), c7);
    even = f64x2.add(f64x2.mul(even, x2), c4);
    odd = f64x2.add(f64x2.mul(odd, x2), c5);
    even = f64x2.add(f64x2.mul(even, x2), c2);
    odd = f64x2.add(f64x2.mul(odd, x2), c3);
    even = f64x2.add(f64x2.mul(even, x2), c0);
    odd = f64x2.add(f64x2.mul(odd, x2), c1);
    const slope = f64x2.mul(f64x2.add(even, f64x2.mul(odd, x)), inverse);
    // The density of the document itself and of those that are sure to lose is 0.
    const isWeak = f64x2.le(v128.load(wide(win, i)), f64x2.splat(WEAK));
    const lambda = v128.and(f64x2.mul(slope, v128.load(wide(density, i))), isWeak);
    v128.store(wide(gradient, i), f64x2.add(v128.load(wide(gradient, i)), lambda));
    totals = f64x2.add(totals, lambda);
  }
  total += sum2(totals);
  store<f64>(wide(gradient, j), load<f64>(wide(gradient, j)) - total);
  largest = max(largest, abs(total));
  return value;
}

/**
 * `scale` times the expected discount of document j; its derivatives by all scores are added to `gradient`. `over` is 1
 * over the deviation of a difference of scores.
 */
export function expectedDiscount(j: i32, n: i32, over: f64, terms: i32, head: i32, scale: f64): f64 {
  chances(j, n, over);
  if (terms == 0 && head <= SHORT) return expectedAtTop(j, n, over, head, scale);
  const m = gatherRivals(n);
  const slope = region(SoftRegion.slope);
  let value: f64 = 0;
  if (terms > 0) value = addTerms(m, terms, scale);
  else memory.fill(slope, 0, <usize>m << 3);
  if (head > 0) value += addHead(m, head, scale);
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
