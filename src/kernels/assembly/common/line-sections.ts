// How high a unit can get within wide sections of a line: each of its documents with the fewest partners above it that
// it has anywhere in the section. What helps comes first, as in the bounds of buckets (line-walk.ts), but nothing is
// put in order: for all sections side by side, from how many partners cross in each.
//
// Every document has a row with a key for each section: twice the partners above it, and a flag that puts documents of
// a block behind others with as many (before them where discounts are summed up). Rows are sorted section by section,
// all in the same steps, by Batcher's merge exchange. The k-th key then says what a document counts: the table of
// worths has the discount of its rank, and 0 for documents of blocks, whose mean is added after.

import { Element, LINEAR, CUT_PRECISION, Plan, Slice, Unit } from '../layouts/line-buckets';
import { elementOf } from './line-units';
import { meanOf } from './line-walk';

/** Twice as many, and a flag, are still 16 bits. */
const MOST_PARTNERS: u32 = 32766;
/** Keys of a vector. */
const KEYS: i32 = 8;

/** In place: `memory.fill` is a call out of the kernel, which for so few bytes takes longer. */
@inline function clear(from: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) v128.store(from + at, i16x8.splat(0));
}

@inline function countOne(count: usize): void {
  store<u16>(count, load<u16>(count) + 1);
}

/**
 * Counts places from..to by section, four at a time, every second one in `others`: a count is not read just after it
 * was written.
 */
@inline function tally(from: usize, to: usize, shift: usize, counts: usize, others: usize): void {
  let at = from;
  // Twice the section of a place, its address, is what these bits are, one less to the right than the section.
  const right = <u64>shift - 1;
  const mask = <u64>(others - counts) - 2;
  for (; at + 6 < to; at += 8) {
    const four = load<u64>(at);
    countOne(counts + <usize>((four >> right) & mask));
    countOne(others + <usize>((four >> (right + 16)) & mask));
    countOne(counts + <usize>((four >> (right + 32)) & mask));
    countOne(others + <usize>((four >> (right + 48)) & mask));
  }
  for (; at < to; at += 2) countOne(counts + ((<usize>load<u16>(at) >> <usize>right) & <usize>mask));
}

/**
 * Partners above an element where each section begins, and the fewest anywhere in it, from how many it overtakes and is
 * overtaken by there.
 */
@inline function countAbove(element: Element, tallies: usize, bytes: usize, first: usize, fewest: usize): void {
  const falls = tallies;
  const otherFalls = falls + bytes;
  const rises = otherFalls + bytes;
  const otherRises = rises + bytes;
  const none = i16x8.splat(0);
  let before = i16x8.splat(<i16>element.above);
  for (let at: usize = 0; at < bytes; at += 16) {
    const up = i16x8.add(v128.load(rises + at), v128.load(otherRises + at));
    const more = i16x8.sub(up, i16x8.add(v128.load(falls + at), v128.load(otherFalls + at)));
    let sums = i16x8.add(more, v128.shuffle<i16>(none, more, 7, 8, 9, 10, 11, 12, 13, 14));
    sums = i16x8.add(sums, v128.shuffle<i16>(none, sums, 6, 7, 8, 9, 10, 11, 12, 13));
    sums = i16x8.add(sums, v128.shuffle<i16>(none, sums, 4, 5, 6, 7, 8, 9, 10, 11));
    sums = i16x8.add(sums, before);
    before = v128.shuffle<i16>(sums, sums, 7, 7, 7, 7, 7, 7, 7, 7);
    v128.store(first + at, i16x8.sub(sums, more));
    v128.store(fewest + at, i16x8.sub(sums, up));
  }
}

/** Writes the keys of as many documents as the element has; returns where the next begin. */
@inline function writeKeys(unit: Unit, element: Element, fewest: usize, bytes: usize, rows: usize): usize {
  const isLinear = unit.form == LINEAR;
  const isBlock = element.others > 0;
  const more = i16x8.splat(<i16>(isLinear ? element.others << 1 : 0) + <i16>(isBlock != isLinear));
  let row = rows;
  for (let k: u32 = 0; k < element.size; k++, row += bytes) {
    for (let at: usize = 0; at < bytes; at += 16) {
      v128.store(row + at, i16x8.add(i16x8.shl(v128.load(fewest + at), 1), more));
    }
  }
  return row;
}

@inline function exchangeVectors(upper: usize, lower: usize): void {
  const a = v128.load(upper);
  const b = v128.load(lower);
  const c = v128.load(upper, 16);
  const d = v128.load(lower, 16);
  v128.store(upper, i16x8.min_u(a, b));
  v128.store(lower, i16x8.max_u(a, b));
  v128.store(upper, i16x8.min_u(c, d), 16);
  v128.store(lower, i16x8.max_u(c, d), 16);
}

/** Exchanges the sections of each row of a run with those of the row so many bytes behind it: 32 sections at a time. */
function exchangeRows(from: usize, to: usize, behind: usize): void {
  for (let at = from; at < to; at += 64) {
    exchangeVectors(at, at + behind);
    exchangeVectors(at + 32, at + 32 + behind);
  }
}

/** Sorts n rows, each section for itself. */
function sortKeys(rows: usize, n: i32, bytes: usize): void {
  if (n < 2) return;
  const top = 1 << (31 - clz(n - 1));
  for (let p = top; p > 0; p >>= 1) {
    for (let q = top, r = 0, d = p; ; d = q - p, q >>= 1, r = p) {
      // Rows whose number has bit p as in r: runs of p side by side.
      for (let i = r; i < n - d; i += p << 1) {
        exchangeRows(rows + <usize>i * bytes, rows + <usize>min(i + p, n - d) * bytes, <usize>d * bytes);
      }
      if (q == p) break;
    }
  }
}

