// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Queries along a line of scores, for measures that follow from how many documents are above each: first what they are
// where buckets of the line begin, and how high they can be within each; then, of a few buckets, every change. The
// reference is src/lines/counted-sweep.ts.
//
// A block is what documents of equal lines are together. Blocks are in the order below every crossing, by rising slope:
// each overtakes blocks above it, and is overtaken by blocks below it. A cell holds what crosses a block in a bucket,
// as four numbers of 16 bits: documents that it overtakes, documents that overtake it, and the same for gains. Once
// these are added up it holds where the block stands when the bucket begins: documents above, and gains above.

import { BUCKETS, NO_PLACE, PADDING, PLACES, Plan, Query, QUERY_BYTES } from './layouts/line-buckets';

/** Cells of a block, and a bit each for those in which something crosses it. */
const CELLS_BYTES: usize = BUCKETS << 3;
const BLOCK_BYTES: usize = CELLS_BYTES + 8;
/** Added to a number that is not negative, its whole part is in the lower 32 bits, rounded. */
const ROUNDER: f64 = 4503599627370496;
/** Runs of so many documents are sorted by insertion. */
const RUN: i32 = 8;

@inline function f64At(base: usize, i: i32): f64 {
  return load<f64>(base + (<usize>i << 3));
}

@inline function i32At(base: usize, i: i32): i32 {
  return load<i32>(base + (<usize>i << 2));
}

@inline function before(plan: Plan, x: i32, y: i32): bool {
  const slopeX = f64At(plan.slope, x);
  const slopeY = f64At(plan.slope, y);
  if (slopeX != slopeY) return slopeX < slopeY;
  const startX = f64At(plan.start, x);
  const startY = f64At(plan.start, y);
  if (startX != startY) return startX > startY;
  return f64At(plan.gain, x) < f64At(plan.gain, y);
}

/**
 * Rows in the order below every crossing; of equal lines those of small gains first. The order there is comes from an
 * earlier line: mostly that of the same feature, by which rows are nearly sorted.
 */
function sortRows(plan: Plan, first: i32, n: i32): void {
  const own = <usize>first << 2;
  const order = <usize>plan.order + own;
  let from = order;
  let to = <usize>plan.scratch + own;
  for (let i = 0; i < n; i++) {
    const row = i32At(from, i);
    let j = i;
    for (const least = i - i % RUN; j > least && before(plan, row, i32At(from, j - 1)); j--) {
      store<i32>(from + (<usize>j << 2), i32At(from, j - 1));
    }
    store<i32>(from + (<usize>j << 2), row);
  }
  for (let width = RUN; width < n; width <<= 1) {
    for (let begin = 0; begin < n; begin += width << 1) {
      const middle = min(begin + width, n);
      const end = min(begin + (width << 1), n);
      if (middle == end || !before(plan, i32At(from, middle), i32At(from, middle - 1))) {
        const at = <usize>begin << 2;
        memory.copy(to + at, from + at, <usize>(end - begin) << 2);
        continue;
      }
      let i = begin;
      let j = middle;
      for (let k = begin; k < end; k++) {
        const right = j < end && (i >= middle || before(plan, i32At(from, j), i32At(from, i)));
        store<i32>(to + (<usize>k << 2), right ? i32At(from, j) : i32At(from, i));
        j += i32(right);
        i += i32(!right);
      }
    }
    const kept = from;
    from = to;
    to = kept;
  }
  if (from != order) memory.copy(order, from, <usize>n << 2);
}

