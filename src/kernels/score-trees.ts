/**
 * Scores documents with an ensemble of trees, equal to the bit to adding up leaf values in float64 in the order of the
 * trees. Has a memory of its own that is laid out once; scoring allocates nothing in it. Not shared: each thread has
 * one.
 */
import { type Addresses, Arena, type Arrays, arraysOf, f32, f64, records, u8, u32 } from './arena.js';
import type { KernelExports } from './exports.js';
import { InlinedKernel } from './inlined.js';
import { CATEGORY, COLUMN, DOCUMENTS, FEATURE, NODE, SCRATCH_BYTES, STEP, TEST, TREE } from './layouts/score-trees.js';
import { base64 } from './score-trees-bytes.js';
import { isZero, type PlannedTree, planTrees, type TreeArrays, type TreesPlan, tableBytes } from './trees-plan.js';

/** Where it cannot be had, trees are walked in plain JavaScript (models/trees/score-trees.reference.ts). */
export const treesKernel = new InlinedKernel<'score-trees'>(base64);

/**
 * Documents that are copied into the memory at a time: few enough for a core's own cache, enough to copy long pieces.
 */
const CHUNK = 1024;
/** So few documents are quicker to walk down the trees than to be dealt with together. */
const FEW = 4;
/** A stride that is no power of two spreads columns over the cache. */
const STRIDE = CHUNK + 16;

/** Columns of float32: feature f of document i is at data[f * stride + i]. */
export interface ColumnBlock {
  readonly rows: number;
  readonly stride: number;
  readonly data: Float32Array;
}

