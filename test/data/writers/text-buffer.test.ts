import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortestFloat32 } from '#listwise/data/writers/shortest-float.js';
import { TextBuffer } from '#listwise/data/writers/text-buffer.js';

const shared = new TextBuffer();

function written(value: number): string {
  shared.float32(value);
  return Buffer.from(shared.take()).toString();
}

describe('TextBuffer', () => {
  it('writes every float32 as shortestFloat32 does', () => {
    const decimals = fc
      .tuple(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.integer({ min: 0, max: 9 }))
      .map(([digits, point]) => Math.fround(digits / 10 ** point));
    const any = fc.float({ noNaN: true, noDefaultInfinity: true });
    const whole = fc.integer({ min: -(2 ** 26), max: 2 ** 26 }).map(Math.fround);
    fc.assert(
      fc.property(fc.oneof(decimals, any, whole), value => {
        expect(written(value)).toBe(shortestFloat32(value));
        expect(Math.fround(Number(written(value)))).toBe(value);
      }),
      { numRuns: 5000 },
    );
    for (const value of [
      0, -0, 1, -1, 0.1, 1e-6, 1e-7, 99.9999, 100, 9999.99, 10_000.5, 16_777_215, 16_777_216, 1e10, 3.4e38, 1.4e-45,
    ]) {
      expect(written(Math.fround(value))).toBe(shortestFloat32(Math.fround(value)));
    }
  });

  it('grows with its text, which may be of any script', () => {
    const buffer = new TextBuffer();
    const piece = 'qid:ü日本 ';
    for (let i = 0; i < 40_000; i++) buffer.text(piece);
    buffer.bytes(Buffer.from('end'));
    expect(Buffer.from(buffer.take()).toString()).toBe(`${piece.repeat(40_000)}end`);
    expect(buffer.length).toBe(0);
    const long = 'x'.repeat(500_000);
    buffer.text(long);
    expect(Buffer.from(buffer.take()).toString()).toBe(long);
  });
});
