/**
 * How an ensemble of trees is laid out for the scoring kernel (assembly/score-trees.ts).
 *
 * Ranks: a document's rank in a feature is how many of the ensemble's thresholds of that feature are below its value;
 * it goes right at threshold number j where its rank is above j. A column holds ranks less `first`, kept within a byte;
 * a feature with more than 255 thresholds has several. A missing value has rank 0 (goes left everywhere) or 255
 * (right): a feature with nodes of both ways has columns of both. Bytes are compared as signed numbers: rank - 128, or
 * in a mirrored column 127 - rank, which turns "goes left" into "is above" as well.
 *
 * Upper nodes: those with more than `steps` levels below them; what hangs below them are the upper leaves, at most 256.
 * The smaller side of a node comes first in the order of leaves; a document that goes to the other side rules out the
 * leaves of this one.
 *
 * Splits by category have a column each: 0 where a document is above, otherwise -1. A table says which of them a level
 * is above in, a bit each; unknown levels and missing values have rows of their own behind the others.
 */
import { hasLevel, type LevelSet } from './level-set.js';

/** Internal nodes by number, the root first; a child c < 0 is leaf ~c. Values up to the threshold go left. */
export interface TreeArrays {
  readonly feature: ArrayLike<number>;
  /** In float32. */
  readonly threshold: ArrayLike<number>;
  readonly missingLeft: ArrayLike<number>;
  /** 1 where a zero counts as missing; none where left out. */
  readonly zeroMissing?: ArrayLike<number> | undefined;
  /** By node, where a split is by category: the levels that go left. */
  readonly leftLevels?: readonly (LevelSet | undefined)[] | undefined;
  readonly left: ArrayLike<number>;
  readonly right: ArrayLike<number>;
  readonly value: ArrayLike<number>;
}

export interface PlannedColumn {
  readonly first: number;
  readonly missingRight: boolean;
  readonly mirrored: boolean;
  readonly number: number;
}

export interface PlannedFeature {
  /** From the number of features on: the feature that is `width` before it, its zeros missing. */
  readonly feature: number;
  /** Ascending, each once. */
  readonly thresholds: Float32Array;
  readonly columns: PlannedColumn[];
}

export interface PlannedCategory {
  readonly feature: number;
  /** Levels that some split knows; the rows of the table behind them are unknown levels, and missing values. */
  readonly levels: number;
  /** Column of each split, and whether a value is above there. */
  readonly columns: readonly { readonly number: number; isAbove(value: number): boolean }[];
}

/** Bytes of the table of a category. */
export function tableBytes({ levels, columns }: PlannedCategory): number {
  return (levels + 2) * Math.ceil(columns.length / 8);
}

/** Documents whose byte in the column is above the threshold (-128 to 127) cannot reach these of eight leaves. */
export interface Test {
  readonly column: number;
  readonly threshold: number;
  readonly leaves: number;
}

/** A node below the upper ones; a leaf leads to itself. The right child follows the left one. */
export interface LowerNode {
  readonly column: number;
  readonly threshold: number;
  readonly left: number;
  readonly value: number;
}

export interface PlannedTree {
  /** For each eight upper leaves. */
  readonly tests: readonly (readonly Test[])[];
  /** Values of the upper leaves in their order; without steps. */
  readonly values: readonly number[];
  /** Where a walk from each upper leaf begins, and the nodes it passes; with steps. */
  readonly steps: number;
  readonly entries: readonly number[];
  readonly nodes: readonly LowerNode[];
}

export interface TreesPlan {
  readonly features: readonly PlannedFeature[];
  readonly categories: readonly PlannedCategory[];
  readonly columns: number;
  readonly trees: readonly PlannedTree[];
}

const COLUMN_THRESHOLDS = 255;
const MOST_UPPER_LEAVES = 256;
/** A step down costs about as much as so many upper leaves; the first step some more. */
const STEP_COST = 32;
const WALK_COST = 32;

/** What counts as zero where zeros count as missing: LightGBM's bound, which is a float32. */
const LARGEST_ZERO = Math.fround(1e-35);

export function isZero(value: number): boolean {
  return Math.abs(value) <= LARGEST_ZERO;
}

