// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Histograms of quantised gradients: for each column and bin, the sums of force, curvature and documents.
// The reference is src/training/boosting/reference/.
//
// A column is one byte of a row: the bin of a feature, or of two of few bins, four bits each.
// A cell is four 32-bit integers: force, curvature, documents, unused. A column's histogram is 256 cells and 64 bytes of
// padding: strides that are powers of two fall on the same cache sets. A row's record is 8 bytes: force and curvature.
// Bins are held twice: tile-major (a tile is eight columns, eight bytes a row) for all rows, row-major for some rows.

const COLUMN_BYTES: usize = 256 * 16 + 64;
const TILE_BYTES: usize = 8 * COLUMN_BYTES;
const BLOCK: i32 = 1024;
/** The bin of missing values. */
const MISSING: usize = 255;

/** Adds a record to the cell of column k of the tile. */
@inline function add(bins: usize, histogram: usize, record: v128, k: usize): void {
  const cell = histogram + (<usize>load<u8>(bins + k) << 4) + k * COLUMN_BYTES;
  v128.store(cell, i32x4.add(v128.load(cell), record));
}

/** Adds n consecutive rows of one tile. */
export function addTile(tile: usize, records: usize, n: i32, histogram: usize): void {
  const one = i32x4(0, 0, 1, 0);
  for (const end = tile + (<usize>n << 3); tile < end; tile += 8) {
    const record = v128.or(v128.load64_zero(records), one);
    records += 8;
    add(tile, histogram, record, 0);
    add(tile, histogram, record, 1);
    add(tile, histogram, record, 2);
    add(tile, histogram, record, 3);
    add(tile, histogram, record, 4);
    add(tile, histogram, record, 5);
    add(tile, histogram, record, 6);
    add(tile, histogram, record, 7);
  }
}

/** Reads a word of each cache line that the rows will need, so that the lines arrive together: stands in for a prefetch. */
function touch(rows: usize, stride: usize, from: usize, span: usize, index: usize, m: i32, sink: usize): void {
  let seen: i64 = 0;
  for (let i = 0; i < m; i++) {
    const row = rows + <usize>load<u32>(index + (<usize>i << 2)) * stride + from;
    for (let o: usize = 0; o < span; o += 64) seen += load<i64>(row + o);
    seen += load<i64>(row + span - 8);
  }
  store<i64>(sink, seen);
}

/** Copies the words of some rows into a tile-major buffer. */
function gatherWords(rows: usize, stride: usize, from: usize, tiles: i32, index: usize, m: i32, buffer: usize): void {
  const step: usize = (<usize>BLOCK << 3) + 64;
  for (let i = 0; i < m; i++) {
    let row = rows + <usize>load<u32>(index + (<usize>i << 2)) * stride + from;
    let to = buffer + (<usize>i << 3);
    for (let t = tiles; t > 0; t--) {
      store<i64>(to, load<i64>(row));
      row += 8;
      to += step;
    }
  }
}

function gatherRecords(records: usize, index: usize, m: i32, buffer: usize): void {
  for (let i = 0; i < m; i++) store<i64>(buffer + (<usize>i << 3), load<i64>(records + (<usize>load<u32>(index + (<usize>i << 2)) << 3)));
}

/**
 * Histograms of tiles `first` to `last` over the n rows named in `index`. `rows` is the row-major copy, `stride` bytes a row.
 * `buffer` has room for (last - first + 1) blocks of 1024 words and 64 bytes each.
 */
export function addRows(
  rows: usize, stride: i32, first: i32, last: i32, index: usize, n: i32, records: usize, histogram: usize, buffer: usize,
): void {
  const step: usize = (<usize>BLOCK << 3) + 64;
  const tiles = last - first;
  const from = <usize>first << 3;
  const words = buffer + step;
  for (let start = 0; start < n; start += BLOCK) {
    const m = min(BLOCK, n - start);
    const part = index + (<usize>start << 2);
    gatherRecords(records, part, m, buffer);
    touch(rows, stride, from, <usize>tiles << 3, part, m, words);
    gatherWords(rows, stride, from, tiles, part, m, words);
    for (let t = 0; t < tiles; t++) addTile(words + <usize>t * step, buffer, m, histogram + <usize>(first + t) * TILE_BYTES);
  }
}

/** parent -= child for the first bins of a column and the last: the other child's histogram without another pass over rows. */
export function subtractColumn(parent: usize, child: usize, bins: i32): void {
  for (let o: usize = 0, end = <usize>bins << 4; o < end; o += 16) subtractCell(parent + o, child + o);
  subtractCell(parent + (MISSING << 4), child + (MISSING << 4));
}

@inline function subtractCell(parent: usize, child: usize): void {
  v128.store(parent, i32x4.sub(v128.load(parent), v128.load(child)));
}

/** The sums of all rows of a histogram, from any column's cells. */
export function sumCells(histogram: usize, out: usize): void {
  let total = i32x4.splat(0);
  for (let o: usize = 0; o < 256 << 4; o += 16) total = i32x4.add(total, v128.load(histogram + o));
  v128.store(out, total);
}

/** The 16 cells of one of the two features of a column, from the column's 256: sums over the bins of the other. */
export function halfCells(histogram: usize, shift: i32, out: usize): void {
  // Cells of a bin lie `step` apart, bins lie `apart`.
  const step: usize = shift ? 16 : 256;
  const apart: usize = shift ? 256 : 16;
  for (let bin: usize = 0; bin < 16; bin++) {
    let total = i32x4.splat(0);
    for (let other: usize = 0; other < 16; other++) total = i32x4.add(total, v128.load(histogram + bin * apart + other * step));
    v128.store(out + (bin << 4), total);
  }
}

export function clearTiles(histogram: usize, tiles: i32): void {
  memory.fill(histogram, 0, <usize>tiles * TILE_BYTES);
}
