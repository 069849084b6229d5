import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plain, tick, withMinusSigns, written } from '#listwise/report/numbers.js';
import { roundTicks } from '#listwise/report/round-ticks.js';

const MINUS = '\u2212';

describe('numbers', () => {
  it('are written by their style', () => {
    expect(written(0.12345, 'value')).toBe('0.1235');
    expect(written(-0.5, 'difference')).toBe(`${MINUS}0.5000`);
    expect(written(0.5, 'difference')).toBe('+0.5000');
    expect(written(12345, 'count')).toBe('12,345');
    expect(written(0.256, 'percent')).toBe('25.6 %');
    expect(written(1e-9, 'p')).toBe('< 0.0001');
    expect(written(Number.NaN, 'value')).toBe('–');
  });

  it('have significant digits, and no power of ten where whole digits say it', () => {
    expect(written(0.0123456, 'significant')).toBe('0.01235');
    expect(written(16763.4, 'significant')).toBe('16,763');
    expect(plain(16763.4, 'significant')).toBe('16763');
    expect(plain(-1234.56, 'significant')).toBe('-1235');
    expect(plain(1.5e12, 'significant')).toBe('1.500e+12');
  });

  it('have no sign where they round to zero', () => {
    for (const style of ['value', 'difference'] as const) {
      for (const value of [-1e-9, 1e-9, -0]) expect(written(value, style)).toBe('0.0000');
    }
    expect(written(-1e-9, 'percent')).toBe('0.0 %');
  });

  it('have their own sign inside a sentence, hyphens stay', () => {
    expect(written('5 % to 15 % of it')).toBe('5\u00a0% to 15\u00a0% of it');
    expect(withMinusSigns('a -1.5 (-2 to 3), t-test, x-1')).toBe(`a ${MINUS}1.5 (${MINUS}2 to 3), t-test, x-1`);
  });
});

describe('ticks', () => {
  it('have as many decimals as their neighbours, but for zero', () => {
    const all = [0, 0.25, 0.5, 0.75, 1];
    expect(all.map(value => tick(value, 'value', all))).toEqual(['0', '0.25', '0.50', '0.75', '1.00']);
    expect([0, 0.5, 1].map(value => tick(value, 'percent', [0, 0.5, 1]))).toEqual(['0 %', '50 %', '100 %']);
    expect([-2000, 2000].map(value => tick(value, 'difference', [-2000, 2000]))).toEqual([`${MINUS}2,000`, '+2,000']);
  });

  it('are written whatever their size', () => {
    expect(tick(0.000436123)).toBe('0.000436123');
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
        expect(tick(value)).not.toBe('');
      }),
    );
  });

  it('are round, evenly apart, inside the axis and about as many as asked for', () => {
    const ends = fc.tuple(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    );
    fc.assert(
      fc.property(ends, fc.integer({ min: 3, max: 12 }), ([low, size], count) => {
        fc.pre(size > 1e-7 * Math.abs(low)); // else differences vanish in rounding
        const ticks = roundTicks({ label: 'x' }, [low, low + size], count)!;
        const step = ticks[1]! - ticks[0]!;
        expect(ticks.length).toBeGreaterThanOrEqual(count / 2 - 1);
        expect(ticks.length).toBeLessThanOrEqual(2 * count);
        for (const [i, value] of ticks.entries()) {
          expect(value).toBeGreaterThanOrEqual(low - 1e-6 * size);
          expect(value).toBeLessThanOrEqual(low + size + 1e-6 * size);
          if (i > 0) expect(Math.abs(value - ticks[i - 1]! - step)).toBeLessThan(1e-3 * step);
        }
      }),
    );
  });

  it('of counts are whole', () => {
    expect(roundTicks({ label: 'trial', style: 'count' }, [1, 3], 8)).toEqual([1, 2, 3]);
    expect(roundTicks({ label: 'trial', style: 'count' }, [4, 4], 8)).toEqual([4]);
    expect(roundTicks({ label: 'rate', scale: 'log' }, [0.001, 150], 8)).toEqual([0.001, 0.01, 0.1, 1, 10, 100]);
    expect(roundTicks({ label: 'rate', scale: 'log' }, [2, 50], 8)).toBeUndefined();
  });
});