/** The blocks of a query, in order. */
function findBlocks(plan: Plan, query: Query): void {
  const first = <i32>query.firstRow;
  const n = <i32>query.rows;
  const order = <usize>plan.order + (<usize>first << 2);
  sortRows(plan, first, n);
  let blocks = 0;
  let gainAbove = 0;
  for (let r = 0; r < n; ) {
    const row = i32At(order, r);
    const start = f64At(plan.start, row);
    const slope = f64At(plan.slope, row);
    let gain: f64 = 0;
    const above = r;
    do gain += f64At(plan.gain, i32At(order, r++));
    while (r < n && f64At(plan.start, i32At(order, r)) == start && f64At(plan.slope, i32At(order, r)) == slope);
    const documents = r - above;
    const counted = plan.precision ? <i32>gain : 0;
    const block = <usize>(first + blocks);
    store<f64>(<usize>plan.starts + (block << 3), start);
    store<f64>(<usize>plan.slopes + (block << 3), slope);
    store<f64>(<usize>plan.gains + (block << 3), gain);
    store<i32>(<usize>plan.sizes + (block << 2), documents);
    store<i32>(<usize>plan.above + (block << 2), above);
    store<i32>(<usize>plan.gainAbove + (block << 2), gainAbove);
    const own = <i64>documents | (<i64>counted << 32);
    store<i64>(<usize>plan.falls + (block << 3), own);
    store<i64>(<usize>plan.rises + (block << 3), own << 16);
    gainAbove += counted;
    blocks++;
  }
  query.blocks = blocks;
}

// What a block counts, of which there is one at hand: its documents, its mean gain times the norm, what gains within it
// add to each other, and the tables of its query.
let size: i32 = 0;
let scale: f64 = 0;
let share: f64 = 0;
let byRank: usize = 0;
let discounts: usize = 0;
let moments: usize = 0;

@inline function take(plan: Plan, query: Query, block: i32): void {
  const gain = f64At(plan.gains, block);
  const table = <usize>query.table << 3;
  size = i32At(plan.sizes, block);
  scale = (query.norm * gain) / <f64>size;
  share = size == 1 ? 0 : (gain - 1) / <f64>(size - 1);
  byRank = <usize>plan.byRank + table;
  discounts = <usize>plan.discounts + table;
  moments = <usize>plan.moments + table;
}

/** At a rank, below so many gains. `alone` is a block of one document. */
@inline function counts(alone: bool, precision: bool, unit: f64, ranks: usize, rank: i32, gains: i32): f64 {
  if (alone) return precision ? unit * <f64>(gains + 1) * f64At(ranks, rank) : unit * f64At(ranks, rank);
  return tiedCounts(precision, rank, gains);
}

function tiedCounts(precision: bool, rank: i32, gains: i32): f64 {
  const discount = f64At(discounts, rank + size) - f64At(discounts, rank);
  if (!precision) return scale * discount;
  const moment = f64At(moments, rank + size) - f64At(moments, rank) - <f64>rank * discount;
  return scale * (<f64>(gains + 1) * discount + share * moment);
}

// Which cells are not empty, of the block at hand.
let crossed: i64 = 0;

@inline function placed(cells: usize, places: usize, j: i32, place: i32, weight: i64): i64 {
  const bucket = <u32>place / <u32>PLACES;
  const cell = cells + (<usize>bucket << 3);
  store<i64>(cell, load<i64>(cell) + weight);
  store<u16>(places + (<usize>j << 1), place);
  return <i64>1 << bucket;
}

/**
 * Crossings of block i with blocks from..to, all above it (sign 1) or all below it (sign -1). Every second one is added
 * to `odd`: sums of one cell would wait for each other.
 */
@inline function cross(
  plan: Plan, starts: usize, slopes: usize, weights: usize, i: i32, from: i32, to: i32, sign: f64,
  cells: usize, odd: usize, places: usize,
): void {
  let bits = crossed;
  const start = f64x2.splat(f64At(starts, i));
  const slope = f64x2.splat(f64At(slopes, i));
  const span = f64x2.splat(-sign * plan.span);
  const stretch = f64x2.splat(sign * plan.stretch);
  const centre = f64x2.splat(plan.centre + ROUNDER);
  for (let j = from; j < to; j += 2) {
    const at = <usize>j << 3;
    const x = f64x2.sub(v128.load(starts + at), start);
    const y = f64x2.mul(f64x2.sub(v128.load(slopes + at), slope), span);
    const place = f64x2.add(f64x2.mul(f64x2.div(x, f64x2.add(y, f64x2.abs(x))), stretch), centre);
    bits |= placed(cells, places, j, i32x4.extract_lane(place, 0), load<i64>(weights + at));
    if (j + 1 == to) break;
    bits |= placed(odd, places, j + 1, i32x4.extract_lane(place, 2), load<i64>(weights + at + 8));
  }
  crossed = bits;
}