export class TreesKernel {
  readonly #width: number;
  readonly #narrow: boolean;
  readonly #kernel: KernelExports['score-trees'];
  /** Features that trees use, in the order of their columns of values. */
  readonly #used: Int32Array;
  /** Those of them whose zeros are missing: copies, `width` behind the features themselves. */
  readonly #withoutZeros: Int32Array;
  readonly #at: Addresses<Regions>;
  readonly #end: {
    readonly features: number;
    readonly categories: number;
    readonly trees: number;
    readonly roots: number;
  };
  /** Splits by category and zeros that are missing are not walked. */
  readonly #walks: boolean;
  readonly #values: Float32Array;
  readonly #rows: Float32Array;
  readonly #sums: Float64Array;

  /** `width` is how many features a document has, used or not; `narrow` rounds the sum to float32 after every tree. */
  constructor(trees: readonly TreeArrays[], width: number, base: number, narrow = false) {
    const plan = planTrees(trees, width);
    this.#width = width;
    this.#narrow = narrow;
    const used = new Set([...plan.features, ...plan.categories].map(({ feature }) => feature));
    this.#used = Int32Array.from(used).sort();
    this.#withoutZeros = this.#used.filter(feature => feature >= width);
    const arena = new Arena();
    this.#walks = trees.every(isPlain);
    const steps = this.#walks ? trees : [];
    const regions = regionsOf(plan, steps, width, Math.max(width, 1 + (this.#used.at(-1) ?? 0)));
    const at = arena.takeAll(regions);
    const memory = new WebAssembly.Memory({ initial: arena.pages });
    const arrays = arraysOf(regions, at, memory.buffer);
    this.#at = at;
    this.#end = {
      features: at.features + FEATURE.bytes * plan.features.length,
      categories: at.categories + CATEGORY.bytes * plan.categories.length,
      trees: at.trees + TREE.bytes * plan.trees.length,
      roots: at.roots + 4 * steps.length,
    };
    this.#values = arrays.values;
    this.#rows = arrays.rows;
    this.#sums = arrays.sums;
    this.#kernel = treesKernel.over(memory);
    arrays.base[0] = base;
    writeFeatures(plan, at, memory.buffer, arrays.thresholds);
    writeCategories(plan, at, memory.buffer, arrays);
    writeTrees(plan, at, memory.buffer, arrays);
    writeSteps(steps, at, memory.buffer, arrays);
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

  /** Where n rows can be written that `scoreRows` need not copy; undefined where there is no room for so many. */
  rowBuffer(n: number): Float32Array | undefined {
    return n <= CHUNK ? this.#rows.subarray(0, n * this.#width) : undefined;
  }

  /** Scores of n documents given row by row. Up to 1024 that fill `rows` need no allocation at all. */
  scoreRows(rows: Float32Array, n: number, out: Float64Array): void {
    const width = this.#width;
    for (let from = 0; from < n; from += CHUNK) {
      const count = Math.min(CHUNK, n - from);
      const whole = count === n && rows.length === n * width;
      const inPlace = whole && rows.buffer === this.#rows.buffer;
      if (!inPlace) this.#rows.set(whole ? rows : rows.subarray(from * width, (from + count) * width));
      if (count <= FEW && this.#walks) {
        this.#walk(count);
        for (let i = 0; i < count; i++) out[from + i] = this.#sums[i]!;
        continue;
      }
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

  #walk(n: number): void {
    const { roots, steps, stepValues, rows, base, sums } = this.#at;
    const rowBytes = 4 * this.#width;
    this.#kernel.walkRows(roots, this.#end.roots, steps, stepValues, rows, n, rowBytes, base, this.#narrow, sums);
  }

  #score(n: number): void {
    const at = this.#at;
    this.#kernel.score(
      at.features,
      this.#end.features,
      at.categories,
      this.#end.categories,
      at.trees,
      this.#end.trees,
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

type Regions = ReturnType<typeof regionsOf>;

function regionsOf(plan: TreesPlan, walked: readonly TreeArrays[], width: number, columns: number) {
  const total = (of: (tree: PlannedTree) => number) => plan.trees.reduce((sum, tree) => sum + of(tree), 0);
  const leaves = walked.reduce((sum, { value }) => sum + value.length, 0);
  return {
    /** What sums begin at: in memory, since a number among the arguments of each call can cost an object. */
    base: f64(1),
    sums: f64(CHUNK),
    leafValues: f64(total(valuesOf)),
    nodes: records(
      NODE,
      total(tree => tree.nodes.length),
    ),
    columns: u8(DOCUMENTS * plan.columns),
    scratch: u8(SCRATCH_BYTES),
    values: f32(STRIDE * columns),
    rows: f32(CHUNK * width),
    features: records(FEATURE, plan.features.length),
    columnTables: records(COLUMN, plan.columns),
    categories: records(CATEGORY, plan.categories.length),
    levelTables: u8(plan.categories.reduce((n, category) => n + tableBytes(category), 0)),
    places: u32(plan.categories.reduce((n, { columns }) => n + columns.length, 0)),
    trees: records(TREE, plan.trees.length),
    byteEnds: u32(1 + total(tree => tree.tests.length)),
    tests: records(
      TEST,
      total(tree => tree.tests.reduce((n, byte) => n + byte.length, 0)),
    ),
    entries: u32(total(tree => tree.entries.length)),
    thresholds: f32(plan.features.reduce((n, { thresholds }) => n + padded(thresholds.length), 0)),
    roots: u32(walked.length),
    steps: records(STEP, 2 * leaves),
    stepValues: f64(leaves),
  };
}

function isPlain({ zeroMissing, leftLevels }: TreeArrays): boolean {
  return leftLevels === undefined && (zeroMissing === undefined || !Array.prototype.includes.call(zeroMissing, 1));
}

/** A value a leaf, or a node where documents walk. */
function valuesOf(tree: PlannedTree): number {
  return tree.steps === 0 ? tree.values.length : tree.nodes.length;
}

/** Thresholds are searched by halving: 2^k - 1 of them. */
function padded(thresholds: number): number {
  return 2 ** Math.ceil(Math.log2(thresholds + 1)) - 1;
}

function writeTrees(plan: TreesPlan, at: Addresses<Regions>, buffer: ArrayBuffer, arrays: Arrays<Regions>): void {
  const { byteEnds, leafValues, entries } = arrays;
  const [tree, test, node] = [TREE.view(buffer, at.trees), TEST.view(buffer, at.tests), NODE.view(buffer, at.nodes)];
  let [bytes, tests, values, starts, nodes] = [0, 0, 0, 0, 0];
  byteEnds[0] = at.tests;
  for (const [t, planned] of plan.trees.entries()) {
    tree.at(t).write({
      byteEnds: at.byteEnds + 4 * bytes,
      bytes: planned.tests.length,
      steps: planned.steps,
      values: at.leafValues + 8 * values,
      entries: at.entries + 4 * starts,
      nodes: at.nodes + NODE.bytes * nodes,
    });
    for (const byte of planned.tests) {
      for (const { threshold, leaves, column } of byte) {
        test.at(tests++);
        test.threshold = fourTimes(threshold);
        test.leaves = fourTimes(leaves);
        test.column = DOCUMENTS * column;
      }
      byteEnds[++bytes] = at.tests + TEST.bytes * tests;
    }
    for (const value of planned.values) leafValues[values++] = value;
    for (const start of planned.entries) entries[starts++] = NODE.bytes * start;
    for (const { column, threshold, left, value } of planned.nodes) {
      node.at(nodes++);
      node.test = (column << 8) | (threshold & 0xff);
      node.left = NODE.bytes * left;
      leafValues[values++] = value;
    }
  }
}

/** Nodes, then leaves, tree by tree. */
function writeSteps(
  trees: readonly TreeArrays[],
  at: Addresses<Regions>,
  buffer: ArrayBuffer,
  arrays: Arrays<Regions>,
): void {
  const step = STEP.view(buffer, at.steps);
  const bits = new Uint32Array(1);
  const float = new Float32Array(bits.buffer);
  let [first, values] = [0, 0];
  for (const [t, { feature, threshold, missingLeft, left, right, value }] of trees.entries()) {
    const nodes = feature.length;
    const placeOf = (child: number) => STEP.bytes * (first + (child >= 0 ? child : nodes + ~child)) + Number(child < 0);
    arrays.roots[t] = placeOf(nodes === 0 ? ~0 : 0);
    for (let node = 0; node < nodes; node++) {
      float[0] = threshold[node]!;
      step.at(first + node).write({
        feature: (4 * feature[node]!) | missingLeft[node]!,
        threshold: bits[0]!,
        left: placeOf(left[node]!),
        right: placeOf(right[node]!),
      });
    }
    float[0] = Number.POSITIVE_INFINITY;
    for (let leaf = 0; leaf < value.length; leaf++) {
      step.at(first + nodes + leaf).write({ feature: 1, threshold: bits[0]!, left: placeOf(~leaf), right: 8 * values });
      arrays.stepValues[values++] = value[leaf]!;
    }
    first += nodes + value.length;
  }
}

function writeFeatures(plan: TreesPlan, at: Addresses<Regions>, buffer: ArrayBuffer, thresholds: Float32Array): void {
  const feature = FEATURE.view(buffer, at.features);
  const column = COLUMN.view(buffer, at.columnTables);
  let columns = 0;
  let threshold = 0;
  for (const [f, planned] of plan.features.entries()) {
    feature.at(f).write({
      values: 4 * STRIDE * planned.feature,
      thresholds: at.thresholds + 4 * threshold,
      thresholdBytes: 4 * planned.thresholds.length,
      columns: at.columnTables + COLUMN.bytes * columns,
      columnsEnd: at.columnTables + COLUMN.bytes * (columns + planned.columns.length),
    });
    for (const { first, missingRight, mirrored, number } of planned.columns) {
      // rank - 128 is rank ^ 0x80 as a byte, 127 - rank is rank ^ 0x7f.
      const flip = mirrored ? 0x7f : 0x80;
      column.at(columns++).write({ first, flip, right: missingRight ? 0xff : 0, place: DOCUMENTS * number });
    }
    thresholds.fill(Number.POSITIVE_INFINITY, threshold, threshold + padded(planned.thresholds.length));
    thresholds.set(planned.thresholds, threshold);
    threshold += padded(planned.thresholds.length);
  }
}

function writeCategories(plan: TreesPlan, at: Addresses<Regions>, buffer: ArrayBuffer, arrays: Arrays<Regions>): void {
  const record = CATEGORY.view(buffer, at.categories);
  let [table, place] = [0, 0];
  for (const [c, category] of plan.categories.entries()) {
    const { feature, levels, columns } = category;
    const rowBytes = Math.ceil(columns.length / 8);
    record.at(c).write({
      values: 4 * STRIDE * feature,
      levels,
      table: at.levelTables + table,
      rowBytes,
      places: at.places + 4 * place,
      columns: columns.length,
    });
    for (const [i, { number, isAbove }] of columns.entries()) {
      arrays.places[place++] = DOCUMENTS * number;
      for (let row = 0; row < levels + 2; row++) {
        const value = row <= levels ? row : Number.NaN;
        if (isAbove(value)) arrays.levelTables[table + row * rowBytes + (i >> 3)]! |= 1 << (i & 7);
      }
    }
    table += tableBytes(category);
  }
}

function fourTimes(byte: number): number {
  return Math.imul(byte & 0xff, 0x01010101);
}
