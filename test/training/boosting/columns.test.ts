/** Two features of few bins share a byte, every feature has bits of its own, and no more columns are used than that takes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planColumns } from '#listwise/training/boosting/columns.js';

describe('columns', () => {
  it('halve bytes among features of few bins', () => {
    const { features, mask, shift, tiles, stride } = planColumns([255, 15, 16, 2, 9]);
    expect(features).toEqual([[0], [1, 3], [2], [4]]);
    expect([...mask]).toEqual([255, 15, 255, 15, 255]);
    expect([...shift]).toEqual([0, 0, 0, 4, 0]);
    expect([tiles, stride]).toEqual([1, 8]);
  });

  it('have room for every bin and for missing values', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 60 }), bins => {
        const { features, column, shift, mask } = planColumns(bins);
        expect(features.flat().toSorted((a, b) => a - b)).toEqual(bins.map((_, f) => f));
        const bits = features.map(() => 0);
        bins.forEach((count, f) => {
          expect(features[column[f]!]).toContain(f);
          // The bin of a missing value is the mask, so bins are below it.
          expect(count).toBeLessThanOrEqual(mask[f]!);
          const own = mask[f]! << shift[f]!;
          expect(bits[column[f]!]! & own).toBe(0);
          bits[column[f]!]! |= own;
        });
        const few = bins.filter(count => count <= 15).length;
        expect(features.length).toBe(bins.length - Math.floor(few / 2));
      }),
    );
  });
});
