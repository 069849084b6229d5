import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { select } from '#listwise/numeric/select.js';

describe('select', () => {
  it('is what sorting puts there, whatever the values', () => {
    const values = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.nat(), (list, at) => {
        const place = at % list.length;
        const sorted = Float64Array.from(list).sort();
        const given = Float64Array.from(list);
        expect(select(given, place) === sorted[place]).toBe(true);
        expect(given.sort()).toEqual(sorted);
      }),
    );
  });

  it.each([
    ['sorted', (i: number) => i],
    ['turned round', (i: number) => -i],
    ['all the same', () => 1],
  ])('takes no longer for values that are %s', (_, of) => {
    const values = Float32Array.from({ length: 100_000 }, (__, i) => of(i));
    expect(select(values, 25_000)).toBe(Float32Array.from(values).sort()[25_000]);
  });
});
