/** Histograms of rows against plain sums, whatever fits into small cells and whatever does not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BINS,
  BLOCK_ROWS,
  CELL,
  COLUMN_BYTES,
  HELD,
  HELD_APART,
  LIST,
  LIST_APART,
  RECORD_BYTES,
  SMALL_TILE_BYTES,
  TILE_BYTES,
} from '#listwise/kernels/layouts/boosting.js';
import { fillPacking, kindStarts, PACKING_BYTES } from '#listwise/training/boosting/binning/places.js';
import { loadTreeKernels } from '#listwise/training/boosting/tasks/tree-kernels.js';

const memory = new WebAssembly.Memory({ initial: 64, maximum: 65536, shared: true });
const { histogram, binning, splitter } = loadTreeKernels(memory);
const MOST_ROWS = 12_000;
const TILES = 7;
const ROW_TILES = 5;
const MOST_PAIRS = 2;
const THREADS = 2;
let free = 1024;
const take = (bytes: number) => {
  const at = free;
  free += Math.ceil(bytes / 64) * 64;
  return at;
};
const STRIDE = 16 * Math.ceil(ROW_TILES / 2);
const ROWS = take(STRIDE * MOST_ROWS);
const TILE_MAJOR = take(8 * TILES * MOST_ROWS);
const INDEX = take(4 * MOST_ROWS);
const RECORDS = take(16 * MOST_ROWS);
const SMALL = take(THREADS * TILES * SMALL_TILE_BYTES);
const FULL = take(THREADS * TILES * TILE_BYTES);
const OUT = take(TILES * TILE_BYTES);
const COUNTS = take(4 * BINS * 8 * TILES);
const HELD_AT = take(THREADS * HELD_APART);
const LIST_AT = take(LIST.bytes);
const LISTED = take(20 * MOST_ROWS);
const COMMONEST = take(8 * TILES);
const STARTS = take(4 * (MOST_PAIRS + 1));
const PACKING = take(PACKING_BYTES);
const BUFFER = take((TILES + 3) * (8 * BLOCK_ROWS + 64));

const held = Array.from({ length: THREADS }, (_, thread) => HELD.view(memory.buffer, HELD_AT + HELD_APART * thread));
splitter.setThreads(HELD_AT, THREADS, SMALL, TILES * SMALL_TILE_BYTES, FULL, TILES * TILE_BYTES);
const bytes = new Uint8Array(memory.buffer);
fillPacking(bytes.subarray(PACKING, PACKING + PACKING_BYTES));
const records = new Int32Array(memory.buffer, RECORDS, 4 * MOST_ROWS);
/** Bytes from one record to the next: with a tile behind each, or without. */
let apart = RECORD_BYTES;

/** A node's rows are about to be added up: cells hold what was there before. */
function begin() {
  bytes.fill(7, SMALL, SMALL + THREADS * TILES * SMALL_TILE_BYTES);
  bytes.fill(7, FULL, FULL + THREADS * TILES * TILE_BYTES);
  bytes.fill(7, OUT, OUT + TILES * TILE_BYTES);
  bytes.fill(0, HELD_AT, HELD_AT + THREADS * HELD_APART);
}

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
      if (column < 8 * ROW_TILES) bytes[ROWS + STRIDE * row + column] = bin;
      const behind = column - 8 * ROW_TILES;
      if (apart > RECORD_BYTES && behind >= 0 && behind < 8) bytes[RECORDS + apart * row + RECORD_BYTES + behind] = bin;
    }
    records[(apart / 4) * row] = next(2 * scale) - scale;
    records[(apart / 4) * row + 1] = next(scale) - (isSigned && next(3) === 0 ? scale : 0);
  }
  return binOf;
}

/**
 * Puts rows in the order of the names that they have in so many pairs of tiles, those that are not short last, in all
 * that is by row, and makes them short; returns how many there are.
 */