/** `width` is how many features a document has. */
export function planTrees(trees: readonly TreeArrays[], width: number): TreesPlan {
  const ranks = new Ranks(trees, width);
  const planned = trees.map(tree => planTree(tree, ranks));
  return { features: ranks.features, categories: ranks.categories, columns: ranks.columns, trees: planned };
}

/** Thresholds of every feature that is used, and the columns that nodes ask for. */
class Ranks {
  readonly features: PlannedFeature[];
  columns = 0;
  readonly #categories = new Map<
    number,
    { feature: number; levels: number; columns: PlannedCategory['columns'][number][] }
  >();
  readonly #byFeature: Map<number, PlannedFeature>;
  readonly #width: number;

  constructor(trees: readonly TreeArrays[], width: number) {
    this.#width = width;
    const thresholds = new Map<number, number[]>();
    for (const tree of trees) {
      for (let node = 0; node < tree.feature.length; node++) {
        if (tree.leftLevels?.[node] !== undefined) continue;
        const feature = this.#featureOf(tree, node);
        const list = thresholds.get(feature);
        if (list === undefined) thresholds.set(feature, [tree.threshold[node]!]);
        else list.push(tree.threshold[node]!);
      }
    }
    this.features = [...thresholds]
      .sort(([a], [b]) => a - b)
      .map(([feature, list]) => {
        const sorted = Float32Array.from(list).sort();
        // Minus zero and zero are one threshold.
        return { feature, thresholds: sorted.filter((value, i) => i === 0 || value !== sorted[i - 1]), columns: [] };
      });
    this.#byFeature = new Map(this.features.map(planned => [planned.feature, planned]));
  }

