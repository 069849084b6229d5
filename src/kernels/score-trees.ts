/**
 * Scores documents with an ensemble of trees, equal to the bit to adding up leaf values in float64 in the order of the
 * trees. Has a memory of its own that is laid out once; scoring allocates nothing in it. Not shared: each thread has
 * one.
 */
import { InlinedKernel } from './inlined.js';
import { base64 } from './score-trees-bytes.js';
import { isZero, type PlannedTree, planTrees, type TreeArrays, type TreesPlan } from './trees-plan.js';

/** Where it cannot be had, trees are walked in plain JavaScript (models/trees/score-trees.reference.ts). */
export const treesKernel = new InlinedKernel(base64);

interface Exports extends WebAssembly.Exports {
  score(
    features: number,
    featuresEnd: number,
    trees: number,
    treesEnd: number,
    base: number,
    narrow: number,
    values: number,
    n: number,
    columns: number,
    scratch: number,
    sums: number,
  ): void;
  transpose(rows: number, n: number, width: number, columns: number, stride: number): void;
}

/**
 * Documents that are copied into the memory at a time: few enough for a core's own cache, enough to copy long pieces.
 */
const CHUNK = 1024;
/** Documents of the kernel's block: the bytes of a column. */
const BLOCK = 128;
const SCRATCH_BYTES = 5 * BLOCK + 4 * BLOCK;
/** A stride that is no power of two spreads columns over the cache. */
const STRIDE = CHUNK + 16;
const PAGE = 65536;

const FEATURE_BYTES = 20;
const COLUMN_BYTES = 12;
const TREE_BYTES = 24;
const TEST_BYTES = 12;
const NODE_BYTES = 8;

/** Columns of float32: feature f of document i is at data[f * stride + i]. */
export interface ColumnBlock {
  readonly rows: number;
  readonly stride: number;
  readonly data: Float32Array;
}

export class TreesKernel {
  readonly #width: number;
  readonly #narrow: number;
  readonly #kernel: Exports;
  /** Features that trees use, in the order of their columns of values. */
  readonly #used: Int32Array;
  /** Those of them whose zeros are missing: copies, `width` behind the features themselves. */
  readonly #withoutZeros: Int32Array;
  readonly #at: Addresses;
  readonly #values: Float32Array;
  readonly #rows: Float32Array;
  readonly #sums: Float64Array;

