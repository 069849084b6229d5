/** Features of few bins share a byte, and the bins of each can be read from it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MISSING_BIN } from '#listwise/kernels/layouts/boosting.js';
import { binInByte, fillSides, planColumns, strideOf } from '#listwise/training/boosting/binning/columns.js';

const someBins = fc.array(fc.oneof(fc.integer({ min: 1, max: 255 }), fc.integer({ min: 1, max: 20 })), {
  minLength: 1,
  maxLength: 40,
});

describe('columns', () => {
  it('are shared where bins and a missing value of each multiply to at most 256', () => {
    const { features, step, states, tiles, stride } = planColumns([255, 15, 14, 2, 9, 3]);
    expect(features).toEqual([[0], [1, 2], [4, 5, 3]]);
    expect([...step]).toEqual([1, 1, 16, 40, 1, 10]);
    expect([...states]).toEqual([256, 16, 15, 3, 10, 4]);
    expect([tiles, stride]).toEqual([1, 8]);
  });

  it('are at most 65,536, as many as a node can name', () => {
    expect(planColumns(new Int32Array(65_536).fill(255)).features.length).toBe(65_536);
    expect(() => planColumns(new Int32Array(65_537).fill(255))).toThrow(/^65,537 features take 65,537 bytes/);
  });

  it('have a place for every feature, and keep every bin of it apart from the others', () => {
    fc.assert(
      fc.property(someBins, fc.infiniteStream(fc.nat(1000)), (bins, numbers) => {
        const columns = planColumns(bins);
        expect(columns.features.flat().toSorted((a, b) => a - b)).toEqual(bins.map((_, f) => f));
        const wanted = bins.map(count => numbers.next().value! % (count + 1));
        columns.features.forEach((features, column) => {
          // A feature alone has the last bin of the byte for missing values, as binning leaves it.
          const state = (f: number) => (wanted[f] === bins[f] ? columns.states[f]! - 1 : wanted[f]!);
          const byte = features.reduce((sum, f) => sum + columns.step[f]! * state(f), 0);
          expect(byte).toBeLessThan(256);
          for (const f of features) {
            expect(columns.column[f]).toBe(column);
            expect(binInByte(columns, f, byte)).toBe(wanted[f] === bins[f] ? MISSING_BIN : wanted[f]);
          }
        });
      }),
    );
  });

  it('fill whole cache lines where that takes little more', () => {
    const columns = planColumns(Array.from({ length: 119 }, () => 255));
    expect([columns.tiles, columns.stride]).toEqual([15, 128]);
    expect(strideOf(136)).toBe(136);
  });

  it('leave one or two tiles beyond the last whole cache line out of rows', () => {
    const rows = (n: number) => {
      const { tiles, rowTiles, rowStride, recordBytes } = planColumns(Array.from({ length: n }, () => 255));
      return [tiles, rowTiles, rowStride, recordBytes];
    };
    expect([136, 144, 145, 128, 72, 16, 9].map(rows)).toEqual([
      [17, 16, 128, 16],
      [18, 16, 128, 16],
      [19, 19, 152, 8],
      [16, 16, 128, 8],
      [9, 8, 64, 16],
      [2, 2, 16, 8],
      [2, 2, 16, 8],
    ]);
  });

  it('need no longer rows for fewer columns', () => {
    for (let n = 1; n < 700; n++) expect(strideOf(n)).toBeLessThanOrEqual(strideOf(n + 1));
  });

  it('say which bytes go left', () => {
    const columns = planColumns([3, 4]);
    const sides = new Uint8Array(256);
    fillSides(sides, columns, { feature: 0, bin: 1, missingLeft: true });
    // Feature 1 has more bins, so it steps by one: byte = bin of 1 + 5 x bin of 0.
    const expected = [0, 1, 2, 3].map(bin => (bin <= 1 || bin === 3 ? 1 : 0));
    expect([...sides.subarray(0, 20)]).toEqual(Array.from({ length: 20 }, (_, byte) => expected[Math.floor(byte / 5)]));
  });
});