/** The first to fourth number of a cell, from 0. */
@inline function numberOf(cell: i64, which: i32): i32 {
  return <i32>(cell >> (which << 4)) & 0xffff;
}

/**
 * What crosses the block at hand in the cells whose bits are set, in `lower` for the first 64 and in `upper` for the
 * others, from where it stands at first. Adds to `values`, for buckets, what it counts there, then the change at the
 * end of each cell, to `most` by how much it may count more in between. Cells of buckets, with what is in `odd`, then
 * hold where the block stands at their end; others are empty.
 */
@inline function addCells(
  buckets: bool, alone: bool, precision: bool, tight: bool,
  state: i64, lower: i64, upper: i64, cells: usize, odd: usize, values: usize, most: usize,
): void {
  const unit = scale;
  const ranks = byRank;
  let rank = <i32>state;
  let gains = <i32>(state >> 32);
  let now = counts(alone, precision, unit, ranks, rank, gains);
  if (buckets) store<f64>(values, load<f64>(values) + now);
  let bits = lower;
  let first: usize = 0;
  for (;;) {
    if (bits == 0) {
      if (buckets || first != 0 || upper == 0) return;
      first = 64;
      bits = upper;
    }
    const at = (first + <usize>ctz(bits)) << 3;
    bits &= bits - 1;
    let cell = load<i64>(cells + at);
    if (buckets) {
      cell += load<i64>(odd + at);
      store<i64>(odd + at, 0);
    }
    const falls = numberOf(cell, 0);
    const gainFalls = precision ? numberOf(cell, 2) : 0;
    const gainRises = precision ? numberOf(cell, 3) : 0;
    const highest = rank - falls + (tight ? gainRises + gainFalls : 0);
    const bound = counts(alone, precision, unit, ranks, highest, gains + gainRises);
    store<f64>(most + at, load<f64>(most + at) + (bound - now));
    rank += numberOf(cell, 1) - falls;
    gains += gainRises - gainFalls;
    store<i64>(cells + at, buckets ? (<i64>gains << 32) | <i64>rank : 0);
    const next = counts(alone, precision, unit, ranks, rank, gains);
    store<f64>(values + at + 8, load<f64>(values + at + 8) + (next - now));
    now = next;
  }
}

/** The same for any measure and block. */
@inline function addBlock(
  buckets: bool, plan: Plan, query: Query, state: i64, lower: i64, upper: i64,
  cells: usize, odd: usize, values: usize, most: usize,
): void {
  const tight = query.tight != 0;
  if (size != 1) addCells(buckets, false, plan.precision != 0, tight, state, lower, upper, cells, odd, values, most);
  else if (!plan.precision) addCells(buckets, true, false, false, state, lower, upper, cells, odd, values, most);
  else if (tight) addCells(buckets, true, true, true, state, lower, upper, cells, odd, values, most);
  else addCells(buckets, true, true, false, state, lower, upper, cells, odd, values, most);
}

@inline function firstState(plan: Plan, block: i32): i64 {
  return (<i64>i32At(plan.gainAbove, block) << 32) | <i64>i32At(plan.above, block);
}

// A run of places, less so much that signed numbers compare as they do: V8 keeps nothing out of loops by itself.
@inline function runFrom(low: i32): v128 {
  return i16x8.splat(<i16>(low + 32768));
}

@inline function runLength(low: i32, high: i32): v128 {
  return i16x8.splat(<i16>(min(high, <i32>NO_PLACE) - low - 32768));
}

/** Which of sixteen places from k on are in a run, a bit each; never one where nothing crosses. */
@inline function within(places: usize, k: i32, from: v128, length: v128): i32 {
  const at = places + (<usize>k << 1);
  const even = i16x8.lt_s(i16x8.sub(v128.load(at), from), length);
  const odd = i16x8.lt_s(i16x8.sub(v128.load(at, 16), from), length);
  return i8x16.bitmask(i8x16.narrow_i16x8_s(even, odd));
}

/** Where block i stands once block j has crossed it. */
@inline function passed(state: i64, i: i32, j: i32, falls: usize): i64 {
  const weight = load<i64>(falls + (<usize>j << 3));
  return state + (j < i ? -weight : weight);
}

/**
 * Where block i of its query stands at a place: at the end of the last bucket before in which something crossed it, but
 * for what crosses it from the beginning of the bucket at hand on.
 */
