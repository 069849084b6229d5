/**
 * What each feature adds to the score of a document along its paths: a split moves the expected value from the mean of
 * the documents that come to its node to the mean of those that go the same way, and its feature is given the
 * difference. Means are over the documents at hand, so the parts of one add up to its score less their mean score.
 */
import { childOf, type Tree, type TreesModel } from './trees.js';

/** `rows` and the result are [document][feature]. */
export function pathContributions({ trees, featureNames }: TreesModel, rows: Float32Array, n: number): Float64Array {
  const features = featureNames.length;
  const parts = new Float64Array(n * features);
  const row = (i: number) => rows.subarray(i * features, (i + 1) * features);
  for (const tree of trees) {
    if (tree.feature.length === 0) continue;
    const paths = Array.from({ length: n }, (_, i) => pathOf(tree, row(i)));
    const sums = new Float64Array(tree.feature.length);
    const counts = new Float64Array(tree.feature.length);
    for (const { nodes, value } of paths) {
      for (const node of nodes) {
        sums[node]! += value;
        counts[node]!++;
      }
    }
    for (const [i, { nodes, value }] of paths.entries()) {
      for (const [depth, node] of nodes.entries()) {
        const next = nodes[depth + 1];
        const after = next === undefined ? value : sums[next]! / counts[next]!;
        parts[i * features + tree.feature[node]!]! += after - sums[node]! / counts[node]!;
      }
    }
  }
  return parts;
}

/** The internal nodes on the way of a document, the root first, and the value of its leaf. */
function pathOf(tree: Tree, features: Float32Array): { nodes: number[]; value: number } {
  const nodes: number[] = [];
  let node = 0;
  for (; node >= 0; node = childOf(tree, node, features)) nodes.push(node);
  return { nodes, value: tree.value[~node]! };
}
