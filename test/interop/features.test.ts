import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFeatureSet } from '#listwise/data/feature-set.js';
import { floor32, nextAbove, nextBelow } from '#listwise/interop/float32.js';
import { temporaryDirectory } from '../data/temporary.js';

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
});
