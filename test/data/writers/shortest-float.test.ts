import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortestFloat32 } from '#listwise/data/writers/shortest-float.js';

it('reads back to the same float32, and no shorter decimal does', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), value => {
      const text = shortestFloat32(value);
      expect(Object.is(Math.fround(Number(text)), value)).toBe(true);
      const digits = Number(text).toExponential().replace(/e.*/, '').replace(/[-.]/g, '').length;
      if (digits > 1) expect(Math.fround(Number(value.toPrecision(digits - 1)))).not.toBe(value);
    }),
    { numRuns: 5000 },
  );
});

it.each([
  [Math.fround(0.1), '0.1'],
  [16777216, '16777216'],
  [Math.fround(1e-7), '1e-7'],
  [2 ** -149, '1e-45'],
  [-0, '-0'],
  [Math.fround(3.4028235e38), '3.4028235e+38'],
])('%s', (value, text) => expect(shortestFloat32(value)).toBe(text));
