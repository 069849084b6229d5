import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPlaces } from '#listwise/io/json-places.js';

describe('jsonPlaces', () => {
  it('finds every key and value of an object, however it is written', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.constantFrom('', ' ', '\t'),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          const { keys, brokenAt } = jsonPlaces(text);
          expect(brokenAt).toBeUndefined();
          expect(keys.map(({ name }) => name)).toEqual(Object.keys(object));
          for (const { name, at, valueAt } of keys) {
            expect(text.startsWith(JSON.stringify(name), at)).toBe(true);
            // Written as part of the whole, a nested value is indented one level deeper.
            const value = JSON.stringify(object[name], null, indent).split('\n').join(`\n${indent}`);
            expect(text.startsWith(value, valueAt)).toBe(true);
          }
        },
      ),
    );
  });

  it('breaks exactly where JSON.parse does not take a text', () => {
    const token = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '1', '-', 'true', ' ', '\\');
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), tokens => {
        const text = tokens.join('');
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        expect(jsonPlaces(text).brokenAt === undefined).toBe(parses);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['', 0],
    ['{"a":1', 6],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{"a":01}', 5],
    ['{"a":"x}', 5],
    ['{"a":"\\x"}', 5],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{"a":1} {', 8],
    ['[NaN, -Infinity]', undefined],
  ])('%j', (text, at) => expect(jsonPlaces(text).brokenAt).toBe(at));
});
