/** JSON in pieces, written and read, is what `JSON.stringify` and `JSON.parse` make of it at once. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJsonBytes } from '#listwise/io/json-bytes.js';
import { jsonPieces } from '#listwise/io/json-pieces.js';
import { damaged } from '../mutations.js';

const written = (value: unknown, piece: number) => [...jsonPieces(value, undefined, piece)].join('');
const parsed = (text: string, piece: number) => parseJsonBytes(Buffer.from(text), piece);

it('pieces of any size are the text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 30 }), (value, piece) => {
      expect(written(value, piece)).toBe(JSON.stringify(value));
    }),
  );
});

it('no piece is much longer than asked for, wherever what is long stands', () => {
  const long = Array.from({ length: 100 }, (_, i) => i);
  for (const value of [[1, long], [long, 1], { a: [1, 2, [3, long]] }]) {
    const pieces = [...jsonPieces(value, undefined, 10)];
    expect(pieces.join('')).toBe(JSON.stringify(value));
    expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(60);
  }
});

it('a large typed array without a rule of its own is what JSON makes of it', () => {
  const value = { a: new Float32Array(40).fill(0.5) };
  expect(written(value, 10)).toBe(JSON.stringify(value));
});

it('leaves out what is undefined, as JSON does', () => {
  const value = { a: undefined, b: [undefined, [1, 2, 3, 4], undefined], c: { d: undefined } };
  for (const piece of [1, 2, 3, 100]) expect(written(value, piece)).toBe(JSON.stringify(value));
});

it('replaces values in pieces as at once', () => {
  const value = { a: [1, Number.NaN, [Number.NaN, 2, 3, 4, 5]], b: 7 };
  const replace = (_key: string, one: unknown) => (Number.isNaN(one) ? { number: 'NaN' } : one);
  for (const piece of [3, 5, 100]) {
    expect([...jsonPieces(value, replace, piece)].join('')).toBe(JSON.stringify(value, replace));
  }
});

it('what is read in parts is the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 8, max: 60 }), fc.boolean(), (value, piece, spaced) => {
      const text = spaced ? JSON.stringify(value, undefined, 2) : JSON.stringify(value);
      expect(parsed(text, piece)).toEqual(JSON.parse(text));
    }),
  );
});

it('a key named __proto__ is a key', () => {
  const text = `{"__proto__": {"polluted": [${'1,'.repeat(50)}1]}, "b": 2}`;
  expect(Object.keys(parsed(text, 20) as object)).toEqual(['__proto__', 'b']);
});

it.each([
  '[1,2,3,4,5,6,7,]',
  '[,1,2,3,4,5,6,7]',
  '[1,2,,3,4,5,6,7]',
  '[1,2,3,4,5,6,7}',
  '[[1,2,3,4],5,6,7',
  '{"abcdefgh" 1}',
])('what is no JSON is refused: %s', text => {
  for (let piece = 1; piece < 20; piece++) expect(() => parsed(text, piece), String(piece)).toThrow(SyntaxError);
});

it('damaged text is read as at once, or refused', () => {
  const text = JSON.stringify({ a: [1, [2, 3], { b: 'x"],[y\\' }], c: { d: [], e: {} }, f: ['', null, true, -1.5e-7] });
  for (let number = 0; number < 3000; number++) {
    const other = damaged(text, number);
    const both = [() => JSON.parse(other), () => parsed(other, 1 + (number % 40))].map(read => {
      try {
        return JSON.stringify(read());
      } catch {
        return 'refused';
      }
    });
    expect(both[1], other).toBe(both[0]);
  }
});

it('refuses long values that are nested without end', () => {
  expect(() => parsed(`${'['.repeat(200)}${']'.repeat(200)}`, 8)).toThrow('nested too deeply');
});
