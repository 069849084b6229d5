// Scores documents with an ensemble of trees, 128 at a time. The plan is made by src/kernels/trees-plan.ts, which says
// what each table holds; the reference is `scoreRow` of src/models/trees/trees.ts, and scores are equal to it to the
// bit.
//
// 1. Every feature value becomes its rank among the ensemble's thresholds of that feature: one byte in a column (or
//    several). Comparing ranks is comparing values, 16 documents an instruction, and missing values are ranks like any
//    other.
// 2. The upper nodes of a tree are all evaluated, without a branch (QuickScorer: Lucchese and others 2015; bytes across
//    documents: RapidScorer: Ye and others 2018). A node whose test holds rules out the leaves on one side of it, a
//    range of bits; the first bit left is the leaf. Bits are taken 8 at a time: a byte of 16 documents is a vector.
// 3. Where a tree goes on below, each document walks down from there, as many steps as the longest path needs.
//
// Each hot loop is a function of its own, so that its values stay in registers; exported, since the compiler would
// otherwise put functions with one caller back into it.

import {
  BASE_AT, BYTE_AT, Category, CATEGORY_BYTES, Column, COLUMN_BYTES, DOCUMENTS, Feature, FEATURE_BYTES, INDEX_AT, MISSING_AT, NODE_BYTES, OPEN_AT,
  RANKS_AT, Test, TEST_BYTES, Tree, TREE_BYTES,
} from './layouts/score-trees';

const COLUMN_SHIFT: usize = ctz(DOCUMENTS);
/** Sixteen documents. */
const VECTOR: usize = 16;

// ---- ranks

/** ranks[i] = how many thresholds are below values[i]; there are 2 half / 4 - 1 of them, padded with infinity. */
export function search(values: usize, end: usize, thresholds: usize, half: usize, ranks: usize): void {
  const below = thresholds - 4;
  for (; values < end; values += 16) {
    const x0 = load<f32>(values), x1 = load<f32>(values, 4), x2 = load<f32>(values, 8), x3 = load<f32>(values, 12);
    let a: usize = 0, b: usize = 0, c: usize = 0, d: usize = 0;
    for (let step = half; step >= 4; step >>= 1) {
      const at = below + step;
      a += step & -<usize>(x0 > load<f32>(at + a));
      b += step & -<usize>(x1 > load<f32>(at + b));
      c += step & -<usize>(x2 > load<f32>(at + c));
      d += step & -<usize>(x3 > load<f32>(at + d));
    }
    store<u32>(ranks, <u32>(a >> 2)); store<u32>(ranks, <u32>(b >> 2), 4);
    store<u32>(ranks, <u32>(c >> 2), 8); store<u32>(ranks, <u32>(d >> 2), 12);
    ranks += 16;
  }
}

/** As `search` for 16 documents, by comparing with every threshold. */
export function count(values: usize, thresholds: usize, end: usize, ranks: usize): void {
  const x0 = v128.load(values), x1 = v128.load(values, 16), x2 = v128.load(values, 32), x3 = v128.load(values, 48);
  let a = i32x4.splat(0), b = a, c = a, d = a;
  for (; thresholds < end; thresholds += 4) {
    const t = v128.load32_splat(thresholds);
    a = i32x4.sub(a, f32x4.gt(x0, t));
    b = i32x4.sub(b, f32x4.gt(x1, t));
    c = i32x4.sub(c, f32x4.gt(x2, t));
    d = i32x4.sub(d, f32x4.gt(x3, t));
  }
  v128.store(ranks, a); v128.store(ranks, b, 16); v128.store(ranks, c, 32); v128.store(ranks, d, 48);
}

@inline function isMissing(values: usize): v128 {
  const x = v128.load(values);
  return f32x4.ne(x, x);
}

/** 0xff for documents without a value. */
export function findMissing(values: usize, end: usize, missing: usize): void {
  for (; values < end; values += VECTOR << 2) {
    const low = i16x8.narrow_i32x4_s(isMissing(values), isMissing(values + 16));
    const high = i16x8.narrow_i32x4_s(isMissing(values + 32), isMissing(values + 48));
    v128.store(missing, i8x16.narrow_i16x8_s(low, high));
    missing += VECTOR;
  }
}

