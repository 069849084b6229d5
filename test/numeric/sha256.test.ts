import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from '#listwise/numeric/sha256.js';

const expected = (text: string) => createHash('sha256').update(text).digest('hex');

it('is what Node says of any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => sha256(text) === expected(text)));
});

it.each([0, 55, 56, 63, 64, 65, 119, 120, 1_000_003])('is right where %i bytes fill blocks or just do not', length => {
  const text = 'ä'.repeat(length >> 1) + 'x'.repeat(length & 1);
  expect(sha256(text)).toBe(expected(text));
});

it('is the same of a text in pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 90 })), pieces => sha256(pieces) === expected(pieces.join(''))),
  );
});
