// Measures that are a sum over documents of gain times the discount of their rank, or of ranks down to it: no list is
// sorted, how many documents are above each with a gain is counted, two at a time. For short lists. The formulas, those
// for documents of equal score too, are in src/lines/counted-form.ts; the reference is the measure's own value.

import { sum2, wide } from './common/float2';
import { CountedRegion } from './layouts/counted-values';

let base: usize = 0;
let stride: usize = 0;

/** Regions of so many bytes each. */
export function layOut(start: usize, bytes: usize): void {
  base = start;
  stride = bytes;
}

@inline function region(r: CountedRegion): usize {
  return base + <usize>r * stride;
}

@inline function count2(v: v128): i32 {
  return <i32>(i64x2.extract_lane(v, 0) + i64x2.extract_lane(v, 1));
}

/** Every query: its sum times its norm. */
export function values(queries: i32, precision: bool): void {
  const first = region(CountedRegion.first);
  const value = region(CountedRegion.value);
  const norm = region(CountedRegion.norm);
  for (let q = 0; q < queries; q++) {
    const from = <i32>load<f64>(wide(first, q));
    const n = <i32>load<f64>(wide(first, q + 1)) - from;
    take(from, n);
    const sum = precision ? precisionSum(n, from + q) : linearSum(n, from + q);
    store<f64>(wide(value, q), sum * load<f64>(wide(norm, q)));
  }
}

/** The scores and gains of a query, nobody after the last. */
function take(from: i32, n: i32): void {
  const own = region(CountedRegion.own);
  const ownGain = region(CountedRegion.ownGain);
  memory.copy(own, wide(region(CountedRegion.scores), from), <usize>n << 3);
  memory.copy(ownGain, wide(region(CountedRegion.gain), from), <usize>n << 3);
  store<f64>(wide(own, n), -Infinity);
  store<f64>(wide(ownGain, n), 0);
}

function linearSum(n: i32, table: i32): f64 {
  const own = region(CountedRegion.own);
  const ownGain = region(CountedRegion.ownGain);
  const discounts = wide(region(CountedRegion.discounts), table);
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    const gain = load<f64>(wide(ownGain, i));
    if (gain == 0) continue;
    const score = v128.load64_splat(wide(own, i));
    let above = i64x2.splat(0);
    let equal = i64x2.splat(0);
    for (let j = 0; j < n; j += 2) {
      const other = v128.load(wide(own, j));
      above = i64x2.sub(above, f64x2.gt(other, score));
      equal = i64x2.sub(equal, f64x2.eq(other, score));
    }
    const rank = count2(above);
    const many = count2(equal);
    const discount = load<f64>(wide(discounts, rank + many)) - load<f64>(wide(discounts, rank));
    sum += (gain * discount) / <f64>many;
  }
  return sum;
}

function precisionSum(n: i32, table: i32): f64 {
  const own = region(CountedRegion.own);
  const ownGain = region(CountedRegion.ownGain);
  const discounts = wide(region(CountedRegion.discounts), table);
  const moments = wide(region(CountedRegion.moments), table);
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    if (load<f64>(wide(ownGain, i)) == 0) continue;
    const score = v128.load64_splat(wide(own, i));
    let above = i64x2.splat(0);
    let equal = i64x2.splat(0);
    let relevantAbove = f64x2.splat(0);
    let relevantEqual = f64x2.splat(0);
    for (let j = 0; j < n; j += 2) {
      const other = v128.load(wide(own, j));
      const gains = v128.load(wide(ownGain, j));
      const higher = f64x2.gt(other, score);
      const same = f64x2.eq(other, score);
      above = i64x2.sub(above, higher);
      equal = i64x2.sub(equal, same);
      relevantAbove = f64x2.add(relevantAbove, v128.and(higher, gains));
      relevantEqual = f64x2.add(relevantEqual, v128.and(same, gains));
    }
    const rank = count2(above);
    const many = count2(equal);
    const discount = load<f64>(wide(discounts, rank + many)) - load<f64>(wide(discounts, rank));
    let counted = (sum2(relevantAbove) + 1) * discount;
    if (many > 1) {
      const moment = load<f64>(wide(moments, rank + many)) - load<f64>(wide(moments, rank)) - <f64>rank * discount;
      counted += ((sum2(relevantEqual) - 1) / <f64>(many - 1)) * moment;
    }
    sum += counted / <f64>many;
  }
  return sum;
}