function shorten(n: number, pairs: number): number {
  const counts = new Uint8Array(n);
  for (let tile = 0; tile < 2 * pairs; tile++) {
    bytes.fill(0, BUFFER, BUFFER + n);
    binning.countOthers(TILE_MAJOR + 8 * n * tile, n, COMMONEST + 8 * tile, BUFFER);
    counts.forEach((own, row) => {
      counts[row] = own + bytes[BUFFER + row]!;
    });
  }
  const takenBy = (row: number) => Math.min(Math.ceil(counts[row]! / 8), pairs + 1);
  const order = Array.from({ length: n }, (_, row) => row).sort((a, b) => takenBy(a) - takenBy(b) || a - b);
  const permute = (at: number, width: number) => {
    const before = bytes.slice(at, at + width * n);
    order.forEach((row, i) => {
      bytes.set(before.subarray(width * row, width * (row + 1)), at + width * i);
    });
  };
  permute(ROWS, STRIDE);
  permute(RECORDS, apart);
  for (let tile = 0; tile < TILES; tile++) permute(TILE_MAJOR + 8 * n * tile, 8);
  const starts = Array.from({ length: pairs + 1 }, (_, pair) => order.filter(row => takenBy(row) <= pair).length);
  new Uint32Array(memory.buffer, STARTS, pairs + 1).set(starts);
  const short = starts.at(-1)!;
  binning.shortenRows(ROWS, STRIDE, short, 2 * pairs, COMMONEST, BUFFER, PACKING);
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

/** A column's cells: of its first bins and of the last one; others are whatever was there. */
function cellsOf(column: number, bins: number) {
  const cells = new Int32Array(memory.buffer, OUT + column * COLUMN_BYTES, (CELL.bytes / 4) * BINS).slice();
  return cells.fill(0, 4 * (bins + (bins & 1)), 4 * (BINS - 2));
}

/** Only what differs is worth the time of a look at each number. */
function expectCells(cells: Int32Array, plain: Int32Array) {
  if (cells.some((cell, i) => cell !== plain[i])) expect(cells).toEqual(plain);
}

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
        fc.integer({ min: 1, max: MOST_PAIRS }),
        // What share of the rows the first thread adds up.
        fc.constantFrom(0, 0.4, 1),
        (n, seed, bins, scale, isSigned, recordBytes, common, most, share) => {
          apart = recordBytes;
          const binOf = fill(n, seed, bins, scale, isSigned, common);
          for (let column = 0; column < 8 * TILES; column++) bytes[COMMONEST + column] = commonest(column, bins);
          if (scale === 2 ** 12) records[0] = 2 ** 27;
          const shortPairs = common > 0 ? most : 0;
          if (shortPairs > 0) {
            const short = shorten(n, shortPairs);
            ways.add(short === 0 ? 'none short' : short === n ? 'all short' : `some short, ${shortPairs}`);
          }
          const rows = Array.from({ length: n }, (_, row) => row).filter(row => row % 5 !== 3);
          new Uint32Array(memory.buffer, INDEX, rows.length).set(rows);
          const first = Math.round(share * rows.length);
          begin();
          for (const [thread, from, to] of [
            [0, 0, first],
            [1, first, rows.length],
          ] as const) {
            histogram.addRows(
              ROWS,
              STRIDE,
              ROW_TILES,
              TILE_MAJOR,
              8 * n,
              TILES,
              INDEX + 4 * from,
              to - from,
              RECORDS,
              apart,
              shortPairs,
              STARTS,
              SMALL + thread * TILES * SMALL_TILE_BYTES,
              FULL + thread * TILES * TILE_BYTES,
              HELD_AT + thread * HELD_APART,
              BUFFER,
            );
          }
          ways.add(
            held
              .map(own => (own.begun ? `${own.documents > 0 ? 'small' : ''}${own.full ? 'full' : ''}` : ''))
              .join(' '),
          );
          for (let column = 0; column < 8 * TILES; column++) {
            const left = column < 16 * shortPairs ? commonest(column, bins) : -1;
            splitter.takeColumn(OUT + column * COLUMN_BYTES, column, bins, 0, left);
            expectCells(cellsOf(column, bins), plainCells(rows, column, binOf));
          }
        },
      ),
      {
        numRuns: 150,
        seed: 1,
        // More rows of one bin than fit into one small cell, though they fit into those of two threads.
        examples: [[MOST_ROWS, 1, 1, 2000, false, RECORD_BYTES, 0, 1, 0.5]],
      },
    );
    const both = [...ways].sort();
    for (const way of ['all short', 'none short', 'some short, 1', 'some short, 2']) expect(both).toContain(way);
    for (const way of ['small small', 'smallfull smallfull', 'full full', 'small ', ' small'])
      expect(both).toContain(way);
  });

  it('of no rows are empty', () => {
    begin();
    splitter.takeColumn(OUT, 0, 255, 0, -1);
    expect([...new Int32Array(memory.buffer, OUT, 4 * BINS)].every(cell => cell === 0)).toBe(true);
  });

  it('of all rows take their documents from what is known', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 900, 4000), fc.integer(), fc.constantFrom(1, 3, 254, 255), (n, seed, bins) => {
        apart = seed & 1 ? RECORD_BYTES : RECORD_BYTES + 8;
        const binOf = fill(n, seed, bins, 2 ** 18, true);
        const half = n >> 1;
        begin();
        for (let column = 0; column < 8; column++)
          histogram.countBytes(TILE_MAJOR + column, 8, n, COUNTS + 4 * BINS * column);
        for (const [thread, from, to] of [
          [0, 0, half],
          [1, half, n],
        ] as const) {
          if (from === to) continue;
          const small = SMALL + thread * TILES * SMALL_TILE_BYTES;
          histogram.beginCells(TILES, small, HELD_AT + thread * HELD_APART);
          histogram.addTile(TILE_MAJOR + 8 * from, RECORDS + apart * from, apart, to - from, small);
        }
        for (let column = 0; column < 8; column++) {
          splitter.takeColumn(OUT + column * COLUMN_BYTES, column, bins, COUNTS + 4 * BINS * column, -1);
          expect(cellsOf(column, bins)).toEqual(plainCells(Array(n).keys(), column, binOf));
        }
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
        begin();
        for (let column = 0; column < 8; column++) bytes[COMMONEST + column] = commonest(column, bins);
        const half = n >> 1;
        const parts = [
          [TILE_MAJOR, half, 0],
          [TILE_MAJOR + 8 * half, n - half, half],
        ] as const;
        for (const [rows, count] of parts) binning.countKinds(rows, count, COMMONEST, LIST_AT);
        list.start = LISTED;
        const starts = kindStarts(list);
        for (const [kind, start] of starts.entries()) if (starts[kind + 1]! > start + LIST_APART) kinds.add(kind + 1);
        new Uint32Array(memory.buffer, BUFFER, 9).set(starts.slice(0, 8), 1);
        for (const [rows, count, first] of parts)
          binning.listRows(rows, count, COMMONEST, first, apart, BUFFER, PACKING);
        expect([...new Uint32Array(memory.buffer, BUFFER + 4, 8)]).toEqual(
          starts.slice(1).map(end => end - LIST_APART),
        );
        histogram.beginCells(TILES, SMALL, HELD_AT);
        histogram.addList(LIST_AT, RECORDS, SMALL);
        histogram.holdAll(RECORDS, apart, half, HELD_AT);
        histogram.holdAll(RECORDS + apart * half, apart, n - half, HELD_AT);
        for (let column = 0; column < 8; column++) {
          histogram.countBytes(TILE_MAJOR + column, 8, n, COUNTS);
          splitter.takeColumn(OUT + column * COLUMN_BYTES, column, bins, COUNTS, commonest(column, bins));
          expect(cellsOf(column, bins)).toEqual(plainCells(Array(n).keys(), column, binOf));
        }
      },
    );
    fc.assert(property, { numRuns: 40 });
    expect([...kinds].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
