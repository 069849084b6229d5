import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage, type Schema } from '#listwise/interop/protobuf.js';

const schema = {
  Outer: {
    whole: ['one', 'int64', 1],
    small: ['one', 'float', 2],
    text: ['one', 'string', 3],
    wholes: ['many', 'int64', 4],
    floats: ['many', 'float', 5],
    texts: ['many', 'string', 6],
    inner: ['many', 'Inner', 17],
  },
  Inner: { bytes: ['one', 'bytes', 1], outer: ['one', 'Outer', 2] },
} as const satisfies Schema;

const message = fc.record(
  {
    whole: fc.maxSafeInteger(),
    small: fc.float({ noNaN: true }),
    text: fc.string({ unit: 'binary' }),
    wholes: fc.array(fc.maxSafeInteger(), { minLength: 1 }),
    floats: fc.array(fc.float({ noNaN: true }), { minLength: 1 }),
    texts: fc.array(fc.string(), { minLength: 1 }),
    inner: fc.array(fc.record({ bytes: fc.uint8Array() }), { minLength: 1 }),
  },
  { requiredKeys: [] },
);

describe('protocol buffers', () => {
  it('read back what they write', () => {
    fc.assert(
      fc.property(message, value => {
        expect(decodeMessage(schema, 'Outer', encodeMessage(schema, 'Outer', value))).toEqual(value);
      }),
    );
  });

  it('are the bytes of the wire format', () => {
    const bytes = encodeMessage(schema, 'Outer', { text: 'hi', whole: -1, small: 1, wholes: [1, 300] });
    const expected = '08 ff ff ff ff ff ff ff ff ff 01 15 00 00 80 3f 1a 02 68 69 22 03 01 ac 02';
    expect(Buffer.from(bytes).toString('hex')).toBe(expected.replaceAll(' ', ''));
  });

  it('read numbers that repeat without being packed, and pass over fields they do not know', () => {
    const bytes = Uint8Array.of(0x20, 1, 0x20, 2, 0x7a, 1, 9, 0x98, 1, 5);
    expect(decodeMessage(schema, 'Outer', bytes)).toEqual({ wholes: [1, 2] });
  });

  it('never read beyond the end, nor without end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
        try {
          decodeMessage(schema, 'Outer', bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(() => decodeMessage(schema, 'Inner', Uint8Array.of(0x12, 200))).toThrow(RangeError);
  });

  it('refuse messages nested without measure', () => {
    const length = (n: number) => (n < 128 ? [n] : [(n & 127) | 128, n >> 7]);
    let nested: number[] = [];
    for (let i = 0; i < 110; i++)
      nested = [i % 2 === 0 ? 0x12 : 0x8a, ...(i % 2 === 0 ? [] : [1]), ...length(nested.length), ...nested];
    expect(() => decodeMessage(schema, 'Outer', Uint8Array.from(nested))).toThrow('nested more than 100 deep');
  });
});