  get categories(): readonly PlannedCategory[] {
    return [...this.#categories.values()];
  }

  #featureOf(tree: TreeArrays, node: number): number {
    return tree.feature[node]! + (tree.zeroMissing?.[node] === 1 ? this.#width : 0);
  }

  /** The column and the threshold in it that a node's test is; mirrored for "goes left", otherwise for "goes right". */
  place(tree: TreeArrays, node: number, mirrored: boolean): { column: number; threshold: number } {
    const set = tree.leftLevels?.[node];
    if (set !== undefined) return { column: this.#placeOfSet(tree, node, set, mirrored), threshold: -1 };
    const planned = this.#byFeature.get(this.#featureOf(tree, node))!;
    const rank = lowerBound(planned.thresholds, tree.threshold[node]!);
    const within = rank % COLUMN_THRESHOLDS;
    const first = rank - within;
    const missingRight = tree.missingLeft[node] !== 1;
    let column = planned.columns.find(
      known => known.first === first && known.missingRight === missingRight && known.mirrored === mirrored,
    );
    if (column === undefined) {
      column = { first, missingRight, mirrored, number: this.columns++ };
      planned.columns.push(column);
    }
    return { column: column.number, threshold: mirrored ? 126 - within : within - 128 };
  }

  #placeOfSet(tree: TreeArrays, node: number, set: LevelSet, mirrored: boolean): number {
    const feature = tree.feature[node]!;
    const missingLeft = tree.missingLeft[node] === 1;
    const category = this.#categories.get(feature) ?? { feature, levels: 0, columns: [] };
    this.#categories.set(feature, category);
    category.levels = Math.max(category.levels, 32 * set.length);
    const isAbove = (value: number) => (Number.isNaN(value) ? missingLeft : hasLevel(set, value)) === mirrored;
    category.columns.push({ number: this.columns, isAbove });
    return this.columns++;
  }
}

/** How many of the sorted values are below x. */
function lowerBound(sorted: Float32Array, x: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

function planTree(tree: TreeArrays, ranks: Ranks): PlannedTree {
  const heights = heightsOf(tree);
  const steps = chooseSteps(heights);
  const isUpper = (node: number) => node >= 0 && heights[node]! > steps;
  const upper = new UpperNodes(tree, ranks, isUpper);
  if (steps === 0) {
    return { tests: upper.tests, values: upper.leaves.map(leaf => tree.value[~leaf]!), steps, entries: [], nodes: [] };
  }
  return { tests: upper.tests, values: [], steps, ...lowerNodes(tree, ranks, upper.leaves) };
}

/** Levels of nodes from each node down, itself included; at least 1. No recursion: trees can be chains. */
function heightsOf(tree: TreeArrays): Uint32Array {
  const heights = new Uint32Array(tree.feature.length);
  const order: number[] = tree.feature.length > 0 ? [0] : [];
  for (let i = 0; i < order.length; i++) {
    for (const child of [tree.left[order[i]!]!, tree.right[order[i]!]!]) if (child >= 0) order.push(child);
  }
  const height = (child: number) => (child < 0 ? 0 : heights[child]!);
  for (const node of order.reverse()) heights[node] = 1 + Math.max(height(tree.left[node]!), height(tree.right[node]!));
  return heights;
}

/** How many levels are left to walk: every upper node is evaluated where they are few. */
function chooseSteps(heights: Uint32Array): number {
  const highest = heights[0] ?? 0;
  const nodes = new Uint32Array(highest + 1);
  for (const height of heights) nodes[height]!++;
  let best = highest;
  let least = Number.POSITIVE_INFINITY;
  let leaves = 1;
  for (let steps = highest; steps >= 0 && leaves <= MOST_UPPER_LEAVES; steps--) {
    const cost = leaves + (steps > 0 ? WALK_COST + STEP_COST * steps : 0);
    if (cost < least) {
      least = cost;
      best = steps;
    }
    leaves += nodes[steps]!;
  }
  return best;
}

/** Puts the upper leaves in order and collects the tests that rule them out. */
class UpperNodes {
  /** Children below the upper nodes, in order: a node, or a leaf as ~leaf. */
  readonly leaves: number[] = [];
  readonly tests: Test[][] = [];
  readonly #tree: TreeArrays;
  readonly #ranks: Ranks;
  readonly #isUpper: (node: number) => boolean;

  constructor(tree: TreeArrays, ranks: Ranks, isUpper: (node: number) => boolean) {
    this.#tree = tree;
    this.#ranks = ranks;
    this.#isUpper = isUpper;
    this.#visit(tree.feature.length === 0 ? ~0 : 0);
    while (this.tests.length < Math.ceil(this.leaves.length / 8)) this.tests.push([]);
  }

  /** At most 255 deep. */
  #visit(child: number): void {
    if (!this.#isUpper(child)) {
      this.leaves.push(child);
      return;
    }
    const { left, right } = this.#tree;
    const leftFirst = this.#count(left[child]!) <= this.#count(right[child]!);
    const start = this.leaves.length;
    this.#visit(leftFirst ? left[child]! : right[child]!);
    this.#addTests(child, !leftFirst, start, this.leaves.length);
    this.#visit(leftFirst ? right[child]! : left[child]!);
  }

  #count(child: number): number {
    if (!this.#isUpper(child)) return 1;
    return this.#count(this.#tree.left[child]!) + this.#count(this.#tree.right[child]!);
  }

  #addTests(node: number, mirrored: boolean, start: number, end: number): void {
    const place = this.#ranks.place(this.#tree, node, mirrored);
    for (let byte = start >> 3; byte << 3 < end; byte++) {
      const from = Math.max(0, start - 8 * byte);
      const to = Math.min(8, end - 8 * byte);
      while (this.tests.length <= byte) this.tests.push([]);
      this.tests[byte]!.push({ ...place, leaves: (1 << to) - (1 << from) });
    }
  }
}

/** The nodes from some children down, siblings side by side. */
function lowerNodes(tree: TreeArrays, ranks: Ranks, starts: readonly number[]) {
  const children: number[] = [...starts];
  const nodes: LowerNode[] = [];
  for (let i = 0; i < children.length; i++) {
    const child = children[i]!;
    if (child < 0) nodes.push({ column: 0, threshold: 127, left: i, value: tree.value[~child]! });
    else {
      nodes.push({ ...ranks.place(tree, child, false), left: children.length, value: 0 });
      children.push(tree.left[child]!, tree.right[child]!);
    }
  }
  return { entries: starts.map((_, i) => i), nodes };
}
