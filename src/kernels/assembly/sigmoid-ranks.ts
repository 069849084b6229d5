// Smooth positions of one query's documents and the chain rule from them to the scores, two pairs at a time in float64.
// The reference is src/objectives/approx/sigmoid-ranking.ts.
//
// The logistic function of alpha (s_y - s_x) is p_y / (p_x + p_y) with p = e^(alpha s): one exponential a document,
// where scores are near enough for it.

import { exp2, normal2, sum2, wide } from './common/float2';
import { SigmoidKind, SigmoidRegion } from './layouts/smooth-ranks';

let base: usize = 0;
let stride: usize = 0;
let table: usize = 0;

/** Regions of so many bytes each, and the table of the normal distribution. */
export function layOut(start: usize, bytes: usize, normal: usize): void {
  base = start;
  stride = bytes;
  table = normal;
}

@inline function region(r: SigmoidRegion): usize {
  return base + <usize>r * stride;
}

/** Powers of scores further apart would fall below float64. */
const FACTORED_SPAN: f64 = 600;
/** The normal distribution's argument at slope 1/4: sqrt(pi / 8). */
const SQRT_PI_8: f64 = 0.6266570686577501;

/** Fills `power` where the scores are near enough; returns whether they are. */
function fillPowers(n: i32, alpha: f64): bool {
  const scores = region(SigmoidRegion.scores);
  const power = region(SigmoidRegion.power);
  let highest: f64 = -Infinity;
  let lowest: f64 = Infinity;
  for (let i = 0; i < n; i++) {
    highest = max(highest, load<f64>(wide(scores, i)));
    lowest = min(lowest, load<f64>(wide(scores, i)));
  }
  if (!(alpha * (highest - lowest) <= FACTORED_SPAN)) return false;
  for (let i = 0; i < n; i += 2) {
    const below = f64x2.sub(v128.load(wide(scores, i)), f64x2.splat(highest));
    v128.store(wide(power, i), exp2(f64x2.mul(below, f64x2.splat(alpha))));
  }
  v128.store(wide(power, n), f64x2.splat(0)); // nobody after the last
  return true;
}

/** The logistic function and its slope with an exponential a pair. */
@inline function logistic(x: v128): v128 {
  const one = f64x2.splat(1);
  const small = exp2(f64x2.neg(f64x2.pmin(f64x2.splat(700), f64x2.abs(x))));
  const tail = f64x2.div(small, f64x2.add(one, small));
  return v128.bitselect(tail, f64x2.sub(one, tail), f64x2.lt(x, f64x2.splat(0)));
}

@inline function logisticSlope(x: v128): v128 {
  const small = exp2(f64x2.neg(f64x2.pmin(f64x2.splat(700), f64x2.abs(x))));
  const whole = f64x2.add(f64x2.splat(1), small);
  return f64x2.div(small, f64x2.mul(whole, whole));
}

/** f(x), x already as steep as `kind` takes it; the density of the normal distribution goes to `density`. */
@inline function sigmoid(x: v128, kind: i32, density: usize): v128 {
  return kind == SigmoidKind.normal ? normal2(x, table, density) : logistic(x);
}

@inline function steepness(factor: f64, kind: i32): f64 {
  return kind == SigmoidKind.normal ? SQRT_PI_8 * factor : factor;
}

let factored: bool = false;

/** Before anything else of a query. */
export function begin(n: i32, alpha: f64, kind: i32): void {
  const positions = region(SigmoidRegion.positions);
  factored = kind == SigmoidKind.logistic && fillPowers(n, alpha);
  v128.store(wide(region(SigmoidRegion.scores), n), f64x2.splat(-Infinity)); // nobody after the last
  for (let x = 0; x < n; x++) store<f64>(wide(positions, x), 1);
}

/** positions[x] = 1 + the sum over other documents y of f(alpha (s_y - s_x)): pairs with x from `first` to `last`. */
export function addPositions(first: i32, last: i32, n: i32, alpha: f64, kind: i32): void {
  const scores = region(SigmoidRegion.scores);
  const positions = region(SigmoidRegion.positions);
  const power = region(SigmoidRegion.power);
  const one = f64x2.splat(1);
  const steep = f64x2.splat(steepness(alpha, kind));
  for (let x = first; x < last; x++) {
    let total = f64x2.splat(0);
    const scoreX = v128.load64_splat(wide(scores, x));
    const powerX = v128.load64_splat(wide(power, x));
    for (let y = x + 1; y < n; y += 2) {
      let beats: v128;
      if (factored) {
        const powerY = v128.load(wide(power, y));
        beats = f64x2.div(powerY, f64x2.add(powerX, powerY));
      } else beats = sigmoid(f64x2.mul(steep, f64x2.sub(v128.load(wide(scores, y)), scoreX)), kind, region(SigmoidRegion.density));
      total = f64x2.add(total, beats);
      v128.store(wide(positions, y), f64x2.add(v128.load(wide(positions, y)), f64x2.sub(one, beats)));
    }
    store<f64>(wide(positions, x), load<f64>(wide(positions, x)) + sum2(total));
  }
}