  /** `width` is how many features a document has, used or not; `narrow` rounds the sum to float32 after every tree. */
  constructor(trees: readonly TreeArrays[], width: number, base: number, narrow = false) {
    const plan = planTrees(trees, width);
    this.#width = width;
    this.#narrow = narrow ? 1 : 0;
    this.#used = Int32Array.from(plan.features, ({ feature }) => feature);
    this.#withoutZeros = this.#used.filter(feature => feature >= width);
    const columns = Math.max(width, 1 + (this.#used.at(-1) ?? 0));
    this.#at = addresses(plan, width, columns);
    const memory = new WebAssembly.Memory({ initial: Math.ceil(this.#at.end / PAGE) });
    this.#values = new Float32Array(memory.buffer, this.#at.values, STRIDE * columns);
    this.#rows = new Float32Array(memory.buffer, this.#at.rows, CHUNK * width);
    this.#sums = new Float64Array(memory.buffer, this.#at.sums, CHUNK);
    this.#kernel = treesKernel.over<Exports>(memory);
    write(plan, this.#at, memory.buffer);
    new Float64Array(memory.buffer)[this.#at.base / 8] = base;
  }

  /** Scores of a block's documents; feature f is column columns[f], or `absent` throughout where that is -1. */
  scoreBlock(block: ColumnBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    for (let from = 0; from < block.rows; from += CHUNK) {
      const n = Math.min(CHUNK, block.rows - from);
      for (const feature of this.#used) {
        const column = columns[feature < this.#width ? feature : feature - this.#width]!;
        const to = STRIDE * feature;
        if (column < 0) this.#values.fill(absent, to, to + n);
        else {
          const start = column * block.stride + from;
          this.#values.set(block.data.subarray(start, start + n), to);
        }
      }
      for (const feature of this.#withoutZeros) blankZeros(this.#values, STRIDE * feature, n);
      this.#score(n);
      out.set(n === CHUNK ? this.#sums : this.#sums.subarray(0, n), from);
    }
  }

  /** Scores of n documents given row by row. Up to 1024 that fill `rows` need no allocation at all. */
  scoreRows(rows: Float32Array, n: number, out: Float64Array): void {
    const width = this.#width;
    for (let from = 0; from < n; from += CHUNK) {
      const count = Math.min(CHUNK, n - from);
      const whole = count === n && rows.length === n * width;
      this.#rows.set(whole ? rows : rows.subarray(from * width, (from + count) * width));
      this.#kernel.transpose(this.#at.rows, count, width, this.#at.values, 4 * STRIDE);
      for (let i = 0; i < this.#withoutZeros.length; i++) {
        const feature = this.#withoutZeros[i]!;
        const start = STRIDE * (feature - width);
        this.#values.copyWithin(STRIDE * feature, start, start + count);
        blankZeros(this.#values, STRIDE * feature, count);
      }
      this.#score(count);
      for (let i = 0; i < count; i++) out[from + i] = this.#sums[i]!;
    }
  }

  #score(n: number): void {
    const at = this.#at;
    this.#kernel.score(
      at.features,
      at.columnTables,
      at.trees,
      at.byteEnds,
      at.base,
      this.#narrow,
      at.values,
      n,
      at.columns,
      at.scratch,
      at.sums,
    );
  }
}

function blankZeros(values: Float32Array, from: number, n: number): void {
  for (let i = from; i < from + n; i++) if (isZero(values[i]!)) values[i] = Number.NaN;
}

/** Regions of the memory, one after another, by their first bytes. */
interface Addresses {
  /** What sums begin at: in memory, since a number among the arguments of each call can cost an object. */
  base: number;
  sums: number;
  leafValues: number;
  nodes: number;
  columns: number;
  scratch: number;
  values: number;
  rows: number;
  features: number;
  /** Also the end of `features`. */
  columnTables: number;
  trees: number;
  /** Also the end of `trees`. */
  byteEnds: number;
  tests: number;
  entries: number;
  thresholds: number;
  end: number;
}

function addresses(plan: TreesPlan, width: number, columns: number): Addresses {
  let next = 64;
  const room = (bytes: number, align = 16) => {
    next = Math.ceil(next / align) * align;
    const at = next;
    next += bytes;
    return at;
  };
  const total = (of: (tree: PlannedTree) => number) => plan.trees.reduce((sum, tree) => sum + of(tree), 0);
  const sum = (of: (tree: PlannedTree) => number, each: number) => each * total(of);
  return {
    base: room(8),
    sums: room(8 * CHUNK),
    leafValues: room(sum(valuesOf, 8)),
    nodes: room(sum(tree => tree.nodes.length, NODE_BYTES)),
    columns: room(BLOCK * plan.columns, 64),
    scratch: room(SCRATCH_BYTES, 64),
    values: room(4 * STRIDE * columns, 64),
    rows: room(4 * CHUNK * width),
    features: room(FEATURE_BYTES * plan.features.length),
    columnTables: room(COLUMN_BYTES * plan.columns, 4),
    trees: room(TREE_BYTES * plan.trees.length),
    byteEnds: room(4 + sum(tree => tree.tests.length, 4), 4),
    tests: room(
      sum(tree => tree.tests.reduce((n, byte) => n + byte.length, 0), TEST_BYTES),
      4,
    ),
    entries: room(
      sum(tree => tree.entries.length, 4),
      4,
    ),
    thresholds: room(plan.features.reduce((n, { thresholds }) => n + 4 * padded(thresholds.length), 0)),
    end: room(0),
  };
}

/** A value a leaf, or a node where documents walk. */
function valuesOf(tree: PlannedTree): number {
  return tree.steps === 0 ? tree.values.length : tree.nodes.length;
}

/** Thresholds are searched by halving: 2^k - 1 of them. */
function padded(thresholds: number): number {
  return 2 ** Math.ceil(Math.log2(thresholds + 1)) - 1;
}

function write(plan: TreesPlan, at: Addresses, buffer: ArrayBuffer): void {
  const words = new Uint32Array(buffer);
  const floats = new Float32Array(buffer);
  const doubles = new Float64Array(buffer);
  writeFeatures(plan, at, words, floats);
  let tree = at.trees / 4;
  let byteEnd = at.byteEnds / 4;
  let test = at.tests / 4;
  let leafValue = at.leafValues / 8;
  let entry = at.entries / 4;
  let node = at.nodes / 4;
  words[byteEnd] = 4 * test;
  for (const planned of plan.trees) {
    words.set([4 * byteEnd, planned.tests.length, planned.steps, 8 * leafValue, 4 * entry, 4 * node], tree);
    tree += TREE_BYTES / 4;
    for (const byte of planned.tests) {
      for (const { threshold, leaves, column } of byte) {
        words[test++] = fourTimes(threshold);
        words[test++] = fourTimes(leaves);
        words[test++] = BLOCK * column;
      }
      words[++byteEnd] = 4 * test;
    }
    for (const value of planned.values) doubles[leafValue++] = value;
    for (const start of planned.entries) words[entry++] = NODE_BYTES * start;
    for (const { column, threshold, left, value } of planned.nodes) {
      words[node++] = (column << 8) | (threshold & 0xff);
      words[node++] = NODE_BYTES * left;
      doubles[leafValue++] = value;
    }
  }
}

function writeFeatures(plan: TreesPlan, at: Addresses, words: Uint32Array, floats: Float32Array): void {
  let feature = at.features / 4;
  let column = at.columnTables / 4;
  let threshold = at.thresholds / 4;
  for (const { feature: number, thresholds, columns } of plan.features) {
    const columnsEnd = 4 * column + COLUMN_BYTES * columns.length;
    words.set([4 * STRIDE * number, 4 * threshold, 4 * thresholds.length, 4 * column, columnsEnd], feature);
    feature += FEATURE_BYTES / 4;
    for (const { first, missingRight, mirrored, number: place } of columns) {
      // rank - 128 is rank ^ 0x80 as a byte, 127 - rank is rank ^ 0x7f.
      words.set([first, (missingRight ? 0xff00 : 0) | (mirrored ? 0x7f : 0x80), BLOCK * place], column);
      column += COLUMN_BYTES / 4;
    }
    floats.fill(Number.POSITIVE_INFINITY, threshold, threshold + padded(thresholds.length));
    floats.set(thresholds, threshold);
    threshold += padded(thresholds.length);
  }
}

function fourTimes(byte: number): number {
  return Math.imul(byte & 0xff, 0x01010101);
}
