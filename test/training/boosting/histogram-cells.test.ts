/** Histograms of rows against plain sums, whatever fits into small cells and whatever does not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BINS,
  BLOCK_ROWS,
  CELL,
  COLUMN_BYTES,
  HELD,
  LIST,
  RECORD_BYTES,
  SMALL_COLUMN_BYTES,
  SMALL_TILE_BYTES,
  TILE_BYTES,
} from '#listwise/kernels/layouts/boosting.js';
import { kindStarts } from '#listwise/training/boosting/binning/places.js';
import { loadTreeKernels } from '#listwise/training/boosting/tasks/tree-kernels.js';

const memory = new WebAssembly.Memory({ initial: 64, maximum: 65536, shared: true });
const { histogram, binning } = loadTreeKernels(memory);
const MOST_ROWS = 12_000;
const TILES = 4;
const ROW_TILES = 2;
let free = 1024;
const take = (bytes: number) => {
  const at = free;
  free += Math.ceil(bytes / 64) * 64;
  return at;
};
const ROWS = take(16 * MOST_ROWS);
const TILE_MAJOR = take(8 * TILES * MOST_ROWS);
const INDEX = take(4 * MOST_ROWS);
const RECORDS = take(16 * MOST_ROWS);
const SMALL = take(TILES * SMALL_TILE_BYTES);
const FULL = take(TILES * TILE_BYTES);
const OUT = take(TILES * TILE_BYTES);
const COUNTS = take(4 * BINS * 8 * TILES);
const HELD_AT = take(HELD.bytes);
const LIST_AT = take(LIST.bytes);
const LISTED = take(20 * MOST_ROWS);
const COMMONEST = take(8 * TILES);
const STARTS = take(8);
const BUFFER = take((TILES + 3) * (8 * BLOCK_ROWS + 64));

const NOTHING = { documents: 0, lambda: 0, hessian: 0, full: 0, allLambda: 0, allHessian: 0, allDocuments: 0 };
const held = HELD.view(memory.buffer, HELD_AT);
const bytes = new Uint8Array(memory.buffer);
const records = new Int32Array(memory.buffer, RECORDS, 4 * MOST_ROWS);
/** Bytes from one record to the next: with a tile behind each, or without. */
let apart = RECORD_BYTES;

/** Bins and records of n rows that follow from a seed; as many of ten rows have the commonest byte of a column. */
function fill(n: number, seed: number, bins: number, scale: number, isSigned: boolean, common = 0) {
  let state = seed | 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const binOf = (row: number, column: number) => bytes[TILE_MAJOR + (column >> 3) * 8 * n + 8 * row + (column & 7)]!;
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < 8 * TILES; column++) {
      const bin = next(10) < common ? commonest(column, bins) : next(10) === 0 ? 255 : next(bins);
      bytes[TILE_MAJOR + (column >> 3) * 8 * n + 8 * row + (column & 7)] = bin;
      if (column < 8 * ROW_TILES) bytes[ROWS + 8 * ROW_TILES * row + column] = bin;
      const behind = column - 8 * ROW_TILES;
      if (apart > RECORD_BYTES && behind >= 0 && behind < 8) bytes[RECORDS + apart * row + RECORD_BYTES + behind] = bin;
    }
    records[(apart / 4) * row] = next(2 * scale) - scale;
    records[(apart / 4) * row + 1] = next(scale) - (isSigned && next(3) === 0 ? scale : 0);
  }
  return binOf;
}

/**
 * Puts the rows that are to be short first, those without a name before others, in all that is by row, and makes them
 * short; returns how many there are.
 */
function shorten(n: number): number {
  const counts = new Uint8Array(n);
  for (let tile = 0; tile < ROW_TILES; tile++) {
    bytes.fill(0, BUFFER, BUFFER + n);
    binning.countOthers(TILE_MAJOR + 8 * n * tile, n, COMMONEST + 8 * tile, BUFFER);
    counts.forEach((own, row) => {
      counts[row] = own + bytes[BUFFER + row]!;
    });
  }
  const namesOf = (row: number) => (counts[row] === 0 ? 0 : counts[row]! <= 8 ? 1 : 2);
  const order = Array.from({ length: n }, (_, row) => row).sort((a, b) => namesOf(a) - namesOf(b) || a - b);
  const permute = (at: number, width: number) => {
    const before = bytes.slice(at, at + width * n);
    order.forEach((row, i) => {
      bytes.set(before.subarray(width * row, width * (row + 1)), at + width * i);
    });
  };
  permute(ROWS, 8 * ROW_TILES);
  permute(RECORDS, apart);
  for (let tile = 0; tile < TILES; tile++) permute(TILE_MAJOR + 8 * n * tile, 8);
  const first = order.findIndex(row => namesOf(row) > 0);
  const full = order.findIndex(row => namesOf(row) > 1);
  new Uint32Array(memory.buffer, STARTS, 2).set([first < 0 ? n : first, full < 0 ? n : full]);
  const short = full < 0 ? n : full;
  binning.shortenRows(ROWS, 8 * ROW_TILES, short, ROW_TILES, COMMONEST, BUFFER);
  return short;
}

