// Smooth positions of one query's documents and the chain rule from them to the scores, two pairs at a time in float64.
// The reference is src/objectives/approx/sigmoid-ranking.ts.
//
// The logistic function of alpha (s_y - s_x) is p_y / (p_x + p_y) with p = e^(alpha s): one exponential a document,
// where scores are near enough for it.

import { exp2, normal2, sum2, wide } from './common/float2';
import { NORMAL_ENTRIES, SigmoidKind, SigmoidRegion } from './layouts/smooth-ranks';

let base: usize = 0;
let stride: usize = 0;

/** Regions of so many bytes each. */
export function layOut(start: usize, bytes: usize): void {
  base = start;
  stride = bytes;
}

@inline function region(r: SigmoidRegion): usize {
  return base + <usize>r * stride;
}

/** Powers of scores further apart, multiplied by each other, would fall below float64. */
const FACTORED_SPAN: f64 = 300;
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
  // Nobody after the last, of whom four are looked at.
  v128.store(wide(power, n), f64x2.splat(0));
  v128.store(wide(power, n), f64x2.splat(0), 16);
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
  return kind == SigmoidKind.normal ? normal2(x, density) : logistic(x);
}

/** The table of the normal distribution has units of its own. */
@inline function steepness(factor: f64, kind: i32): f64 {
  return kind == SigmoidKind.normal ? SQRT_PI_8 * <f64>NORMAL_ENTRIES * factor : factor;
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
    let y = x + 1;
    if (factored) {
      for (; y < n; y += 4) {
        const powerA = v128.load(wide(power, y));
        const powerB = v128.load(wide(power, y), 16);
        const bothA = f64x2.add(powerX, powerA);
        const bothB = f64x2.add(powerX, powerB);
        // Two quotients by one division: it takes as long as all the rest.
        const over = f64x2.div(one, f64x2.mul(bothA, bothB));
        const beatsA = f64x2.mul(powerA, f64x2.mul(bothB, over));
        const beatsB = f64x2.mul(powerB, f64x2.mul(bothA, over));
        total = f64x2.add(total, f64x2.add(beatsA, beatsB));
        const at = wide(positions, y);
        v128.store(at, f64x2.add(v128.load(at), f64x2.sub(one, beatsA)));
        v128.store(at, f64x2.add(v128.load(at, 16), f64x2.sub(one, beatsB)), 16);
      }
    }
    for (; y < n; y += 2) {
      const apart = f64x2.mul(steep, f64x2.sub(v128.load(wide(scores, y)), scoreX));
      const beats = sigmoid(apart, kind, region(SigmoidRegion.density));
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
  for (let i = 0; i < 4; i++) store<f64>(wide(byPosition, n + i), 0);
  for (let x = first; x < last; x++) {
    let total = f64x2.splat(0);
    const scoreX = v128.load64_splat(wide(scores, x));
    const powerX = v128.load64_splat(wide(power, x));
    const ownX = v128.load64_splat(wide(byPosition, x));
    let y = x + 1;
    if (factored) {
      const steepX = f64x2.mul(steep, powerX);
      for (; y < n; y += 4) {
        const powerA = v128.load(wide(power, y));
        const powerB = v128.load(wide(power, y), 16);
        const bothA = f64x2.add(powerX, powerA);
        const bothB = f64x2.add(powerX, powerB);
        const over = f64x2.div(f64x2.splat(1), f64x2.mul(bothA, bothB));
        const overA = f64x2.mul(bothB, over);
        const overB = f64x2.mul(bothA, over);
        // In this order: the product of two powers may be below float64.
        const slopeA = f64x2.mul(f64x2.mul(steepX, overA), f64x2.mul(powerA, overA));
        const slopeB = f64x2.mul(f64x2.mul(steepX, overB), f64x2.mul(powerB, overB));
        const pullA = f64x2.mul(slopeA, f64x2.sub(v128.load(wide(byPosition, y)), ownX));
        const pullB = f64x2.mul(slopeB, f64x2.sub(v128.load(wide(byPosition, y), 16), ownX));
        total = f64x2.add(total, f64x2.add(pullA, pullB));
        const at = wide(gradient, y);
        v128.store(at, f64x2.sub(v128.load(at), pullA));
        v128.store(at, f64x2.sub(v128.load(at, 16), pullB), 16);
      }
    }
    for (; y < n; y += 2) {
      const apart = f64x2.mul(steep, f64x2.sub(v128.load(wide(scores, y)), scoreX));
      let slope: v128;
      if (kind == SigmoidKind.normal) {
        normal2(apart, region(SigmoidRegion.density));
        slope = v128.load(region(SigmoidRegion.density));
      } else slope = logisticSlope(apart);
      const pull = f64x2.mul(f64x2.mul(steep, slope), f64x2.sub(v128.load(wide(byPosition, y)), ownX));
      total = f64x2.add(total, pull);
      v128.store(wide(gradient, y), f64x2.sub(v128.load(wide(gradient, y)), pull));
    }
    store<f64>(wide(gradient, x), load<f64>(wide(gradient, x)) + sum2(total));
  }
}
