/**
 * The constraint of average precision is neither convex nor concave, so the inference could stop at a lesser maximum of
 * the entropy. Here another method, climbing the entropy along the constraints from many random starts, looks for a
 * higher one.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { precisionEntropy } from '#listwise/analysis/informativeness/precision-entropy.js';
import { Random } from '#listwise/numeric/random.js';

const STARTS = 12;

interface Search {
  readonly discount: Float64Array;
  readonly relevant: number;
  readonly target: number;
}

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
const dot = (a: Float64Array, b: Float64Array) => a.reduce((total, value, r) => total + value * b[r]!, 0);
const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const entropy = (p: Float64Array) =>
  p.reduce((total, x) => (x > 0 && x < 1 ? total - x * Math.log(x) - (1 - x) * Math.log(1 - x) : total), 0);

/** The sum over r of worth_r p_r (1 + the sum over t < r of p_t). */
function value(discount: Float64Array, p: Float64Array): number {
  return p.reduce((total, x, r) => total + discount[r]! * x * (1 + sum(p.subarray(0, r))), 0);
}

function slopeOf(discount: Float64Array, p: Float64Array): Float64Array {
  return p.map((_, r) => discount[r]! * (1 + sum(p.subarray(0, r))) + dot(discount.subarray(r + 1), p.subarray(r + 1)));
}

/** a and b for which the products of a u + b v with u and v are e. */
function combination(u: Float64Array, v: Float64Array, e: readonly [number, number]): readonly [number, number] {
  const [uu, uv, vv] = [dot(u, u), dot(u, v), dot(v, v)];
  const determinant = uu * vv - uv * uv;
  return [(vv * e[0] - uv * e[1]) / determinant, (uu * e[1] - uv * e[0]) / determinant];
}

/** Logits moved as little as need be until both constraints hold; undefined where that leads nowhere. */
function ontoConstraints(start: Float64Array, { discount, relevant, target }: Search): Float64Array | undefined {
  let logits = start;
  for (let k = 0; k < 60; k++) {
    const p = logits.map(logistic);
    const off = [sum(p) - relevant, value(discount, p) - target] as const;
    if (Math.abs(off[0]) < 1e-12 && Math.abs(off[1]) < 1e-12) return logits;
    const variance = p.map(x => x * (1 - x));
    const slope = slopeOf(discount, p).map((g, r) => g * variance[r]!);
    const [a, b] = combination(variance, slope, off);
    const step = variance.map((u, r) => -a * u - b * slope[r]!);
    const longest = Math.max(...step.map(Math.abs));
    if (!Number.isFinite(longest)) return undefined;
    const scale = Math.min(1, 2 / longest);
    logits = logits.map((x, r) => Math.max(-40, Math.min(40, x + scale * step[r]!)));
  }
  return undefined;
}

/** The entropy at which a climb from the start ends. */
function climb(start: Float64Array, search: Search): number {
  let logits = ontoConstraints(start, search);
  if (logits === undefined) return 0;
  let height = entropy(logits.map(logistic));
  for (let step = 1; step > 1e-8; ) {
    // The entropy's gradient by p is minus the logit; the part along the constraints, in the metric of the variances.
    const p = logits.map(logistic);
    const root = p.map(x => Math.sqrt(x * (1 - x)));
    const slope = slopeOf(search.discount, p);
    const leaning = slope.map((g, r) => g * root[r]!);
    const pull = logits.map((x, r) => -x * root[r]!);
    const [a, b] = combination(root, leaning, [dot(root, pull), dot(leaning, pull)]);
    const direction = logits.map((x, r) => -x - a - b * slope[r]!);
    const next = ontoConstraints(
      logits.map((x, r) => x + step * direction[r]!),
      search,
    );
    const found = next === undefined ? 0 : entropy(next.map(logistic));
    if (next === undefined || found <= height + 1e-13) step /= 2;
    else [logits, height, step] = [next, found, Math.min(1, 2 * step)];
  }
  return height;
}

const problem = fc
  .record({
    n: fc.integer({ min: 2, max: 12 }),
    relevant: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.oneof(fc.constant(12), fc.integer({ min: 2, max: 12 })),
    share: fc.oneof(
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      fc.double({ min: -4, max: -1, noNaN: true }).map(power => 10 ** power),
    ),
    seed: fc.nat(),
  })
  .map(({ n, relevant: of, cut, share, seed }) => {
    const discount = Float64Array.from({ length: n }, (_, r) => (r < cut ? 1 / (r + 1) : 0));
    const relevant = 1 + Math.floor(of * (n - 1.001));
    const best = Float64Array.from({ length: n }, (_, r) => (r < relevant ? 1 : 0));
    const range = [value(discount, best.toReversed()), value(discount, best)] as const;
    return { discount, relevant, range, target: range[0] + share * (range[1] - range[0]), seed };
  });

describe('average precision from many starts', () => {
  it('no climb ends above what was inferred, and one ends there', () => {
    fc.assert(
      fc.property(problem, ({ seed, ...given }) => {
        const n = given.discount.length;
        const inferred = entropy(precisionEntropy(given)!.probabilities.subarray(n));
        const random = new Random(seed, 'starts');
        const ends = Array.from({ length: STARTS }, () =>
          climb(
            Float64Array.from({ length: n }, () => 3 * random.gaussian()),
            given,
          ),
        );
        expect(Math.max(...ends)).toBeLessThan(inferred + 1e-7);
        expect(Math.max(...ends)).toBeGreaterThan(inferred - 1e-3);
      }),
      { numRuns: 60 },
    );
  });
});