/** A column: the rank less `first` as a byte, held within 0 to 255; 255 where missing goes right; then `flip`ped. */
export function writeColumn(ranks: usize, end: usize, missing: usize, first: i32, right: i32, flip: i32, column: usize): void {
  const less = i32x4.splat(first);
  const whereMissing = i8x16.splat(<i8>right);
  const bits = i8x16.splat(<i8>flip);
  for (; ranks < end; ranks += VECTOR << 2) {
    const low = i16x8.narrow_i32x4_s(i32x4.sub(v128.load(ranks), less), i32x4.sub(v128.load(ranks, 16), less));
    const high = i16x8.narrow_i32x4_s(i32x4.sub(v128.load(ranks, 32), less), i32x4.sub(v128.load(ranks, 48), less));
    const rank = v128.or(i8x16.narrow_i16x8_u(low, high), v128.and(v128.load(missing), whereMissing));
    v128.store(column, v128.xor(rank, bits));
    missing += VECTOR;
    column += VECTOR;
  }
}

/** All columns of `n` documents, a multiple of 16; feature tables are 20 bytes, column tables 12. */
export function rankFeatures(features: usize, featuresEnd: usize, values: usize, n: usize, scratch: usize, columns: usize): void {
  const ranks = scratch + RANKS_AT;
  for (; features < featuresEnd; features += FEATURE_BYTES) {
    const feature = changetype<Feature>(features);
    const x = values + feature.values;
    const thresholds = <usize>feature.thresholds;
    const bytes = <usize>feature.thresholdBytes;
    if (bytes <= 256) {
      for (let i: usize = 0; i < n; i += VECTOR) count(x + (i << 2), thresholds, thresholds + bytes, ranks + (i << 2));
    } else search(x, x + (n << 2), thresholds, <usize>1 << (31 - clz(<u32>bytes)), ranks);
    findMissing(x, x + (n << 2), scratch + MISSING_AT);
    const tableEnd = <usize>feature.columnsEnd;
    for (let table = <usize>feature.columns; table < tableEnd; table += COLUMN_BYTES) {
      const own = changetype<Column>(table);
      writeColumn(ranks, ranks + (n << 2), scratch + MISSING_AT, own.first, own.right, own.flip, columns + own.place);
    }
  }
}

// ---- categories

/** rows[i] = where the table has the level of values[i]; behind the known levels come unknown ones, and missing. */
export function findLevels(values: usize, n: usize, levels: u32, table: usize, rowBytes: u32, rows: usize): void {
  for (let i: usize = 0; i < n << 2; i += 4) {
    const x = load<f32>(values + i);
    const level = x >= 0 && x < <f32>levels ? <u32>x : levels + u32(x != x);
    store<u32>(rows + i, table + level * rowBytes);
  }
}

/** The columns of a byte of sixteen documents' rows: -1, and 0 where the bit is set. */
export function writeBits(rows: usize, byte: usize, places: usize, end: usize, columns: usize): void {
  let bits = i8x16.splat(0);
  bits = i8x16.replace_lane(bits, 0, load<i8>(load<u32>(rows, 0) + byte));
  bits = i8x16.replace_lane(bits, 1, load<i8>(load<u32>(rows, 4) + byte));
  bits = i8x16.replace_lane(bits, 2, load<i8>(load<u32>(rows, 8) + byte));
  bits = i8x16.replace_lane(bits, 3, load<i8>(load<u32>(rows, 12) + byte));
  bits = i8x16.replace_lane(bits, 4, load<i8>(load<u32>(rows, 16) + byte));
  bits = i8x16.replace_lane(bits, 5, load<i8>(load<u32>(rows, 20) + byte));
  bits = i8x16.replace_lane(bits, 6, load<i8>(load<u32>(rows, 24) + byte));
  bits = i8x16.replace_lane(bits, 7, load<i8>(load<u32>(rows, 28) + byte));
  bits = i8x16.replace_lane(bits, 8, load<i8>(load<u32>(rows, 32) + byte));
  bits = i8x16.replace_lane(bits, 9, load<i8>(load<u32>(rows, 36) + byte));
  bits = i8x16.replace_lane(bits, 10, load<i8>(load<u32>(rows, 40) + byte));
  bits = i8x16.replace_lane(bits, 11, load<i8>(load<u32>(rows, 44) + byte));
  bits = i8x16.replace_lane(bits, 12, load<i8>(load<u32>(rows, 48) + byte));
  bits = i8x16.replace_lane(bits, 13, load<i8>(load<u32>(rows, 52) + byte));
  bits = i8x16.replace_lane(bits, 14, load<i8>(load<u32>(rows, 56) + byte));
  bits = i8x16.replace_lane(bits, 15, load<i8>(load<u32>(rows, 60) + byte));
  let bit = i8x16.splat(1);
  for (; places < end; places += 4) {
    v128.store(columns + load<u32>(places), i8x16.eq(v128.and(bits, bit), i8x16.splat(0)));
    bit = i8x16.shl(bit, 1);
  }
}

