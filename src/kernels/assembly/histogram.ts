// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Histograms of quantised gradients: for each column and bin, the sums of lambda, hessian and documents.
// The reference is test/training/boosting/kernel-work.reference.ts.
//
// A column is one byte of a row: the bin of a feature, or of several of few bins.
// A cell is a vector of four 32-bit integers: lambda, hessian, documents, unused. A row's record is 8 bytes: lambda and
// hessian. Rows are added up in small cells of 8 bytes, which then become cells: see layouts/boosting.ts.
// Bins are held tile-major (a tile is eight columns, eight bytes a row) for all rows, and row-major for some rows.

import {
  BINS, BLOCK_ROWS, COLUMN_BYTES, DOCUMENT_BITS, Held, MISSING_BIN, RECORD_BYTES, SMALL_COLUMN_BYTES, SMALL_TILE_BYTES, TILE_BYTES,
  TILE_COLUMNS,
} from './layouts/boosting';

import { addNames, addNamesFull, placesBefore } from './common/short-rows';
import { LAMBDA_SHIFT, MOST_DOCUMENTS, MOST_HESSIAN, MOST_LAMBDA, takePacked } from './common/thread-cells';

export { addList } from './common/lists';
export { addNames, addNamesFull } from './common/short-rows';

const BLOCK = <i32>BLOCK_ROWS;
/** A block's rows of two tiles, and padding. */
const PAIR_BYTES: usize = (BLOCK_ROWS << 4) + 64;
/** A block's records, or its rows of one tile. */
const WORD_BYTES: usize = (BLOCK_ROWS << 3) + 64;

/**
 * Adds all of n rows to the small cells of one tile, lambda and hessian. Written out, as what follows, because only
 * constants become part of an instruction's address: a tenth of the time.
 */
export function addTile(tile: usize, records: usize, recordBytes: usize, n: i32, cells: usize): void {
  let cell: usize;
  for (const end = tile + (<usize>n << 3); tile < end; tile += 8) {
    const record = v128.load64_zero(records);
    cell = cells + (<usize>load<u8>(tile, 0) << 3);
    v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell, 0 * SMALL_COLUMN_BYTES), record), 0, 0 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 1) << 3);
    v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell, 1 * SMALL_COLUMN_BYTES), record), 0, 1 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 2) << 3);
    v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell, 2 * SMALL_COLUMN_BYTES), record), 0, 2 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 3) << 3);
    v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell, 3 * SMALL_COLUMN_BYTES), record), 0, 3 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 4) << 3);
    v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell, 4 * SMALL_COLUMN_BYTES), record), 0, 4 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 5) << 3);
    v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell, 5 * SMALL_COLUMN_BYTES), record), 0, 5 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 6) << 3);
    v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell, 6 * SMALL_COLUMN_BYTES), record), 0, 6 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 7) << 3);
    v128.store64_lane(cell, i32x4.add(v128.load64_zero(cell, 7 * SMALL_COLUMN_BYTES), record), 0, 7 * SMALL_COLUMN_BYTES);
    records += recordBytes;
  }
}

/** Adds some rows, whose eight bytes lie `stride` apart, to the small cells of one tile; records are packed. */
@inline function addPacked(stride: usize, tile: usize, records: usize, n: i32, cells: usize): void {
  let cell: usize;
  for (const end = records + (<usize>n << 3); records < end; records += 8) {
    const record = v128.load64_zero(records);
    cell = cells + (<usize>load<u8>(tile, 0) << 3);
    v128.store64_lane(cell, i64x2.add(v128.load64_zero(cell, 0 * SMALL_COLUMN_BYTES), record), 0, 0 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 1) << 3);
    v128.store64_lane(cell, i64x2.add(v128.load64_zero(cell, 1 * SMALL_COLUMN_BYTES), record), 0, 1 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 2) << 3);
    v128.store64_lane(cell, i64x2.add(v128.load64_zero(cell, 2 * SMALL_COLUMN_BYTES), record), 0, 2 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 3) << 3);
    v128.store64_lane(cell, i64x2.add(v128.load64_zero(cell, 3 * SMALL_COLUMN_BYTES), record), 0, 3 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 4) << 3);
    v128.store64_lane(cell, i64x2.add(v128.load64_zero(cell, 4 * SMALL_COLUMN_BYTES), record), 0, 4 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 5) << 3);
    v128.store64_lane(cell, i64x2.add(v128.load64_zero(cell, 5 * SMALL_COLUMN_BYTES), record), 0, 5 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 6) << 3);
    v128.store64_lane(cell, i64x2.add(v128.load64_zero(cell, 6 * SMALL_COLUMN_BYTES), record), 0, 6 * SMALL_COLUMN_BYTES);
    cell = cells + (<usize>load<u8>(tile, 7) << 3);
    v128.store64_lane(cell, i64x2.add(v128.load64_zero(cell, 7 * SMALL_COLUMN_BYTES), record), 0, 7 * SMALL_COLUMN_BYTES);
    tile += stride;
  }
}

