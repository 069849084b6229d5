import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFeatureSet } from '#listwise/data/feature-set.js';
import { floor32, narrowThreshold, nextAbove, nextBelow, wideThreshold } from '#listwise/interop/float32.js';
import { temporaryDirectory } from '../temporary.js';

const folder = temporaryDirectory();

function file(content: string): string {
  const path = join(folder, 'set');
  writeFileSync(path, content);
  return path;
}

describe('a feature set', () => {
  it.each([
    ['the body that makes one', '{"featureset":{"name":"s","features":[{"name":"a","params":[]},{"name":"b"}]}}'],
    [
      'as engines return it',
      '{"_index":".ltrstore","_source":{"name":"s","featureset":{"features":[{"name":"a"},{"name":"b"}]}}}',
    ],
    ['its features alone', '{"features":[{"name":"a"},{"name":"b"}]}'],
    ['an array of names', '["a","b"]'],
    ['lines', 'a\r\n# comment\n\nb # the second\n'],
  ])('%s', async (_, text) => expect(await readFeatureSet(file(text))).toEqual(['a', 'b']));

  it.each([
    ['{"features":[{"title":"a"}]}', /feature 1 of the feature set has no name/],
    ['{"name":"s"}', /an array of features, or an object with "features"/],
    ['["a","a"]', /names "a" twice/],
    ['[', /is not JSON/],
    ['', /is empty/],
  ])('%j is refused', async (text, message) => {
    await expect(readFeatureSet(file(text))).rejects.toThrow(message);
  });
});

describe('neighbours among 32-bit numbers', () => {
  const float = fc.float({ noNaN: true });

  it('have nothing between them', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), value => {
        const above = nextAbove(value);
        expect(above).toBeGreaterThan(value);
        expect(nextBelow(above)).toBe(value + 0);
        const middle = Math.fround(value + (above - value) / 2);
        expect([value + 0, above]).toContain(middle + 0);
      }),
    );
  });

  it('decide as a 64-bit threshold does', () => {
    fc.assert(
      fc.property(float, fc.double({ noNaN: true }), fc.boolean(), (x, any, near) => {
        const threshold = near && Number.isFinite(x) ? x * (1 + 1e-9 * Math.sign(any)) : any;
        expect(x <= floor32(threshold)).toBe(x <= threshold);
        expect(x <= nextBelow(Math.fround(threshold))).toBe(x < Math.fround(threshold) && x !== Infinity);
      }),
    );
  });

  it('decide on decimals as the middle of two decimals does in 64 bits', () => {
    const digits = fc.integer({ min: -99999, max: 99999 });
    fc.assert(
      fc.property(digits, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 6 }), (low, gap, places) => {
        const [a, middle, b] = [low, low + gap, low + 2 * gap].map(whole => whole / 10 ** places);
        const threshold = (a! + b!) / 2;
        for (const t of [threshold, threshold + 2e-16 * Math.abs(threshold), threshold - 2e-16 * Math.abs(threshold)])
          for (const x of [a!, middle!, b!]) expect(Math.fround(x) <= narrowThreshold(t)).toBe(x <= t);
      }),
    );
  });

  it('decide as 32-bit thresholds do, on every number of 64 bits, and come back', () => {
    fc.assert(
      fc.property(float, fc.constantFrom(0, 0.4, 0.499999, 0.5, 0.500001, 1), (t, share) => {
        fc.pre(Number.isFinite(t) && Number.isFinite(nextAbove(t)));
        const wide = wideThreshold(t);
        expect(narrowThreshold(wide)).toBe(t);
        const x = t + share * (nextAbove(t) - t);
        if (t !== 0) expect(x <= wide).toBe(Math.fround(x) <= t);
      }),
      { examples: [-1, 1].map(sign => [sign * 2 ** -149, 0.5]) },
    );
  });
});