@inline function stateAt(
  plan: Plan, block: i32, i: i32, cells: usize, falls: usize, places: usize, width: i32, place: i32,
): i64 {
  const bucket = place / <i32>PLACES;
  const before = load<i64>(cells, CELLS_BYTES) & ((<i64>1 << bucket) - 1);
  let state = before == 0 ? firstState(plan, block) : load<i64>(cells + (<usize>(63 - clz(before)) << 3));
  const low = bucket * <i32>PLACES;
  if (low == place) return state;
  const from = runFrom(low);
  const length = runLength(low, place);
  for (let k = 0; k < width; k += <i32>PADDING) {
    for (let hits = within(places, k, from, length); hits != 0; hits &= hits - 1) {
      state = passed(state, i, k + ctz(hits), falls);
    }
  }
  return state;
}

@inline function widthOf(blocks: i32): i32 {
  return (blocks + <i32>PADDING - 1) & ~(<i32>PADDING - 1);
}

/**
 * Queries first..last: `values` is their sum below every crossing, then the change to the beginning of each bucket,
 * then to the end; `most` is, by bucket, by how much it may be higher within than at its beginning. `odd` is scratch, a
 * cell a bucket.
 */
export function coarse(address: usize, first: i32, last: i32, odd: usize, values: usize, most: usize): void {
  const plan = changetype<Plan>(address);
  memory.fill(odd, 0, CELLS_BYTES);
  memory.fill(values, 0, CELLS_BYTES + 8);
  memory.fill(most, 0, CELLS_BYTES);
  for (let q = first; q < last; q++) {
    const query = changetype<Query>(<usize>plan.queries + <usize>q * QUERY_BYTES);
    if (isNaN(query.norm)) continue;
    findBlocks(plan, query);
    const begin = <i32>query.firstRow;
    const n = <i32>query.blocks;
    const row = <usize>begin << 3;
    const starts = <usize>plan.starts + row;
    const slopes = <usize>plan.slopes + row;
    const width = <usize>widthOf(n) << 1;
    let cells = <usize>query.cells;
    let places = <usize>query.places;
    let parallel = 0;
    let faster = 0;
    for (let i = 0; i < n; i++) {
      const slope = f64At(slopes, i);
      if (i >= faster) {
        parallel = i;
        for (faster = i + 1; faster < n && f64At(slopes, faster) == slope; ) faster++;
      }
      if (f64At(plan.gains, begin + i) == 0) continue;
      for (let b: usize = 0; b < CELLS_BYTES; b += 16) v128.store(cells + b, i64x2.splat(0));
      for (let k: usize = 0; k < width; k += 16) v128.store(places + k, i64x2.splat(-1));
      crossed = 0;
      cross(plan, starts, slopes, <usize>plan.falls + row, i, 0, parallel, 1, cells, odd, places);
      cross(plan, starts, slopes, <usize>plan.rises + row, i, faster, n, -1, cells, odd, places);
      take(plan, query, begin + i);
      store<i64>(cells, crossed, CELLS_BYTES);
      addBlock(true, plan, query, firstState(plan, begin + i), crossed, 0, cells, odd, values, most);
      cells += BLOCK_BYTES;
      places += width;
    }
  }
}

/**
 * The same within places low to high, in parts of 2^shift places, but that `values` has only changes. Returns how many
 * crossings these places have. After `coarse`; `cells` is scratch, a cell a part.
 */
