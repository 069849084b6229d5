// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Histograms of quantised gradients: for each column and bin, the sums of lambda, hessian and documents.
// The reference is test/training/boosting/kernel-work.reference.ts.
//
// A column is one byte of a row: the bin of a feature, or of several of few bins.
// A cell is a vector of four 32-bit integers: lambda, hessian, documents, unused. A row's record is 8 bytes: lambda and
// hessian.
// Bins are held tile-major (a tile is eight columns, eight bytes a row) for all rows, and row-major for some rows.

import { BINS, BLOCK_ROWS, COLUMN_BYTES, MISSING_BIN, TILE_BYTES } from './layouts/boosting';

const BLOCK = <i32>BLOCK_ROWS;
/** A block's rows of two tiles, and padding. */
const PAIR_BYTES: usize = (BLOCK_ROWS << 4) + 64;
/** A block's records, or its rows of one tile. */
const WORD_BYTES: usize = (BLOCK_ROWS << 3) + 64;

/**
 * Adds n rows of one tile, whose eight bytes lie `stride` apart; records lie side by side. Written out, because only
 * constants become part of an instruction's address: a tenth of the time.
 */
@inline function addEvery(stride: usize, tile: usize, records: usize, n: i32, histogram: usize): void {
  const one = i32x4(0, 0, 1, 0);
  let cell: usize;
  for (const end = records + (<usize>n << 3); records < end; records += 8) {
    const record = v128.or(v128.load64_zero(records), one);
    cell = histogram + (<usize>load<u8>(tile, 0) << 4);
    v128.store(cell, i32x4.add(v128.load(cell, 0 * COLUMN_BYTES), record), 0 * COLUMN_BYTES);
    cell = histogram + (<usize>load<u8>(tile, 1) << 4);
    v128.store(cell, i32x4.add(v128.load(cell, 1 * COLUMN_BYTES), record), 1 * COLUMN_BYTES);
    cell = histogram + (<usize>load<u8>(tile, 2) << 4);
    v128.store(cell, i32x4.add(v128.load(cell, 2 * COLUMN_BYTES), record), 2 * COLUMN_BYTES);
    cell = histogram + (<usize>load<u8>(tile, 3) << 4);
    v128.store(cell, i32x4.add(v128.load(cell, 3 * COLUMN_BYTES), record), 3 * COLUMN_BYTES);
    cell = histogram + (<usize>load<u8>(tile, 4) << 4);
    v128.store(cell, i32x4.add(v128.load(cell, 4 * COLUMN_BYTES), record), 4 * COLUMN_BYTES);
    cell = histogram + (<usize>load<u8>(tile, 5) << 4);
    v128.store(cell, i32x4.add(v128.load(cell, 5 * COLUMN_BYTES), record), 5 * COLUMN_BYTES);
    cell = histogram + (<usize>load<u8>(tile, 6) << 4);
    v128.store(cell, i32x4.add(v128.load(cell, 6 * COLUMN_BYTES), record), 6 * COLUMN_BYTES);
    cell = histogram + (<usize>load<u8>(tile, 7) << 4);
    v128.store(cell, i32x4.add(v128.load(cell, 7 * COLUMN_BYTES), record), 7 * COLUMN_BYTES);
    tile += stride;
  }
}

export function addTile(tile: usize, records: usize, n: i32, histogram: usize): void {
  addEvery(8, tile, records, n, histogram);
}

/**
 * As addTile, from a buffer of two tiles side by side. Exported, as is what else addRows calls, because the compiler
 * would put what is called from one place into the caller, and the innermost loop of a long function runs short of
 * registers.
 */
export function addOfPair(tile: usize, records: usize, n: i32, histogram: usize): void {
  addEvery(16, tile, records, n, histogram);
}

/**
 * Reads a word of each cache line that the rows will need, so that the lines arrive together: stands in for a prefetch.
 */
export function touch(rows: usize, stride: usize, from: usize, span: usize, index: usize, m: i32, sink: usize): void {
  let seen: i64 = 0;
  for (let i = 0; i < m; i++) {
    const row = rows + <usize>load<u32>(index + (<usize>i << 2)) * stride + from;
    for (let o: usize = 0; o < span; o += 64) seen += load<i64>(row + o);
    seen += load<i64>(row + span - 8);
  }
  store<i64>(sink, seen);
}

/** Copies some rows, 16 bytes at a time, into buffers of two tiles each: half as many copies as tile by tile. */
export function gatherPairs(rows: usize, stride: usize, from: usize, pairs: i32, index: usize, m: i32, buffer: usize): void {
  for (let i = 0; i < m; i++) {
    let row = rows + <usize>load<u32>(index + (<usize>i << 2)) * stride + from;
    let to = buffer + (<usize>i << 4);
    let t = pairs;
    for (; t >= 4; t -= 4) {
      v128.store(to, v128.load(row));
      v128.store(to, v128.load(row, 16), PAIR_BYTES);
      v128.store(to, v128.load(row, 32), 2 * PAIR_BYTES);
      v128.store(to, v128.load(row, 48), 3 * PAIR_BYTES);
      row += 64;
      to += 4 * PAIR_BYTES;
    }
    for (; t > 0; t--) {
      v128.store(to, v128.load(row));
      row += 16;
      to += PAIR_BYTES;
    }
  }
}