/** All columns of splits by category of `n` documents, a multiple of 16. */
export function placeCategories(category: usize, end: usize, values: usize, n: usize, scratch: usize, columns: usize): void {
  const rows = scratch + RANKS_AT;
  for (; category < end; category += CATEGORY_BYTES) {
    const own = changetype<Category>(category);
    findLevels(values + own.values, n, own.levels, own.table, own.rowBytes, rows);
    const places = <usize>own.places;
    const last = places + (<usize>own.columns << 2);
    for (let byte: usize = 0; byte < <usize>own.rowBytes; byte++) {
      const first = places + (byte << 5);
      const next = min(first + 32, last);
      for (let i: usize = 0; i < n; i += VECTOR) writeBits(rows + (i << 2), byte, first, next, columns + i);
    }
  }
}

// ---- the upper nodes

/** Takes in one byte of leaves, a bit each in `ruledOut`; the first byte with a leaf left is kept, and its place. */
@inline function settle(at: usize, ruledOut: v128): void {
  const open = v128.load(at, OPEN_AT);
  const still = v128.and(open, i8x16.eq(ruledOut, i8x16.splat(-1)));
  v128.store(at, v128.or(v128.load(at, BYTE_AT), v128.andnot(open, ruledOut)), BYTE_AT);
  v128.store(at, i8x16.add(v128.load(at, BASE_AT), v128.and(still, i8x16.splat(8))), BASE_AT);
  v128.store(at, still, OPEN_AT);
}

@inline function test(column: usize, threshold: v128, leaves: v128): v128 {
  return v128.and(leaves, i8x16.gt_s(v128.load(column), threshold));
}

/** One byte of leaves of 128 documents, from the tests that rule leaves out. */
export function byte128(record: usize, end: usize, columns: usize, scratch: usize): void {
  let a = i8x16.splat(0), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  for (; record < end; record += TEST_BYTES) {
    const t = v128.load32_splat(record), m = v128.load32_splat(record, offsetof<Test>('leaves'));
    const x = columns + changetype<Test>(record).column;
    a = v128.or(a, test(x, t, m)); b = v128.or(b, test(x + 16, t, m));
    c = v128.or(c, test(x + 32, t, m)); d = v128.or(d, test(x + 48, t, m));
    e = v128.or(e, test(x + 64, t, m)); f = v128.or(f, test(x + 80, t, m));
    g = v128.or(g, test(x + 96, t, m)); h = v128.or(h, test(x + 112, t, m));
  }
  settle(scratch, a); settle(scratch + 16, b); settle(scratch + 32, c); settle(scratch + 48, d);
  settle(scratch + 64, e); settle(scratch + 80, f); settle(scratch + 96, g); settle(scratch + 112, h);
}

export function byte32(record: usize, end: usize, columns: usize, scratch: usize): void {
  let a = i8x16.splat(0), b = a;
  for (; record < end; record += TEST_BYTES) {
    const t = v128.load32_splat(record), m = v128.load32_splat(record, offsetof<Test>('leaves'));
    const x = columns + changetype<Test>(record).column;
    a = v128.or(a, test(x, t, m)); b = v128.or(b, test(x + 16, t, m));
  }
  settle(scratch, a); settle(scratch + 16, b);
}

/** Leaf of each document: the place of its byte plus the place of the lowest bit in it. */
export function locate(scratch: usize, end: usize): void {
  for (; scratch < end; scratch += VECTOR) {
    const byte = v128.load(scratch, BYTE_AT);
    const below = v128.andnot(i8x16.sub(byte, i8x16.splat(1)), byte);
    v128.store(scratch, i8x16.add(v128.load(scratch, BASE_AT), i8x16.popcnt(below)), INDEX_AT);
  }
}