export function closer(
  address: usize, first: i32, last: i32, low: i32, high: i32, shift: i32, cells: usize, values: usize, most: usize,
): i32 {
  const plan = changetype<Plan>(address);
  const parts = <usize>((high - low) >> shift);
  const runBegin = runFrom(low);
  const runLong = runLength(low, high);
  let count = 0;
  memory.fill(values, 0, (parts << 3) + 8);
  memory.fill(most, 0, parts << 3);
  memory.fill(cells, 0, parts << 3);
  for (let q = first; q < last; q++) {
    const query = changetype<Query>(<usize>plan.queries + <usize>q * QUERY_BYTES);
    if (isNaN(query.norm)) continue;
    const begin = <i32>query.firstRow;
    const n = <i32>query.blocks;
    const falls = <usize>plan.falls + (<usize>begin << 3);
    const rises = <usize>plan.rises + (<usize>begin << 3);
    const width = widthOf(n);
    let blocks = <usize>query.cells - BLOCK_BYTES;
    let places = <usize>query.places - (<usize>width << 1);
    for (let i = 0; i < n; i++) {
      if (f64At(plan.gains, begin + i) == 0) continue;
      blocks += BLOCK_BYTES;
      places += <usize>width << 1;
      let lower: i64 = 0;
      let upper: i64 = 0;
      for (let k = 0; k < width; k += <i32>PADDING) {
        for (let hits = within(places, k, runBegin, runLong); hits != 0; hits &= hits - 1) {
          const j = <usize>(k + ctz(hits));
          const part = (<i32>load<u16>(places + (j << 1)) - low) >> shift;
          const cell = cells + (<usize>part << 3);
          const bit = <i64>1 << (part & 63);
          lower |= part < 64 ? bit : 0;
          upper |= part < 64 ? 0 : bit;
          store<i64>(cell, load<i64>(cell) + load<i64>((<i32>j < i ? falls : rises) + (j << 3)));
          count++;
        }
      }
      if ((lower | upper) == 0) continue;
      take(plan, query, begin + i);
      const state = stateAt(plan, begin + i, i, blocks, falls, places, width, low);
      addBlock(false, plan, query, state, lower, upper, cells, 0, values, most);
    }
  }
  return count;
}

/**
 * Every change in places low to high, of queries first..last, one block after the other; returns how many there are,
 * or -1 where there is no room. After `coarse`.
 */
export function fine(address: usize, first: i32, last: i32, low: i32, high: i32, at: usize, changes: usize, room: i32): i32 {
  const plan = changetype<Plan>(address);
  const runBegin = runFrom(low);
  const runLong = runLength(low, high);
  let count = 0;
  for (let q = first; q < last; q++) {
    const query = changetype<Query>(<usize>plan.queries + <usize>q * QUERY_BYTES);
    if (isNaN(query.norm)) continue;
    const begin = <i32>query.firstRow;
    const n = <i32>query.blocks;
    const starts = <usize>plan.starts + (<usize>begin << 3);
    const slopes = <usize>plan.slopes + (<usize>begin << 3);
    const falls = <usize>plan.falls + (<usize>begin << 3);
    const width = widthOf(n);
    let blocks = <usize>query.cells - BLOCK_BYTES;
    let places = <usize>query.places - (<usize>width << 1);
    for (let i = 0; i < n; i++) {
      if (f64At(plan.gains, begin + i) == 0) continue;
      blocks += BLOCK_BYTES;
      places += <usize>width << 1;
      if (count + n > room) return -1;
      const from = count;
      const start = f64At(starts, i);
      const slope = f64At(slopes, i);
      for (let k = 0; k < width; k += <i32>PADDING) {
        for (let hits = within(places, k, runBegin, runLong); hits != 0; hits &= hits - 1) {
          const j = k + ctz(hits);
          const t = (f64At(starts, j) - start) / (slope - f64At(slopes, j));
          let place = count++;
          for (; place > from && f64At(at, place - 1) > t; place--) {
            store<f64>(at + (<usize>place << 3), f64At(at, place - 1));
            store<f64>(changes + (<usize>place << 3), f64At(changes, place - 1));
          }
          store<f64>(at + (<usize>place << 3), t);
          store<f64>(changes + (<usize>place << 3), <f64>j);
        }
      }
      if (count == from) continue;
      take(plan, query, begin + i);
      let state = stateAt(plan, begin + i, i, blocks, falls, places, width, low);
      let before = countsNow(plan, state);
      for (let k = from; k < count; k++) {
        state = passed(state, i, <i32>f64At(changes, k), falls);
        const next = countsNow(plan, state);
        store<f64>(changes + (<usize>k << 3), next - before);
        before = next;
      }
    }
  }
  return count;
}

@inline function countsNow(plan: Plan, state: i64): f64 {
  return size == 1
    ? counts(true, plan.precision != 0, scale, byRank, <i32>state, <i32>(state >> 32))
    : tiedCounts(plan.precision != 0, <i32>state, <i32>(state >> 32));
}
