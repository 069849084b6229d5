/** A tree in bins as the run's memory has it, and in the values of features that those bins stand for. */
import { BINS } from '../../../kernels/layouts/boosting.js';
import { levelSet } from '../../../kernels/level-set.js';
import { LARGEST_THRESHOLD, type Tree, withLevels } from '../../../models/trees/trees.js';
import { fillSides } from '../binning/columns.js';
import { WIDE_BINS } from '../memory/layout.js';
import type { TreeThreads } from '../tree-threads.js';
import type { GrownTree } from './tree.js';

/**
 * Where training never saw a missing value of a feature, one counts as zero: what engines without missing values do.
 */
export function settleMissing(threads: TreeThreads, tree: GrownTree): void {
  const { missing } = threads.memory.arrays;
  tree.feature.forEach((feature, node) => {
    if (missing[feature]! > 0 || tree.levels[node]) return;
    tree.missingLeft[node] = 0 <= threshold(threads, feature, tree.bin[node]!);
  });
}

/** The last bin has no edge: where it is all on the left, missing values alone are on the right. */
function threshold({ memory }: TreeThreads, feature: number, bin: number): number {
  return Math.min(memory.arrays.edges[BINS * feature + bin]!, LARGEST_THRESHOLD);
}

/** A tree that was read may split a number by levels, or a category by a threshold: it is none that was grown here. */
function levelsLeft({ thread }: TreeThreads, feature: number, bins: readonly number[] | null | undefined) {
  const category = thread.category(feature);
  if (!bins !== !category) throw new Error(`feature ${feature} is ${category ? '' : 'not '}split by levels`);
  if (!bins || !category) return undefined;
  const codes = bins.map(bin => category.codes[bin]);
  if (!codes.every(code => code !== undefined)) throw new Error(`feature ${feature} has no levels ${bins}`);
  return levelSet(codes);
}

/** The tree as models have it. */
export function treeInValues(threads: TreeThreads, tree: GrownTree, leafValues: Float32Array): Tree {
  return {
    feature: Int32Array.from(tree.feature),
    threshold: Float32Array.from(tree.feature, (f, node) =>
      tree.levels[node] ? 0 : threshold(threads, f, tree.bin[node]!),
    ),
    ...withLevels(tree.feature.map((f, node) => levelsLeft(threads, f, tree.levels[node]))),
    missingLeft: Uint8Array.from(tree.missingLeft, Number),
    left: Int32Array.from(tree.left),
    right: Int32Array.from(tree.right),
    value: Float64Array.from(leafValues),
    gain: Float64Array.from(tree.gain, gain => Number(gain.toPrecision(6))),
    documents: Float64Array.from(tree.documents),
    leafDocuments: Float64Array.from(tree.leafDocuments),
  };
}

/** Writes the nodes where the tasks that add a tree to scores read them. */
export function writeNodes({ memory, thread }: TreeThreads, tree: GrownTree): void {
  const { nodes, arrays } = memory;
  const { columns } = thread;
  tree.feature.forEach((feature, node) => {
    const levels = tree.levels[node] ?? undefined;
    const split = { feature, bin: tree.bin[node]!, missingLeft: tree.missingLeft[node]!, levels };
    const wide = thread.category(feature)?.wide;
    if (wide === undefined) fillSides(arrays.nodeSides.subarray(BINS * node, BINS * (node + 1)), columns, split);
    else fillWideSides(arrays.wideSides.subarray(WIDE_BYTES * node, WIDE_BYTES * (node + 1)), split.levels ?? []);
    nodes.at(node).write({
      column: wide ?? columns.column[feature]!,
      wide: Number(wide !== undefined),
      left: tree.left[node]!,
      right: tree.right[node]!,
    });
  });
  // A lone leaf: both sides of a node that nobody passes.
  if (tree.feature.length === 0) nodes.at(0).write({ column: 0, wide: 0, left: -1, right: -1 });
}

const WIDE_BYTES = WIDE_BINS / 8;

function fillWideSides(sides: Uint8Array, levels: readonly number[]): void {
  sides.fill(0);
  for (const bin of levels) sides[bin >> 3]! |= 1 << (bin & 7);
}
