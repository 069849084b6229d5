import { describe, expect, it } from 'vitest';
import { tTest } from '#listwise/analysis/significance/index.js';
import { Random } from '#listwise/numeric/random.js';
import { resampled } from '#listwise/reproduce/bootstrap.js';

describe('a statistic of resampled items', () => {
  const random = new Random(3, 'sample');
  const sample = Array.from({ length: 200 }, () => 0.15 + random.gaussian());
  const meanOf = (drawn: readonly number[]) => drawn.reduce((sum, i) => sum + sample[i]!, 0) / drawn.length;

  it('of a mean says what the t-test says', () => {
    const { difference, error, p, n } = resampled('items', sample.length, meanOf, 1);
    const deviation = Math.sqrt(sample.reduce((sum, x) => sum + (x - difference) ** 2, 0) / sample.length);
    expect([n, difference]).toEqual([200, expect.closeTo(meanOf(sample.map((_, i) => i)), 12)]);
    expect(error / (deviation / Math.sqrt(200))).toBeCloseTo(1, 1);
    expect(Math.abs(p - tTest(Float64Array.from(sample)).p)).toBeLessThan(0.05);
  });

  it('is the same for the same seed, and sees no difference where there is none', () => {
    const even = (drawn: readonly number[]) => drawn.reduce((sum, i) => sum + (i % 2 === 0 ? 1 : -1), 0);
    expect(resampled('items', 40, even, 5)).toEqual(resampled('items', 40, even, 5));
    expect(resampled('items', 40, even, 5).p).toBeGreaterThan(0.9);
  });
});