const commonest = (column: number, bins: number) => (column % 3 === 0 ? 255 : column % bins);

function plainCells(rows: Iterable<number>, column: number, binOf: (row: number, column: number) => number) {
  const cells = new Int32Array(4 * BINS);
  for (const row of rows) {
    const cell = 4 * binOf(row, column);
    cells[cell]! += records[(apart / 4) * row]!;
    cells[cell + 1]! += records[(apart / 4) * row + 1]!;
    cells[cell + 2]!++;
  }
  return cells;
}

const cellsAt = (column: number) => new Int32Array(memory.buffer, OUT + column * COLUMN_BYTES, (CELL.bytes / 4) * BINS);
const isEmpty = (at: number, length: number) => bytes.subarray(at, at + length).every(byte => byte === 0);

describe('histograms in small cells', () => {
  it('of some rows are plain sums, also where small cells overflow', () => {
    const ways = new Set<string>();
    fc.assert(
      fc.property(
        fc.constantFrom(1, 700, 3000, MOST_ROWS),
        fc.integer(),
        fc.constantFrom(1, 2, 100, 254, 255),
        // 2^13 rows of 2^12 fill small cells; one row of 2^27 does not fit.
        fc.constantFrom(1, 2000, 2 ** 12, 2 ** 15, 2 ** 17),
        fc.constantFrom(false, false, true),
        fc.constantFrom(RECORD_BYTES, RECORD_BYTES + 8),
        fc.constantFrom(0, 3, 6, 9, 10),
        (n, seed, bins, scale, isSigned, recordBytes, common) => {
          apart = recordBytes;
          const binOf = fill(n, seed, bins, scale, isSigned, common);
          for (let column = 0; column < 8 * TILES; column++) bytes[COMMONEST + column] = commonest(column, bins);
          if (scale === 2 ** 12) records[0] = 2 ** 27;
          const shortPairs = Number(common > 0);
          if (shortPairs > 0) {
            const short = shorten(n);
            ways.add(short === 0 ? 'none short' : short === n ? 'all short' : 'some short');
          }
          const rows = Array.from({ length: n }, (_, row) => row).filter(row => row % 5 !== 3);
          new Uint32Array(memory.buffer, INDEX, rows.length).set(rows);
          held.write(NOTHING);
          histogram.addRows(
            ROWS,
            8 * ROW_TILES,
            ROW_TILES,
            TILE_MAJOR,
            8 * n,
            TILES,
            INDEX,
            rows.length,
            RECORDS,
            apart,
            shortPairs,
            STARTS,
            SMALL,
            FULL,
            HELD_AT,
            BUFFER,
          );
          const { documents, full } = held.read();
          ways.add(`${documents > 0 ? 'small' : ''} ${full ? 'full' : ''}`);
          for (let column = 0; column < 8 * TILES; column++) {
            bytes.fill(7, OUT + column * COLUMN_BYTES, OUT + (column + 1) * COLUMN_BYTES);
            histogram.clearColumn(OUT + column * COLUMN_BYTES);
            const small = SMALL + column * SMALL_COLUMN_BYTES;
            histogram.takePacked(OUT + column * COLUMN_BYTES, small, bins, seed & 1);
            histogram.takeColumn(OUT + column * COLUMN_BYTES, FULL + column * COLUMN_BYTES, bins);
            const { allLambda, allHessian, allDocuments } = held;
            if (column < 8 * ROW_TILES * shortPairs)
              histogram.fillCommonest(
                OUT + column * COLUMN_BYTES,
                commonest(column, bins),
                bins,
                allLambda,
                allHessian,
                allDocuments,
              );
            expect(cellsAt(column)).toEqual(plainCells(rows, column, binOf));
          }
          if (!full) expect(isEmpty(FULL, TILES * TILE_BYTES)).toBe(true);
          expect(isEmpty(SMALL, TILES * SMALL_TILE_BYTES)).toBe(true);
          expect(isEmpty(FULL, TILES * TILE_BYTES)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
    expect([...ways].sort()).toEqual([' full', 'all short', 'none short', 'small ', 'small full', 'some short']);
  });

  it('of all rows take their documents from what is known', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 900, 4000), fc.integer(), fc.constantFrom(1, 3, 254, 255), (n, seed, bins) => {
        apart = seed & 1 ? RECORD_BYTES : RECORD_BYTES + 8;
        const binOf = fill(n, seed, bins, 2 ** 18, true);
        const half = n >> 1;
        for (let column = 0; column < 8; column++)
          histogram.countBytes(TILE_MAJOR + column, 8, n, COUNTS + 4 * BINS * column);
        const parts = [
          [0, half, SMALL],
          [half, n, SMALL + SMALL_TILE_BYTES],
        ] as const;
        for (const [from, to, small] of parts)
          histogram.addTile(TILE_MAJOR + 8 * from, RECORDS + apart * from, apart, to - from, small);
        for (let column = 0; column < 8; column++) {
          const out = OUT + column * COLUMN_BYTES;
          histogram.clearColumn(out);
          parts.forEach(([, , small], add) => {
            histogram.takeAll(out, small + column * SMALL_COLUMN_BYTES, COUNTS + 4 * BINS * column, bins, add);
          });
          expect(cellsAt(column)).toEqual(plainCells(Array(n).keys(), column, binOf));
        }
        expect(isEmpty(SMALL, TILES * SMALL_TILE_BYTES)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('of all rows are the same from lists without the commonest byte of each column', () => {
    const kinds = new Set<number>();
    const list = LIST.view(memory.buffer, LIST_AT);
    const property = fc.property(
      fc.constantFrom(1, 900, 4000),
      fc.integer(),
      fc.constantFrom(1, 3, 254, 255),
      fc.constantFrom(0, 5, 9, 10),
      (n, seed, bins, common) => {
        apart = seed & 1 ? RECORD_BYTES : RECORD_BYTES + 8;
        const binOf = fill(n, seed, bins, 2 ** 18, true, common);
        list.write({ start: 0, one: 0, two: 0, three: 0, four: 0, five: 0, six: 0, seven: 0, eight: 0 });
        held.write(NOTHING);
        for (let column = 0; column < 8; column++) bytes[COMMONEST + column] = commonest(column, bins);
        const half = n >> 1;
        const parts = [
          [TILE_MAJOR, half, 0],
          [TILE_MAJOR + 8 * half, n - half, half],
        ] as const;
        for (const [rows, count] of parts) binning.countKinds(rows, count, COMMONEST, LIST_AT);
        list.start = LISTED;
        const starts = kindStarts(list);
        for (const [kind, start] of starts.entries()) if (starts[kind + 1]! > start) kinds.add(kind + 1);
        new Uint32Array(memory.buffer, BUFFER, 9).set(starts.slice(0, 8), 1);
        for (const [rows, count, first] of parts) binning.listRows(rows, count, COMMONEST, first, apart, BUFFER);
        expect([...new Uint32Array(memory.buffer, BUFFER + 4, 8)]).toEqual(starts.slice(1));
        histogram.addList(LIST_AT, RECORDS, SMALL);
        histogram.holdAll(RECORDS, apart, half, HELD_AT);
        histogram.holdAll(RECORDS + apart * half, apart, n - half, HELD_AT);
        for (let column = 0; column < 8; column++) {
          const out = OUT + column * COLUMN_BYTES;
          histogram.clearColumn(out);
          histogram.countBytes(TILE_MAJOR + column, 8, n, COUNTS);
          histogram.takeAll(out, SMALL + column * SMALL_COLUMN_BYTES, COUNTS, bins, 0);
          histogram.fillCommonest(out, commonest(column, bins), bins, held.allLambda, held.allHessian, n);
          expect(cellsAt(column)).toEqual(plainCells(Array(n).keys(), column, binOf));
        }
        expect(isEmpty(SMALL, TILES * SMALL_TILE_BYTES)).toBe(true);
      },
    );
    fc.assert(property, { numRuns: 40 });
    expect([...kinds].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
