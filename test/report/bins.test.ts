import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { histogramBins } from '#listwise/report/bins.js';

describe('histogramBins', () => {
  it('has round ends, and the last range is closed', () => {
    expect(histogramBins([0, 0.1, 0.5, 1], { count: 5 })).toEqual([
      { from: 0, to: 0.2, count: 2 },
      { from: 0.2, to: 0.4, count: 0 },
      { from: 0.4, to: 0.6, count: 1 },
      { from: 0.6, to: 0.8, count: 0 },
      { from: 0.8, to: 1, count: 1 },
    ]);
  });

  it('centres counts of things on whole numbers', () => {
    expect(histogramBins([1, 1, 2, 3], { whole: true })).toEqual([
      { from: 0.5, to: 1.5, count: 2 },
      { from: 1.5, to: 2.5, count: 1 },
      { from: 2.5, to: 3.5, count: 1 },
    ]);
  });

  it('takes data of one value, and none', () => {
    expect(histogramBins([5, 5])).toEqual([{ from: 5, to: 6, count: 2 }]);
    expect(histogramBins([Number.NaN])).toEqual([]);
  });

  it('counts every number once, in a range that holds it', () => {
    const value = fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -50, max: 50 }));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), fc.integer({ min: 1, max: 40 }), (values, count) => {
        const bins = histogramBins([...values, Number.NaN, Infinity], { count });
        expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(values.length);
        expect(bins.length).toBeLessThanOrEqual(count + 2);
        const slack = 1e-9 * Math.max(...values.map(Math.abs), 1e-30);
        expect(bins[0]!.from).toBeLessThanOrEqual(Math.min(...values) + slack);
        expect(bins.at(-1)!.to).toBeGreaterThanOrEqual(Math.max(...values) - slack);
      }),
    );
  });
});
