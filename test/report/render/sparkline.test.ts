import { describe, expect, it } from 'vitest';
import { plainCurve, sparkline } from '#listwise/report/render/sparkline.js';

describe('a learning curve', () => {
  it('goes from the lowest to the highest bar', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█');
    expect(sparkline([0.5, 0.7, 0.6, Number.NaN, 0.7])).toBe('▁█▅█');
    expect(sparkline([3, 3, 3])).toBe('▁▁▁');
  });

  it('is nothing for fewer than two values', () => {
    expect([sparkline([]), sparkline([1]), plainCurve([]), plainCurve([1])]).toEqual(['', '', '', '']);
  });

  it('averages what does not fit', () => {
    expect(sparkline([0, 2, 7, 9, 4, 4], 3)).toBe('▁█▄');
    const long = sparkline(Array.from({ length: 12_345 }, (_, i) => i));
    expect(long).toHaveLength(40);
    expect([long[0], long.at(-1)]).toEqual(['▁', '█']);
  });

  it('has numbers instead of bars without Unicode', () => {
    expect(plainCurve([0.1, 0.2])).toBe('0.1000 > 0.2000');
    expect(plainCurve([0, 1, 2, 3, 4, 5, 6, 7, 8], 0)).toBe('0 > 2 > 4 > 6 > 8');
  });
});
