/**
 * The paths of a tree as Shapley values see them. Edge 2 n leads from node n to its left child, edge 2 n + 1 to the
 * right one. Where a feature is split more than once on a path, its edges are one condition.
 */
import type { Tree } from '../trees/trees.js';

export interface TreePaths {
  /** The nearest edge above that splits the same feature; -1 where there is none. */
  readonly above: Int32Array;
  /** Share of the training documents at the splits of its feature, up to this edge, that go this way. */
  readonly share: Float64Array;
  /** For each leaf the last edge of every feature on its path, in the order of features. */
  readonly paths: readonly Uint32Array[];
  /** The most features on a path. */
  readonly most: number;
  /** The mean of leaf values, weighted by training documents. */
  readonly mean: number;
}

export function treePaths(tree: Tree): TreePaths {
  const { feature, left, right, value } = tree;
  const nodes = feature.length;
  const covers = coversOf(tree);
  const of = (child: number) => covers[child < 0 ? nodes + ~child : child]!;
  const above = new Int32Array(2 * nodes).fill(-1);
  const share = new Float64Array(2 * nodes);
  const paths: Uint32Array[] = Array(nodes + 1);
  // The last edge of each feature on the way to a node.
  const ways: ReadonlyMap<number, number>[] = [new Map()];
  let most = 0;
  for (let node = 0; node < nodes; node++) {
    const way = ways[node]!;
    const own = feature[node]!;
    for (const [side, child] of [left[node]!, right[node]!].entries()) {
      const edge = 2 * node + side;
      const upper = way.get(own) ?? -1;
      above[edge] = upper;
      // Nobody came by: nobody knows.
      const passed = of(node) > 0 ? of(child) / of(node) : 0.5;
      share[edge] = passed * (upper < 0 ? 1 : share[upper]!);
      const next = new Map(way).set(own, edge);
      if (child >= 0) ways[child] = next;
      else {
        const byFeature = [...next].sort(([a], [b]) => a - b);
        paths[~child] = Uint32Array.from(byFeature, ([, last]) => last);
        most = Math.max(most, next.size);
      }
    }
    ways[node] = new Map(); // done with
  }
  if (nodes === 0) paths[0] = new Uint32Array(0);
  const total = of(nodes === 0 ? ~0 : 0);
  const sum = value.reduce((all, one, leaf) => all + one * of(~leaf), 0);
  return { above, share, paths, most, mean: nodes === 0 ? value[0]! : sum / total };
}

/** Training documents by node, then by leaf; those of a node are its leaves' together. */
export function coversOf({ left, right, leafDocuments }: Tree): Float64Array {
  const nodes = left.length;
  const covers = new Float64Array(2 * nodes + 1);
  if (leafDocuments === undefined) return covers.fill(1);
  covers.set(leafDocuments, nodes);
  for (let node = nodes - 1; node >= 0; node--) {
    for (const child of [left[node]!, right[node]!]) covers[node]! += covers[child < 0 ? nodes + ~child : child]!;
  }
  return covers;
}