/**
 * From a buffer of two tiles side by side. Exported, as is what else addRows calls, because the compiler would put what
 * is called from one place into the caller, and the innermost loop of a long function runs short of registers.
 */
export function addPackedPair(tile: usize, records: usize, n: i32, cells: usize): void {
  addPacked(16, tile, records, n, cells);
}

/** From a buffer of one tile. */
export function addPackedTile(tile: usize, records: usize, n: i32, cells: usize): void {
  addPacked(8, tile, records, n, cells);
}

/** The same to cells of full size, for rows whose sums are too large for small ones. */
export function addFull(stride: usize, tile: usize, records: usize, n: i32, histogram: usize): void {
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

/**
 * Reads a word of each cache line that the rows will need, so that the lines arrive together: stands in for a prefetch.
 */
export function touch(rows: usize, stride: usize, span: usize, index: usize, m: i32, sink: usize): void {
  const end = index + (<usize>m << 2);
  const last = span - 8;
  let seen: i64 = 0;
  if ((stride & 63) == 0 && span <= 128) {
    // Two lines at most, as most data has: the less there is to do for a row, the more of them are under way at once.
    for (; index < end; index += 4) {
      const row = rows + <usize>load<u32>(index) * stride;
      seen |= load<i64>(row) | load<i64>(row + last);
    }
  } else {
    for (; index < end; index += 4) {
      const row = rows + <usize>load<u32>(index) * stride;
      for (let o: usize = 0; o < last; o += 64) seen |= load<i64>(row + o);
      seen |= load<i64>(row + last);
    }
  }
  store<i64>(sink, seen);
}

/** Copies some rows, 16 bytes at a time, into buffers of two tiles each: half as many copies as tile by tile. */
export function gatherPairs(rows: usize, stride: usize, pairs: i32, index: usize, m: i32, buffer: usize): void {
  for (let i = 0; i < m; i++) {
    let row = rows + <usize>load<u32>(index + (<usize>i << 2)) * stride;
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

/** buffer[i] = words[index[i]], which lie `apart` bytes apart: of records, or of a tile. */
export function gatherWords(words: usize, apart: usize, index: usize, m: i32, buffer: usize): void {
  for (const end = index + (<usize>m << 2); index < end; index += 4, buffer += 8) {
    store<i64>(buffer, load<i64>(words + <usize>load<u32>(index) * apart));
  }
}

let blockLambda: i64 = 0;
let blockHessian: i64 = 0;
let blockSums: v128 = i32x4.splat(0);

/** Two records, lambda and hessian of each, as packed ones. */
@inline function packedOf(two: v128): v128 {
  const hessian = i64x2.shl(i64x2.shr_u(two, 32), DOCUMENT_BITS);
  return i64x2.add(i64x2.add(i64x2.shl(two, LAMBDA_SHIFT), hessian), i64x2.splat(1));
}

/**
 * Packed records of some rows, their sums, and those of their magnitudes, which of all rows are below 2^31; a hessian
 * below zero counts as too large.
 */
export function packRecords(records: usize, apart: usize, index: usize, m: i32, buffer: usize): void {
  let all = i32x4.splat(0);
  let sums = i32x4.splat(0);
  let signs = i32x4.splat(0);
  for (const end = index + (<usize>(m & ~1) << 2); index < end; index += 8, buffer += 16) {
    const one = v128.load64_zero(records + <usize>load<u32>(index) * apart);
    const two = v128.load64_lane(records + <usize>load<u32>(index, 4) * apart, one, 1);
    all = i32x4.add(all, two);
    sums = i32x4.add(sums, i32x4.abs(two));
    signs = v128.or(signs, two);
    v128.store(buffer, packedOf(two));
  }
  if (m & 1) {
    const one = v128.load64_zero(records + <usize>load<u32>(index) * apart);
    all = i32x4.add(all, one);
    sums = i32x4.add(sums, i32x4.abs(one));
    signs = v128.or(signs, one);
    v128.store64_lane(buffer, packedOf(one), 0);
  }
  blockSums = i32x4.add(all, v128.shuffle<i64>(all, all, 1, 1));
  const isBelowZero = (i32x4.bitmask(signs) & 0b1010) != 0;
  blockLambda = <i64>i32x4.extract_lane(sums, 0) + <i64>i32x4.extract_lane(sums, 2);
  blockHessian = isBelowZero ? i64.MAX_VALUE : <i64>i32x4.extract_lane(sums, 1) + <i64>i32x4.extract_lane(sums, 3);
}

/** Sums of n rows to what a thread has added up. */
@inline function hold(own: Held, sums: v128, n: i32): void {
  own.allLambda += i32x4.extract_lane(sums, 0);
  own.allHessian += i32x4.extract_lane(sums, 1);
  own.allDocuments += n;
}

/** Whether a block of m rows fits into the small cells, beside what is held there or alone. */
@inline function fits(m: i32, documents: u32, lambda: u32, hessian: u32): bool {
  return documents + m <= MOST_DOCUMENTS && blockLambda <= MOST_LAMBDA - lambda && blockHessian <= MOST_HESSIAN - hessian;
}

/** Small cells of all tiles for the rows of another node: others have taken what they held. */
export function beginCells(tiles: i32, cells: usize, held: usize): void {
  const own = changetype<Held>(held);
  if (own.begun) return;
  memory.fill(cells, 0, <usize>tiles * SMALL_TILE_BYTES);
  own.begun = 1;
}

/** The same for cells of full size. */
@inline function beginFull(own: Held, tiles: i32, histogram: usize): void {
  if (!own.full) memory.fill(histogram, 0, <usize>tiles * TILE_BYTES);
  own.full = 1;
}

/** What the small cells hold to those of full size. */
export function emptyTiles(tiles: i32, cells: usize, histogram: usize, add: bool): void {
  for (let column = 0, columns = tiles * <i32>TILE_COLUMNS; column < columns; column++) {
    takePacked(histogram + <usize>column * COLUMN_BYTES, cells + <usize>column * SMALL_COLUMN_BYTES, 0, BINS, add);
  }
  memory.fill(cells, 0, <usize>tiles * SMALL_TILE_BYTES);
}

/**
 * Adds the n rows whose rising places are in `index` to the small cells of all tiles, or to those of full size
 * (histogram) what these cannot hold. `rows` is the row-major copy of the first `rowTiles` tiles, `stride` bytes a row;
 * the next one is behind each record where these take more than their own bytes, the others are found from `tile` on,
 * `tileBytes` apart. In the first `shortPairs` pairs of tiles, short rows have names: `starts` has for each pair the
 * first place of a row with names in it, and then the first place of a row that is not short. `buffer` has room for
 * blocks of BLOCK_ROWS words and 64 bytes each: one a tile, and three more. `held` says what the small cells hold.
 */
export function addRows(
  rows: usize, stride: i32, rowTiles: i32, tile: usize, tileBytes: usize, tiles: i32, index: usize, n: i32,
  records: usize, recordBytes: usize, shortPairs: i32, starts: usize, cells: usize, histogram: usize, held: usize, buffer: usize,
): void {
  if (n == 0) return;
  const own = changetype<Held>(held);
  beginCells(tiles, cells, held);
  const pairs = buffer + WORD_BYTES;
  const others = pairs + <usize>((rowTiles + 1) >> 1) * PAIR_BYTES;
  for (let start = 0; start < n; start += BLOCK) {
    const m = min(BLOCK, n - start);
    const part = index + (<usize>start << 2);
    packRecords(records, recordBytes, part, m, buffer);
    hold(own, blockSums, m);
    const small = fits(m, 0, 0, 0);
    if (small && !fits(m, own.documents, own.lambda, own.hessian)) {
      emptyTiles(tiles, cells, histogram, own.full != 0);
      own.documents = 0;
      own.lambda = 0;
      own.hessian = 0;
      own.full = 1;
    }
    if (small) {
      own.documents += m;
      own.lambda += <u32>blockLambda;
      own.hessian += <u32>blockHessian;
    } else {
      beginFull(own, tiles, histogram);
      gatherWords(records, recordBytes, part, m, buffer);
    }
    touch(rows, stride, <usize>rowTiles << 3, part, m, pairs);
    // Of an odd number of tiles, the last pair's second half is never looked at.
    gatherPairs(rows, stride, (rowTiles + 1) >> 1, part, m, pairs);
    const short = shortPairs > 0 ? placesBefore(part, m, load<u32>(starts + (<usize>shortPairs << 2))) : 0;
    for (let p = 0; p < shortPairs; p++) {
      const pair = pairs + <usize>p * PAIR_BYTES;
      const from = placesBefore(part, short, load<u32>(starts + (<usize>p << 2)));
      const names = pair + (<usize>from << 4);
      const first = buffer + (<usize>from << 3);
      if (small) addNames(names, first, short - from, cells);
      else addNamesFull(names, first, short - from, histogram);
    }
    for (let t = 0; t < rowTiles; t++) {
      const from = t < 2 * shortPairs ? short : 0;
      const pair = pairs + <usize>(t >> 1) * PAIR_BYTES + (<usize>(t & 1) << 3) + (<usize>from << 4);
      const first = buffer + (<usize>from << 3);
      if (small) addPackedPair(pair, first, m - from, cells + <usize>t * SMALL_TILE_BYTES);
      else addFull(16, pair, first, m - from, histogram + <usize>t * TILE_BYTES);
    }
    for (let t = rowTiles; t < tiles; t++) {
      if (t == rowTiles && recordBytes > RECORD_BYTES) gatherWords(records + RECORD_BYTES, recordBytes, part, m, others);
      else gatherWords(tile + <usize>t * tileBytes, TILE_COLUMNS, part, m, others);
      if (small) addPackedTile(others, buffer, m, cells + <usize>t * SMALL_TILE_BYTES);
      else addFull(8, others, buffer, m, histogram + <usize>t * TILE_BYTES);
    }
  }
}

/** The sums of consecutive rows to what a thread has added up. */
export function holdAll(records: usize, recordBytes: usize, n: i32, held: usize): void {
  const own = changetype<Held>(held);
  let all = i32x4.splat(0);
  for (const end = records + <usize>n * recordBytes; records < end; records += recordBytes) {
    all = i32x4.add(all, v128.load64_zero(records));
  }
  hold(own, all, n);
}

/** Documents by byte of a column, whose bytes lie so far apart. */
export function countBytes(bytes: usize, apart: usize, n: i32, counts: usize): void {
  memory.fill(counts, 0, BINS * 4);
  for (const end = bytes + <usize>n * apart; bytes < end; bytes += apart) {
    const cell = counts + (<usize>load<u8>(bytes) << 2);
    store<u32>(cell, load<u32>(cell) + 1);
  }
}

/** Adds the n rows of `index` to the cells of a wide category: one a bin, and one for the bin of missing values. */
export function addCodes(
  codes: usize, index: usize, n: i32, records: usize, recordBytes: usize, bins: i32, missing: i32, out: usize,
): void {
  const one = i32x4(0, 0, 1, 0);
  for (const end = index + (<usize>n << 2); index < end; index += 4) {
    const row = <usize>load<u32>(index);
    const bin = <i32>load<u16>(codes + (row << 1));
    const cell = out + (<usize>(bin == missing ? bins : bin) << 4);
    v128.store(cell, i32x4.add(v128.load(cell), v128.or(v128.load64_zero(records + row * recordBytes), one)));
  }
}

export function clearCells(cells: usize, n: i32): void {
  memory.fill(cells, 0, <usize>n << 4);
}