// ---- sums

@inline function add(sums: usize, value: usize): void {
  store<f64>(sums, load<f64>(sums) + load<f64>(value));
}

/** The sum rounded to float32: what adding in float32 gives, since float64 has more than twice its digits. */
@inline function addNarrow(sums: usize, value: usize): void {
  store<f64>(sums, <f64><f32>(load<f64>(sums) + load<f64>(value)));
}

@inline function at8(list: usize, index: usize): usize {
  return list + (<usize>load<u8>(index) << 3);
}

export function addLeaves(index: usize, end: usize, leafValues: usize, sums: usize): void {
  for (; index < end; index += 4) {
    add(sums, at8(leafValues, index)); add(sums + 8, at8(leafValues, index + 1));
    add(sums + 16, at8(leafValues, index + 2)); add(sums + 24, at8(leafValues, index + 3));
    sums += 32;
  }
}

export function addLeavesNarrow(index: usize, end: usize, leafValues: usize, sums: usize): void {
  for (; index < end; index++) {
    addNarrow(sums, at8(leafValues, index));
    sums += 8;
  }
}

/** From a node's place in bytes to its child's: the right one, 8 bytes on, where the rank is above the threshold. */
@inline function step(nodes: usize, node: usize, columns: usize): usize {
  const w = load<u64>(nodes + node); // a Node in one
  const right = load<i8>(columns + (<usize>(<u32>w >> 8) << COLUMN_SHIFT)) > <i8>w;
  return <usize>(w >> 32) + <usize>right * NODE_BYTES;
}

/** Four documents walk down; leaves lead to themselves, so that all take the same number of steps. */
export function walk(
  entries: usize, index: usize, nodes: usize, steps: i32, columns: usize, nodeValues: usize, sums: usize, narrow: bool,
): void {
  let a = <usize>load<u32>(entries + (<usize>load<u8>(index) << 2));
  let b = <usize>load<u32>(entries + (<usize>load<u8>(index, 1) << 2));
  let c = <usize>load<u32>(entries + (<usize>load<u8>(index, 2) << 2));
  let d = <usize>load<u32>(entries + (<usize>load<u8>(index, 3) << 2));
  for (; steps > 0; steps--) {
    a = step(nodes, a, columns);
    b = step(nodes, b, columns + 1);
    c = step(nodes, c, columns + 2);
    d = step(nodes, d, columns + 3);
  }
  if (narrow) {
    addNarrow(sums, nodeValues + a); addNarrow(sums + 8, nodeValues + b);
    addNarrow(sums + 16, nodeValues + c); addNarrow(sums + 24, nodeValues + d);
  } else {
    add(sums, nodeValues + a); add(sums + 8, nodeValues + b); add(sums + 16, nodeValues + c); add(sums + 24, nodeValues + d);
  }
}

// ---- blocks

/** Adds every tree's leaf value to the sums of n documents, a multiple of 16. */
export function addTrees(tree: usize, treesEnd: usize, n: usize, columns: usize, scratch: usize, sums: usize, narrow: bool): void {
  const few = n <= DOCUMENTS / 2;
  const index = scratch + INDEX_AT;
  for (; tree < treesEnd; tree += TREE_BYTES) {
    const own = changetype<Tree>(tree);
    let ends = <usize>own.byteEnds;
    const last = ends + (<usize>own.bytes << 2);
    const steps = own.steps;
    const leafValues = <usize>own.values;
    memory.fill(scratch + OPEN_AT, 0xff, DOCUMENTS);
    memory.fill(scratch + BYTE_AT, 0, 2 * DOCUMENTS);
    for (; ends < last; ends += 4) {
      const record = load<u32>(ends);
      const end = load<u32>(ends, 4);
      if (few) for (let i: usize = 0; i < n; i += 32) byte32(record, end, columns + i, scratch + i);
      else byte128(record, end, columns, scratch);
    }
    locate(scratch, scratch + n);
    if (steps == 0) {
      if (narrow) addLeavesNarrow(index, index + n, leafValues, sums);
      else addLeaves(index, index + n, leafValues, sums);
    } else {
      const entries = <usize>own.entries;
      const nodes = <usize>own.nodes;
      for (let i: usize = 0; i < n; i += 4) {
        walk(entries, index + i, nodes, steps, columns + i, leafValues, sums + (i << 3), narrow);
      }
    }
  }
}

