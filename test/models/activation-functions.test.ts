import { describe, expect, it } from 'vitest';
import { decay, relu, sigmoid, tanh } from '#listwise/models/net/activation-functions.js';
import { Random } from '#listwise/numeric/random.js';

const random = new Random(1, 'sums');
/** From tiny to huge, both signs, and the ends of each way of computing. */
const sums = [
  0,
  -0,
  0.5,
  -0.5,
  0.49999999999999994,
  1e-320,
  1e-9,
  354.4,
  354.5,
  354.6,
  709,
  710,
  1e300,
  Number.POSITIVE_INFINITY,
  ...Array.from({ length: 5000 }, () => (random.uniform() - 0.5) * 10 ** (6 * random.uniform() - 3)),
];

/** The difference as a share of the value. */
const off = (found: number, value: number) => (found === value ? 0 : Math.abs(found - value) / Math.abs(value));

describe('activations', () => {
  it('are what they are called, to 15 digits', () => {
    for (const x of sums) {
      expect(off(tanh(x), Math.tanh(x))).toBeLessThan(1e-15);
      expect(off(relu(x), Math.max(x, 0))).toBe(0);
      if (Math.abs(x) > 700) continue; // the end of what 64 bits hold
      expect(off(sigmoid(x), x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x)))).toBeLessThan(1e-15);
      expect(off(decay(Math.abs(x)), Math.exp(-Math.abs(x)))).toBeLessThan(1e-15);
    }
  });

  it('stay within their range, and a missing sum stays missing', () => {
    for (const x of sums) {
      expect(Math.abs(tanh(x))).toBeLessThanOrEqual(1);
      expect(sigmoid(x)).toBeLessThanOrEqual(1);
      expect(sigmoid(x)).toBeGreaterThanOrEqual(0);
      expect(tanh(-x) + tanh(x)).toBe(0);
    }
    expect([tanh(Number.NEGATIVE_INFINITY), sigmoid(Number.NEGATIVE_INFINITY), sigmoid(1e300)]).toEqual([-1, 0, 1]);
    expect([tanh(Number.NaN), sigmoid(Number.NaN)]).toEqual([Number.NaN, Number.NaN]);
  });
});
