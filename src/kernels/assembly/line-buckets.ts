// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Queries along a line of scores, for measures that follow from how many documents are above each: first what they are
// where buckets of the line begin, and how high they can be within each; then, of a few buckets, every change. The
// reference is src/lines/counted-sweep.ts.
//
// A block is what documents of equal lines are together. Blocks are in the order below every crossing, by rising slope:
// each overtakes blocks above it, and is overtaken by blocks below it. A cell holds what crosses a block in a bucket,
// as four numbers of 16 bits: documents that it overtakes, documents that overtake it, and the same for gains.

import { BUCKETS, NO_BUCKET, PADDING, Plan, Query, QUERY_BYTES } from './layouts/line-buckets';

const CELLS_BYTES: usize = BUCKETS << 3;
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

/** Rows in the order below every crossing; of equal lines those of small gains first. */
function sortRows(plan: Plan, first: i32, n: i32): usize {
  const own = <usize>first << 2;
  let from = <usize>plan.order + own;
  let to = <usize>plan.scratch + own;
  for (let i = 0; i < n; i++) {
    let j = i;
    for (const least = i - i % RUN; j > least && before(plan, first + i, i32At(from, j - 1)); j--) {
      store<i32>(from + (<usize>j << 2), i32At(from, j - 1));
    }
    store<i32>(from + (<usize>j << 2), first + i);
  }
  for (let width = RUN; width < n; width <<= 1) {
    for (let begin = 0; begin < n; begin += width << 1) {
      const middle = min(begin + width, n);
      const end = min(begin + (width << 1), n);
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
  return from;
}

/** The blocks of a query, in order. */
function findBlocks(plan: Plan, query: Query): void {
  const first = <i32>query.firstRow;
  const n = <i32>query.rows;
  const order = sortRows(plan, first, n);
  let blocks = 0;
  let gainAbove = 0;
  for (let r = 0; r < n; ) {
    const row = i32At(order, r);
    const start = f64At(plan.start, row);
    const slope = f64At(plan.slope, row);
    let gain: f64 = 0;
    const rank = r;
    do gain += f64At(plan.gain, i32At(order, r++));
    while (r < n && f64At(plan.start, i32At(order, r)) == start && f64At(plan.slope, i32At(order, r)) == slope);
    const size = r - rank;
    const counted = plan.precision ? <i32>gain : 0;
    const block = <usize>(first + blocks);
    store<f64>(<usize>plan.starts + (block << 3), start);
    store<f64>(<usize>plan.slopes + (block << 3), slope);
    store<f64>(<usize>plan.gains + (block << 3), gain);
    store<i32>(<usize>plan.sizes + (block << 2), size);
    store<i32>(<usize>plan.above + (block << 2), rank);
    store<i32>(<usize>plan.gainAbove + (block << 2), gainAbove);
    const own = <i64>size | (<i64>counted << 32);
    store<i64>(<usize>plan.falls + (block << 3), own);
    store<i64>(<usize>plan.rises + (block << 3), own << 16);
    gainAbove += counted;
    blocks++;
  }
  query.blocks = blocks;
}

/** What a block counts at a rank, below so many gains; `scale` is its mean gain times the norm. */
@inline function counts(plan: Plan, query: Query, block: i32, scale: f64, rank: i32, gains: i32): f64 {
  const size = i32At(plan.sizes, block);
  if (size == 1) {
    const discount = scale * f64At(plan.byRank, <i32>query.table + rank);
    return plan.precision ? <f64>(gains + 1) * discount : discount;
  }
  return tiedCounts(plan, query, block, size, scale, rank, gains);
}

function tiedCounts(plan: Plan, query: Query, block: i32, size: i32, scale: f64, rank: i32, gains: i32): f64 {
  const from = <i32>query.table + rank;
  const discount = f64At(plan.discounts, from + size) - f64At(plan.discounts, from);
  if (!plan.precision) return scale * discount;
  const share = (f64At(plan.gains, block) - 1) / <f64>(size - 1);
  const moment = f64At(plan.moments, from + size) - f64At(plan.moments, from) - <f64>rank * discount;
  return scale * (<f64>(gains + 1) * discount + share * moment);
}

@inline function placed(cells: usize, bytes: usize, j: i32, bucket: i32, weight: i64): void {
  const cell = cells + (<usize>bucket << 3);
  store<i64>(cell, load<i64>(cell) + weight);
  store<u8>(bytes + j, bucket);
}

/** Crossings of block i with blocks from..to, all above it (sign 1) or all below it (sign -1). */
@inline function cross(
  plan: Plan, starts: usize, slopes: usize, weights: usize, i: i32, from: i32, to: i32, sign: f64, cells: usize, bytes: usize,
): void {
  const start = f64x2.splat(f64At(starts, i));
  const slope = f64x2.splat(f64At(slopes, i));
  const span = f64x2.splat(-sign * plan.span);
  const shift = f64x2.splat(plan.shift);
  const stretch = f64x2.splat(plan.stretch);
  for (let j = from; j < to; j += 2) {
    const at = <usize>j << 3;
    const x = f64x2.sub(v128.load(starts + at), start);
    const y = f64x2.mul(f64x2.sub(v128.load(slopes + at), slope), span);
    const t = f64x2.div(sign > 0 ? x : f64x2.neg(x), f64x2.add(y, f64x2.abs(x)));
    const bucket = i32x4.trunc_sat_f64x2_s_zero(f64x2.mul(f64x2.add(t, shift), stretch));
    placed(cells, bytes, j, i32x4.extract_lane(bucket, 0), load<i64>(weights + at));
    if (j + 1 < to) placed(cells, bytes, j + 1, i32x4.extract_lane(bucket, 1), load<i64>(weights + at + 8));
  }
}

/** Adds to `values` the change at the end of each bucket, to `most` what is highest in it above its beginning. */
@inline function addCells(plan: Plan, query: Query, block: i32, scale: f64, cells: usize, values: usize, most: usize): void {
  let rank = i32At(plan.above, block);
  let gains = i32At(plan.gainAbove, block);
  let now = counts(plan, query, block, scale, rank, gains);
  store<f64>(values, load<f64>(values) + now);
  const tight = query.tight != 0;
  for (let b: usize = 0; b < BUCKETS << 3; b += 8) {
    const cell = load<i64>(cells + b);
    if (cell == 0) continue;
    const falls = <i32>(cell & 0xffff);
    const rises = <i32>((cell >> 16) & 0xffff);
    const gainFalls = <i32>((cell >> 32) & 0xffff);
    const gainRises = <i32>((cell >> 48) & 0xffff);
    const highest = rank - falls + (tight ? gainRises + gainFalls : 0);
    const bound = counts(plan, query, block, scale, highest, gains + gainRises);
    store<f64>(most + b, load<f64>(most + b) + (bound - now));
    rank += rises - falls;
    gains += gainRises - gainFalls;
    const next = counts(plan, query, block, scale, rank, gains);
    store<f64>(values + b + 8, load<f64>(values + b + 8) + (next - now));
    now = next;
  }
}

/**
 * Queries first..last: `values` is their sum below every crossing, then the change to the beginning of each bucket,
 * then to the end; `most` is, by bucket, by how much it may be higher within than at its beginning.
 */
export function coarse(address: usize, first: i32, last: i32, values: usize, most: usize): void {
  const plan = changetype<Plan>(address);
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
    const falls = <usize>plan.falls + row;
    const rises = <usize>plan.rises + row;
    const width = (<usize>n + PADDING - 1) & ~(PADDING - 1);
    let cells = <usize>query.cells;
    let bytes = <usize>query.buckets;
    let parallel = 0;
    let faster = 0;
    for (let i = 0; i < n; i++) {
      const slope = f64At(slopes, i);
      if (i >= faster) {
        parallel = i;
        for (faster = i + 1; faster < n && f64At(slopes, faster) == slope; ) faster++;
      }
      const gain = f64At(plan.gains, begin + i);
      if (gain == 0) continue;
      memory.fill(cells, 0, CELLS_BYTES);
      memory.fill(bytes, <u8>NO_BUCKET, width);
      cross(plan, starts, slopes, falls, i, 0, parallel, 1, cells, bytes);
      cross(plan, starts, slopes, rises, i, faster, n, -1, cells, bytes);
      const scale = (query.norm * gain) / <f64>i32At(plan.sizes, begin + i);
      addCells(plan, query, begin + i, scale, cells, values, most);
      cells += CELLS_BYTES;
      bytes += width;
    }
  }
}

/** The cells of buckets before one, in all. */
@inline function sumCells(cells: usize, bucket: i32): i64 {
  let sum: i64 = 0;
  for (let b: usize = 0, end = <usize>bucket << 3; b < end; b += 8) sum += load<i64>(cells + b);
  return sum;
}

/**
 * Every change in buckets low to high, of queries first..last, one block after the other; returns how many there are,
 * or -1 where there is no room. After `coarse`.
 */
export function fine(address: usize, first: i32, last: i32, low: i32, high: i32, at: usize, changes: usize, room: i32): i32 {
  const plan = changetype<Plan>(address);
  let count = 0;
  for (let q = first; q < last; q++) {
    const query = changetype<Query>(<usize>plan.queries + <usize>q * QUERY_BYTES);
    if (isNaN(query.norm)) continue;
    const begin = <i32>query.firstRow;
    const n = <i32>query.blocks;
    const starts = <usize>plan.starts + (<usize>begin << 3);
    const slopes = <usize>plan.slopes + (<usize>begin << 3);
    const falls = <usize>plan.falls + (<usize>begin << 3);
    const width = (n + <i32>PADDING - 1) & ~(<i32>PADDING - 1);
    let cells = <usize>query.cells;
    let bytes = <usize>query.buckets;
    if (count + n > room) return -1;
    for (let i = 0; i < n; i++) {
      const gain = f64At(plan.gains, begin + i);
      if (gain == 0) continue;
      const from = count;
      const start = f64At(starts, i);
      const slope = f64At(slopes, i);
      if (count + n > room) return -1;
      for (let k = 0; k < width; k += 16) {
        const apart = i8x16.sub(v128.load(bytes + k), i8x16.splat(<i8>low));
        for (let hits = i8x16.bitmask(i8x16.lt_u(apart, i8x16.splat(<i8>(high - low)))); hits != 0; hits &= hits - 1) {
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
      if (count > from) {
        const cell = sumCells(cells, low);
        let rank = i32At(plan.above, begin + i) + <i32>((cell >> 16) & 0xffff) - <i32>(cell & 0xffff);
        let gains = i32At(plan.gainAbove, begin + i) + <i32>((cell >> 48) & 0xffff) - <i32>((cell >> 32) & 0xffff);
        const scale = (query.norm * gain) / <f64>i32At(plan.sizes, begin + i);
        let now = counts(plan, query, begin + i, scale, rank, gains);
        for (let k = from; k < count; k++) {
          const j = <i32>f64At(changes, k);
          const weight = load<i64>(falls + (<usize>j << 3));
          const sign = j < i ? -1 : 1;
          rank += sign * <i32>(weight & 0xffff);
          gains += sign * <i32>(weight >> 32);
          const next = counts(plan, query, begin + i, scale, rank, gains);
          store<f64>(changes + (<usize>k << 3), next - now);
          now = next;
        }
      }
      cells += CELLS_BYTES;
      bytes += width;
    }
  }
  return count;
}