function fillSums(sums: usize, n: usize, base: f64): void {
  for (let i: usize = 0; i < n; i++) store<f64>(sums + (i << 3), base);
}

/**
 * sums[i] = score of document i of n. Columns of values are `values` + the place in the feature's table; there must be
 * room for whole vectors of documents in them and in `sums`. Sums begin at the number at `base`; `narrow` rounds them
 * to float32.
 */
export function score(
  features: usize, featuresEnd: usize, categories: usize, categoriesEnd: usize, trees: usize, treesEnd: usize, base: usize, narrow: bool,
  values: usize, n: usize, columns: usize, scratch: usize, sums: usize,
): void {
  for (let from: usize = 0; from < n; from += DOCUMENTS) {
    const left = n - from;
    const documents = left < DOCUMENTS ? (left + VECTOR - 1) & ~(VECTOR - 1) : DOCUMENTS;
    rankFeatures(features, featuresEnd, values + (from << 2), documents, scratch, columns);
    placeCategories(categories, categoriesEnd, values + (from << 2), documents, scratch, columns);
    fillSums(sums + (from << 3), documents, load<f64>(base));
    addTrees(trees, treesEnd, documents, columns, scratch, sums + (from << 3), narrow);
  }
}

// ---- few documents

/** From a node's place in bytes to its child's. Leaves are marked in the lowest bit, and lead to themselves. */
@inline function descend(nodes: usize, node: usize, row: usize): usize {
  const at = nodes + (node & ~1);
  const feature = load<u32>(at);
  const value = load<f32>(row + <usize>(feature & ~3));
  const left = <u32>(value <= load<f32>(at, 4)) | (<u32>(value != value) & feature);
  return <usize>load<u32>(at + 12 - (<usize>left << 2));
}

@inline function leafValue(nodes: usize, leaf: usize, values: usize): f64 {
  return load<f64>(values + <usize>load<u32>(nodes + (leaf & ~1), 12));
}

/**
 * sums[i] = score of row i of n, `rowBytes` apart: four trees at a time, whose steps the processor takes side by side.
 * `roots` has the place of each tree's root.
 */
export function walkRows(
  roots: usize, rootsEnd: usize, nodes: usize, values: usize, row: usize, n: usize, rowBytes: usize, base: usize, narrow: bool,
  sums: usize,
): void {
  const fours = roots + ((rootsEnd - roots) & ~15);
  for (let i: usize = 0; i < n; i++, row += rowBytes) {
    let sum = load<f64>(base);
    let root = roots;
    for (; root < fours; root += 16) {
      let a: usize = load<u32>(root);
      let b: usize = load<u32>(root, 4);
      let c: usize = load<u32>(root, 8);
      let d: usize = load<u32>(root, 12);
      while ((a & b & c & d & 1) == 0) {
        a = descend(nodes, a, row);
        b = descend(nodes, b, row);
        c = descend(nodes, c, row);
        d = descend(nodes, d, row);
      }
      if (narrow) {
        sum = <f64><f32>(sum + leafValue(nodes, a, values));
        sum = <f64><f32>(sum + leafValue(nodes, b, values));
        sum = <f64><f32>(sum + leafValue(nodes, c, values));
        sum = <f64><f32>(sum + leafValue(nodes, d, values));
      } else sum = sum + leafValue(nodes, a, values) + leafValue(nodes, b, values) + leafValue(nodes, c, values) + leafValue(nodes, d, values);
    }
    for (; root < rootsEnd; root += 4) {
      let a: usize = load<u32>(root);
      while ((a & 1) == 0) a = descend(nodes, a, row);
      sum += leafValue(nodes, a, values);
      if (narrow) sum = <f64><f32>sum;
    }
    store<f64>(sums + (i << 3), sum);
  }
}

/** Rows of `width` values into columns `stride` bytes apart. */
export function transpose(rows: usize, n: usize, width: usize, columns: usize, stride: usize): void {
  for (let i: usize = 0; i < n; i++) {
    let to = columns + (i << 2);
    for (let f: usize = 0; f < width; f++) {
      store<f32>(to, load<f32>(rows));
      rows += 4;
      to += stride;
    }
  }
}