/** Further from 0 the logistic function is 0 or 1 to the last digit. */
const SATURATED: f64 = 40;

/** The sum over `count` listed documents of f(beta (position(y) - position)), y itself not left out. */
export function countBefore(count: i32, y: i32, beta: f64, kind: i32): f64 {
  const listed = region(SigmoidRegion.listed);
  const before = region(SigmoidRegion.before);
  const density = region(SigmoidRegion.density);
  const steep = f64x2.splat(steepness(beta, kind));
  const own = v128.load64_splat(wide(region(SigmoidRegion.positions), y));
  store<f64>(wide(listed, count), Infinity); // nobody after the last
  let total = f64x2.splat(0);
  for (let x = 0; x < count; x += 2) {
    const apart = f64x2.mul(steep, f64x2.sub(own, v128.load(wide(listed, x))));
    // Steep as comparisons are, most documents are clearly before or after another: no exponential for them.
    const far = f64x2.gt(f64x2.abs(apart), f64x2.splat(SATURATED));
    const value =
      kind == SigmoidKind.logistic && i64x2.all_true(far)
        ? v128.and(f64x2.splat(1), f64x2.gt(apart, f64x2.splat(0)))
        : sigmoid(apart, kind, wide(density, x));
    v128.store(wide(before, x), value);
    total = f64x2.add(total, value);
  }
  return sum2(total);
}

/** Right after `countBefore` of the same: adds to the derivatives what comes of `scale` times beta times that sum. */
export function addCountBefore(count: i32, y: i32, scale: f64, kind: i32): void {
  const before = region(SigmoidRegion.before);
  const density = region(SigmoidRegion.density);
  const byListed = region(SigmoidRegion.byListed);
  const byPosition = wide(region(SigmoidRegion.byPosition), y);
  const factor = f64x2.splat(steepness(scale, kind));
  const one = f64x2.splat(1);
  let total = f64x2.splat(0);
  for (let x = 0; x < count; x += 2) {
    const value = v128.load(wide(before, x));
    const slope = kind == SigmoidKind.normal ? v128.load(wide(density, x)) : f64x2.mul(value, f64x2.sub(one, value));
    const more = f64x2.mul(factor, slope);
    total = f64x2.add(total, more);
    v128.store(wide(byListed, x), f64x2.sub(v128.load(wide(byListed, x)), more));
  }
  store<f64>(byPosition, load<f64>(byPosition) + sum2(total));
}

/**
 * With `byPosition` filled, the derivatives by the scores are added to `gradient`: pairs with x from `first` to `last`.
 */
export function addGradient(first: i32, last: i32, n: i32, alpha: f64, kind: i32): void {
  const scores = region(SigmoidRegion.scores);
  const byPosition = region(SigmoidRegion.byPosition);
  const gradient = region(SigmoidRegion.gradient);
  const power = region(SigmoidRegion.power);
  const steep = f64x2.splat(steepness(alpha, kind));
  store<f64>(wide(byPosition, n), 0);
  for (let x = first; x < last; x++) {
    let total = f64x2.splat(0);
    const scoreX = v128.load64_splat(wide(scores, x));
    const powerX = v128.load64_splat(wide(power, x));
    const ownX = v128.load64_splat(wide(byPosition, x));
    for (let y = x + 1; y < n; y += 2) {
      let slope: v128;
      if (factored) {
        const powerY = v128.load(wide(power, y));
        const both = f64x2.add(powerX, powerY);
        const over = f64x2.div(f64x2.splat(1), both);
        // In this order: the product of two powers may be below float64.
        slope = f64x2.mul(f64x2.mul(powerX, over), f64x2.mul(powerY, over));
      } else {
        const apart = f64x2.mul(steep, f64x2.sub(v128.load(wide(scores, y)), scoreX));
        if (kind == SigmoidKind.normal) {
          normal2(apart, table, region(SigmoidRegion.density));
          slope = v128.load(region(SigmoidRegion.density));
        } else slope = logisticSlope(apart);
      }
      const pull = f64x2.mul(f64x2.mul(steep, slope), f64x2.sub(v128.load(wide(byPosition, y)), ownX));
      total = f64x2.add(total, pull);
      v128.store(wide(gradient, y), f64x2.sub(v128.load(wide(gradient, y)), pull));
    }
    store<f64>(wide(gradient, x), load<f64>(wide(gradient, x)) + sum2(total));
  }
}
