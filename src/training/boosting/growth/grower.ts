/**
 * Grows one tree, best leaf first, from quantised gradients: all sums are integers, so neither the order of rows nor
 * the number of threads nor the way a histogram was come by (built or subtracted) can change a split. What is costly is
 * behind `NodeWork`, so that the plain reference and the kernels grow by the same rules.
 */
import type { BinnedSplit } from '../binning/columns.js';
import { type Bounds, NO_BOUNDS } from './monotone.js';
import { childKey } from './node-features.js';
import { emptyTree, type GrownTree } from './tree.js';

/** The best split of a node over all features, from the integer sums. */
export interface Split extends BinnedSplit {
  readonly gain: number;
  /** Sums of the left side. */
  readonly left: Sums;
}

export interface Sums {
  readonly lambda: number;
  readonly hessian: number;
  readonly documents: number;
}

/** With the step and the key of the node. */
export interface NodeSums extends Sums {
  readonly step: number;
  readonly key: number;
}

/** A node that is not split yet: a leaf by its number, with its histogram in `slot`. */
export interface OpenNode {
  readonly leaf: number;
  /** How far its scores are to move; see node-step.ts. */
  readonly step: number;
  /** What is drawn for it follows from this. */
  readonly key: number;
  readonly sums: Sums;
  readonly slot: number;
  readonly depth: number;
  readonly bounds: Bounds;
  /** Features that the nodes above are split by. */
  readonly path: readonly number[];
}

export interface NodeWork {
  /** Sums of all rows, histogram of all rows into slot 0, best split; they are those of leaf 0. */
  root(key: number): { sums: Sums; split: Split | undefined };
  /** Bounds of both sides of a split, where there are monotone constraints. */
  bounds?(node: OpenNode, split: Split, right: Sums): [Bounds, Bounds];
  /**
   * Rows of the node to its children. Where these may grow, their histograms and best splits: the smaller one is built,
   * the other is the parent less that.
   */
  divide(
    node: OpenNode,
    split: Split,
    children: { readonly left: OpenNode; readonly right: OpenNode; readonly mayGrow: boolean },
  ): [Split | undefined, Split | undefined];
}

export interface GrowthLimits {
  readonly leaves: number;
  /** Levels of splits; Infinity for none. */
  readonly depth: number;
  /** Fewer documents than twice this are not split. */
  readonly leastDocuments: number;
  /** The key of the root. */
  readonly key: number;
  /** The step of a node below another, or of the root, from its integer sums. */
  step(sums: Sums, parent: number | undefined): number;
}

export interface GrowthResult {
  readonly tree: GrownTree;
  /** Documents of each leaf, of all ranks, and what its value is held within. */
  readonly leaves: readonly { documents: number; bounds: Bounds }[];
  /** The step of the node above each leaf. */
  readonly parentSteps: readonly number[];
}

interface Candidate {
  readonly node: OpenNode;
  readonly split: Split | undefined;
  /** Where the leaf hangs: parent node and side; -1 for the root. */
  readonly parent: number;
  readonly parentStep: number;
  readonly isLeft: boolean;
}

export function growTree(work: NodeWork, limits: GrowthLimits): GrowthResult {
  const { sums, split } = work.root(limits.key);
  const tree = emptyTree(sums.documents);
  const step = limits.step(sums, undefined);
  const candidates: Candidate[] = [
    {
      node: { leaf: 0, step, key: limits.key, sums, slot: 0, depth: 0, bounds: NO_BOUNDS, path: [] },
      split,
      parent: -1,
      parentStep: step,
      isLeft: false,
    },
  ];
  while (candidates.length < limits.leaves) {
    const best = bestCandidate(candidates);
    if (best === undefined) break;
    const { node, split: chosen, parent, isLeft } = best;
    if (chosen === undefined) break;
    const number = tree.feature.length;
    if (parent >= 0) (isLeft ? tree.left : tree.right)[parent] = number;
    const newLeaf = candidates.length;
    tree.feature.push(chosen.feature);
    tree.bin.push(chosen.bin);
    tree.missingLeft.push(chosen.missingLeft);
    tree.levels.push(chosen.levels ?? null);
    tree.gain.push(chosen.gain);
    tree.documents.push(node.sums.documents);
    tree.left.push(~node.leaf);
    tree.right.push(~newLeaf);
    const rightSums = subtract(node.sums, chosen.left);
    const leftIsSmaller = chosen.left.documents <= rightSums.documents;
    // The larger child takes over its parent's histogram.
    const depth = node.depth + 1;
    const path = node.path.includes(chosen.feature) ? node.path : [...node.path, chosen.feature];
    const [leftBounds, rightBounds] = work.bounds?.(node, chosen, rightSums) ?? [NO_BOUNDS, NO_BOUNDS];
    const left: OpenNode = {
      leaf: node.leaf,
      step: limits.step(chosen.left, node.step),
      key: childKey(node.key, true),
      sums: chosen.left,
      slot: leftIsSmaller ? newLeaf : node.slot,
      depth,
      bounds: leftBounds,
      path,
    };
    const right: OpenNode = {
      leaf: newLeaf,
      step: limits.step(rightSums, node.step),
      key: childKey(node.key, false),
      sums: rightSums,
      slot: leftIsSmaller ? node.slot : newLeaf,
      depth,
      bounds: rightBounds,
      path,
    };
    const mayGrow =
      candidates.length + 1 < limits.leaves &&
      depth < limits.depth &&
      Math.max(left.sums.documents, right.sums.documents) >= 2 * limits.leastDocuments;
    const [leftSplit, rightSplit] = work.divide(node, chosen, { left, right, mayGrow });
    candidates[node.leaf] = { node: left, split: leftSplit, parent: number, parentStep: node.step, isLeft: true };
    candidates.push({
      node: right,
      split: rightSplit,
      parent: number,
      parentStep: node.step,
      isLeft: false,
    });
  }
  const leaves = candidates.map(({ node: { sums: own, bounds } }) => ({ documents: own.documents, bounds }));
  leaves.forEach((leaf, i) => {
    tree.leafDocuments[i] = leaf.documents;
  });
  return { tree, leaves, parentSteps: candidates.map(({ parentStep }) => parentStep) };
}

/** The highest gain; of equals the older leaf. */
function bestCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    if (candidate.split !== undefined && candidate.split.gain > (best?.split?.gain ?? 0)) best = candidate;
  }
  return best;
}

function subtract(whole: Sums, part: Sums): Sums {
  return {
    lambda: whole.lambda - part.lambda,
    hessian: whole.hessian - part.hessian,
    documents: whole.documents - part.documents,
  };
}