/** buffer[i] = words[index[i]]: of records, or of a tile. */
export function gatherWords(words: usize, index: usize, m: i32, buffer: usize): void {
  for (let i = 0; i < m; i++) store<i64>(buffer + (<usize>i << 3), load<i64>(words + (<usize>load<u32>(index + (<usize>i << 2)) << 3)));
}

/**
 * Histograms of tiles `first` to `last` over the n rows named in `index`. `rows` is the row-major copy of the first
 * `rowTiles` tiles, `stride` bytes a row; the others are found from `tile` on, `tileBytes` apart. `buffer` has room for
 * blocks of BLOCK_ROWS words and 64 bytes each: one a tile, and two more.
 */
export function addRows(
  rows: usize, stride: i32, rowTiles: i32, tile: usize, tileBytes: usize, first: i32, last: i32, index: usize, n: i32,
  records: usize, histogram: usize, buffer: usize,
): void {
  const lastOfRows = min(last, rowTiles);
  const tiles = max(lastOfRows - first, 0);
  const from = <usize>first << 3;
  const pairs = buffer + WORD_BYTES;
  const others = pairs + <usize>((tiles + 1) >> 1) * PAIR_BYTES;
  for (let start = 0; start < n; start += BLOCK) {
    const m = min(BLOCK, n - start);
    const part = index + (<usize>start << 2);
    gatherWords(records, part, m, buffer);
    if (tiles > 0) touch(rows, stride, from, <usize>tiles << 3, part, m, pairs);
    // Of an odd number of tiles, the last pair's second half is never looked at.
    gatherPairs(rows, stride, from, (tiles + 1) >> 1, part, m, pairs);
    for (let t = 0; t < tiles; t++) {
      const pair = pairs + <usize>(t >> 1) * PAIR_BYTES + (<usize>(t & 1) << 3);
      addOfPair(pair, buffer, m, histogram + <usize>(first + t) * TILE_BYTES);
    }
    for (let t = max(first, rowTiles); t < last; t++) {
      gatherWords(tile + <usize>t * tileBytes, part, m, others);
      addTile(others, buffer, m, histogram + <usize>t * TILE_BYTES);
    }
  }
}

/** Histogram of a wide category over the n rows of `index`: `bins` cells, and one for the bin of missing values. */
export function addCodes(codes: usize, index: usize, n: i32, records: usize, bins: i32, missing: i32, out: usize): void {
  const one = i32x4(0, 0, 1, 0);
  memory.fill(out, 0, <usize>(bins + 1) << 4);
  for (const end = index + (<usize>n << 2); index < end; index += 4) {
    const row = <usize>load<u32>(index);
    const bin = <i32>load<u16>(codes + (row << 1));
    const cell = out + (<usize>(bin == missing ? bins : bin) << 4);
    v128.store(cell, i32x4.add(v128.load(cell), v128.or(v128.load64_zero(records + (row << 3)), one)));
  }
}

/** parent -= child for the first bins of a column and the last: the other child without another pass over rows. */
export function subtractColumn(parent: usize, child: usize, bins: i32): void {
  for (let o: usize = 0, end = <usize>bins << 4; o < end; o += 16) subtractCell(parent + o, child + o);
  subtractCell(parent + (MISSING_BIN << 4), child + (MISSING_BIN << 4));
}

/** sum += part and part = 0 for the first bins of a column and the last. */
export function takeColumn(sum: usize, part: usize, bins: i32): void {
  for (let o: usize = 0, end = <usize>bins << 4; o < end; o += 16) takeCell(sum + o, part + o);
  takeCell(sum + (MISSING_BIN << 4), part + (MISSING_BIN << 4));
}

@inline function takeCell(sum: usize, part: usize): void {
  v128.store(sum, i32x4.add(v128.load(sum), v128.load(part)));
  v128.store(part, i32x4.splat(0));
}

@inline function subtractCell(parent: usize, child: usize): void {
  v128.store(parent, i32x4.sub(v128.load(parent), v128.load(child)));
}

/** The sums of all rows of a histogram, from any column's cells. */
export function sumCells(histogram: usize, out: usize): void {
  let total = i32x4.splat(0);
  for (let o: usize = 0; o < BINS << 4; o += 16) total = i32x4.add(total, v128.load(histogram + o));
  v128.store(out, total);
}

/** The cells of one of the features that share a column, from the column's 256: sums over the bins of the others. */
export function cellsOfFeature(histogram: usize, step: i32, states: i32, out: usize): void {
  memory.fill(out, 0, <usize>states << 4);
  const group = step * states;
  for (let first = 0; first + group <= <i32>BINS; first += group) {
    let cell = histogram + (<usize>first << 4);
    for (let to = out, end = out + (<usize>states << 4); to < end; to += 16) {
      let total = v128.load(to);
      for (let other = 0; other < step; other++) {
        total = i32x4.add(total, v128.load(cell));
        cell += 16;
      }
      v128.store(to, total);
    }
  }
}

export function clearTiles(histogram: usize, tiles: i32): void {
  memory.fill(histogram, 0, <usize>tiles * TILE_BYTES);
}