@inline function worth(at: usize, key: u16): f64 {
  return load<f64>(at + (<usize>key << 3));
}

@inline function addTo(sums: usize, section: i32, value: f64): void {
  const sum = sums + (<usize>section << 3);
  store<f64>(sum, load<f64>(sum) + value);
}

/** Adds what the documents outside of blocks count. */
@inline function addWorths(precision: bool, unit: Unit, rows: usize, n: i32, bytes: usize, sums: usize): void {
  for (let at: usize = 0, s = 0; at < bytes; at += 16, s += KEYS) {
    let a: f64 = 0, b: f64 = 0, c: f64 = 0, d: f64 = 0, e: f64 = 0, f: f64 = 0, g: f64 = 0, h: f64 = 0;
    let row = rows + at;
    let worths = <usize>unit.worths;
    for (let k = 1; k <= n; k++, row += bytes) {
      worths += 16;
      const keys = v128.load(row);
      const times: f64 = precision ? <f64>k : 1;
      a += times * worth(worths, i16x8.extract_lane_u(keys, 0));
      b += times * worth(worths, i16x8.extract_lane_u(keys, 1));
      c += times * worth(worths, i16x8.extract_lane_u(keys, 2));
      d += times * worth(worths, i16x8.extract_lane_u(keys, 3));
      e += times * worth(worths, i16x8.extract_lane_u(keys, 4));
      f += times * worth(worths, i16x8.extract_lane_u(keys, 5));
      g += times * worth(worths, i16x8.extract_lane_u(keys, 6));
      h += times * worth(worths, i16x8.extract_lane_u(keys, 7));
    }
    addTo(sums, s, unit.scale * a);
    addTo(sums, s + 1, unit.scale * b);
    addTo(sums, s + 2, unit.scale * c);
    addTo(sums, s + 3, unit.scale * d);
    addTo(sums, s + 4, unit.scale * e);
    addTo(sums, s + 5, unit.scale * f);
    addTo(sums, s + 6, unit.scale * g);
    addTo(sums, s + 7, unit.scale * h);
  }
}

function addDiscounts(unit: Unit, rows: usize, n: i32, bytes: usize, sums: usize): void {
  addWorths(false, unit, rows, n, bytes, sums);
}

function addPrecisions(unit: Unit, rows: usize, n: i32, bytes: usize, sums: usize): void {
  addWorths(true, unit, rows, n, bytes, sums);
}

/** Adds the means of a block, given the fewest partners above it by section, which the numbers before it replace. */
function addBlock(
  unit: Unit, element: Element, fewest: usize, rows: usize, n: i32, bytes: usize, sums: usize, numbers: usize,
): void {
  const isLinear = unit.form == LINEAR;
  // Documents with at most so many partners more than the block are before it.
  const within = i16x8.splat(<i16>(isLinear ? 1 : (element.others << 1) - 1));
  for (let at: usize = 0; at < bytes; at += 16) {
    const last = i16x8.add(i16x8.shl(v128.load(fewest + at), 1), within);
    let count = i16x8.splat(0);
    for (let k = 0, row = rows + at; k < n; k++, row += bytes) {
      count = i16x8.sub(count, i16x8.le_u(v128.load(row), last));
    }
    v128.store(numbers + at, count);
  }
  const own = isLinear ? 0 : <i32>element.size;
  for (let at: usize = 0, s = 0; at < bytes; at += 2, s++) {
    const most = <i32>load<u16>(numbers + at) - own;
    addTo(sums, s, meanOf(unit, element.size, element.others, most, <i32>load<u16>(fewest + at) + most));
  }
}

/** Adds how high a unit can get, whose elements and places are known, to the sections of its slice. */
export function addSections(plan: Plan, slice: Slice, unit: Unit): void {
  const sums = <usize>slice.sections;
  const sections = <i32>plan.sections;
  const bytes = <usize>sections << 1;
  const shift = <usize>plan.sectionShift;
  const rows = <usize>slice.keys;
  const tallies = <usize>slice.tallies;
  const rises = tallies + (bytes << 1);
  const firstFewest = tallies + (bytes << 2);
  // One row for each block, after one for elements outside.
  let fewest = firstFewest;
  let row = rows;
  let n = 0;
  for (let e = 0; e < <i32>unit.elementCount; e++) {
    const element = elementOf(unit, e);
    const places = <usize>unit.places + <usize>e * <usize>unit.rowBytes;
    clear(tallies, bytes << 2);
    tally(places, places + (<usize>element.falls << 1), shift, tallies, tallies + bytes);
    const rising = places + (<usize>element.rises << 1);
    tally(rising, places + (<usize>unit.partners << 1), shift, rises, rises + bytes);
    countAbove(element, tallies, bytes, <usize>unit.aboves + <usize>e * bytes, fewest);
    row = writeKeys(unit, element, fewest, bytes, row);
    n += <i32>element.size;
    if (element.others > 0) fewest += bytes;
  }
  if (unit.partners > MOST_PARTNERS || (unit.form == CUT_PRECISION && unit.blockCount > 0)) {
    for (let s = 0; s < sections; s++) addTo(sums, s, unit.highest);
    return;
  }
  sortKeys(rows, n, bytes);
  if (unit.form == LINEAR) addDiscounts(unit, rows, n, bytes, sums);
  else addPrecisions(unit, rows, n, bytes, sums);
  if (unit.blockCount == 0) return;
  fewest = firstFewest;
  for (let e = 0; e < <i32>unit.elementCount; e++) {
    const element = elementOf(unit, e);
    if (element.others == 0) continue;
    addBlock(unit, element, fewest, rows, n, bytes, sums, tallies);
    fewest += bytes;
  }
}
