/**
 * How two documents fare in each tree: they go the same way up to a split at which they part, and their leaves are what
 * the tree adds to each. Summed over the trees, the differences of the leaves are the difference of the scores.
 */
import type { Parting } from '../ranker.js';
import { childOf, type Tree, type TreesModel } from './trees.js';

export function partingsOf({ trees }: TreesModel, a: ArrayLike<number>, b: ArrayLike<number>): Parting[] {
  return trees.map(tree => parting(tree, a, b));
}

function parting(tree: Tree, a: ArrayLike<number>, b: ArrayLike<number>): Parting {
  let node = tree.feature.length === 0 ? ~0 : 0;
  while (node >= 0) {
    const [ofA, ofB] = [childOf(tree, node, a), childOf(tree, node, b)];
    if (ofA !== ofB) {
      const levels = tree.leftLevels?.[node];
      const split = { feature: tree.feature[node]!, threshold: tree.threshold[node]!, ...(levels && { levels }) };
      return { split, a: leafBelow(tree, ofA, a), b: leafBelow(tree, ofB, b) };
    }
    node = ofA;
  }
  return { split: undefined, a: tree.value[~node]!, b: tree.value[~node]! };
}

/** The value of the leaf that a document reaches from a node, or from the leaf itself. */
function leafBelow(tree: Tree, from: number, features: ArrayLike<number>): number {
  let node = from;
  while (node >= 0) node = childOf(tree, node, features);
  return tree.value[~node]!;
}
