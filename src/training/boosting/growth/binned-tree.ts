/** A tree in bins as the run's memory has it, and in the values of features that those bins stand for. */
import { LARGEST_THRESHOLD, type Tree } from '../../../models/trees/trees.js';
import { fillSides } from '../binning/columns.js';
import type { TreeThreads } from '../tree-threads.js';
import type { GrownTree } from './tree.js';

/**
 * Where training never saw a missing value of a feature, one counts as zero: what engines without missing values do.
 */
export function settleMissing(threads: TreeThreads, tree: GrownTree): void {
  const { memory, layout } = threads;
  const missing = new Int32Array(memory.buffer, layout.at.missing, layout.features);
  tree.feature.forEach((feature, node) => {
    if (missing[feature]! > 0) return;
    tree.missingLeft[node] = 0 <= threshold(threads, feature, tree.bin[node]!);
  });
}

/** The last bin has no edge: where it is all on the left, missing values alone are on the right. */
function threshold({ memory, layout }: TreeThreads, feature: number, bin: number): number {
  const edge = new Float32Array(memory.buffer, layout.at.edges + 1024 * feature, 256)[bin]!;
  return Math.min(edge, LARGEST_THRESHOLD);
}

/** The tree as models have it. */
export function treeInValues(threads: TreeThreads, tree: GrownTree, leafValues: Float32Array): Tree {
  return {
    feature: Int32Array.from(tree.feature),
    threshold: Float32Array.from(tree.feature, (f, node) => threshold(threads, f, tree.bin[node]!)),
    missingLeft: Uint8Array.from(tree.missingLeft, Number),
    left: Int32Array.from(tree.left),
    right: Int32Array.from(tree.right),
    value: Float64Array.from(leafValues),
    gain: Float64Array.from(tree.gain, gain => Number(gain.toPrecision(6))),
    documents: Float64Array.from(tree.documents),
  };
}

/** Writes the nodes where the tasks that add a tree to scores read them. */
export function writeNodes({ memory, layout, tasks }: TreeThreads, tree: GrownTree): void {
  const { at } = layout;
  const { columns } = tasks;
  const count = Math.max(1, tree.feature.length);
  const nodes = new DataView(memory.buffer, at.nodes, 8 * count);
  const sides = new Uint8Array(memory.buffer, at.sides, 256 * count);
  tree.feature.forEach((feature, node) => {
    nodes.setUint16(8 * node, columns.column[feature]!, true);
    const split = { feature, bin: tree.bin[node]!, missingLeft: tree.missingLeft[node]! };
    fillSides(sides.subarray(256 * node, 256 * node + 256), columns, split);
    nodes.setInt16(8 * node + 4, tree.left[node]!, true);
    nodes.setInt16(8 * node + 6, tree.right[node]!, true);
  });
  if (tree.feature.length === 0) {
    // A lone leaf: both sides of a node that nobody passes.
    nodes.setInt32(0, 0, true);
    nodes.setInt16(4, -1, true);
    nodes.setInt16(6, -1, true);
  }
}
