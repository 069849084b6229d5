import { describe, expect, it } from 'vitest';
import { growth } from '#listwise/reproduce/power-law.js';

describe('growth', () => {
  it('finds the power of an exact law, and no doubt about it', () => {
    const x = [4, 8, 16, 32];
    const {
      slope,
      interval: [low, high],
    } = growth(
      x,
      x.map(value => 0.3 * value ** 1.7),
    );
    expect([slope, low, high].map(value => Number(value.toFixed(9)))).toEqual([1.7, 1.7, 1.7]);
  });

  it('gives the interval of a regression where points are off the line', () => {
    // log y - log x is 0, 1, 0 at log x = 0, 1, 2: slope 1, residuals -1/3, 2/3, -1/3, so s² = 2/3 with one degree of
    // freedom.
    const { slope, interval } = growth([1, Math.E, Math.E ** 2], [1, Math.E ** 2, Math.E ** 2]);
    expect(slope).toBeCloseTo(1, 12);
    expect(interval[1] - slope).toBeCloseTo(12.7062 * Math.sqrt(2 / 3 / 2), 3);
    expect(slope - interval[0]).toBeCloseTo(interval[1] - slope, 12);
  });

  it('has no interval for two points', () => {
    expect(growth([1, 2], [1, 4])).toEqual({ slope: 2, interval: [Number.NaN, Number.NaN] });
  });
});
