/**
 * Grows one tree, best leaf first, from quantised gradients: all sums are integers, so neither the order of rows nor
 * the number of threads nor the way a histogram was come by (built or subtracted) can change a split. What is costly is
 * behind `NodeWork`, so that the plain reference and the kernels grow by the same rules.
 */
import type { BinnedSplit } from '../binning/columns.js';
import { type Bounds, NO_BOUNDS } from './monotone.js';
import { childKey } from './node-features.js';
import type { GrownTree } from './tree.js';

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

/** A leaf of the tree so far, and how it is best split. */
interface Candidate {
  readonly node: OpenNode;
  readonly split: Split | undefined;
  /** The node that it hangs from; undefined for the root. */
  readonly parent: DividedNode | undefined;
  readonly parentStep: number;
  readonly isLeft: boolean;
}

/** A node that was split; a child c < 0 is leaf ~c. */
interface DividedNode {
  readonly split: Split;
  readonly documents: number;
  left: number;
  right: number;
}

/*
 * In several functions, and with nodes put into columns last of all: as one function with a column each, it took an
 * optimising compiler as long as five trees, at the cost of the threads at work.
 */
export function growTree(work: NodeWork, limits: GrowthLimits): GrowthResult {
  const { sums, split } = work.root(limits.key);
  const step = limits.step(sums, undefined);
  const root = { leaf: 0, step, key: limits.key, sums, slot: 0, depth: 0, bounds: NO_BOUNDS, path: [] };
  const nodes: DividedNode[] = [];
  const leaves: Candidate[] = [{ node: root, split, parent: undefined, parentStep: step, isLeft: false }];
  while (leaves.length < limits.leaves) {
    const best = bestCandidate(leaves);
    if (best?.split === undefined) break;
    divideLeaf(work, limits, best, best.split, nodes, leaves);
  }
  return {
    tree: treeOf(nodes, leaves),
    leaves: leaves.map(({ node: { sums: own, bounds } }) => ({ documents: own.documents, bounds })),
    parentSteps: leaves.map(({ parentStep }) => parentStep),
  };
}

/** Its left child takes its place among the leaves, the right one comes last. */
function divideLeaf(
  work: NodeWork,
  limits: GrowthLimits,
  { node, parent, isLeft }: Candidate,
  split: Split,
  nodes: DividedNode[],
  leaves: Candidate[],
): void {
  if (parent !== undefined) parent[isLeft ? 'left' : 'right'] = nodes.length;
  const divided = { split, documents: node.sums.documents, left: ~node.leaf, right: ~leaves.length };
  nodes.push(divided);
  const [left, right] = childrenOf(work, limits, node, split, leaves.length);
  const mayGrow =
    leaves.length + 1 < limits.leaves &&
    left.depth < limits.depth &&
    Math.max(left.sums.documents, right.sums.documents) >= 2 * limits.leastDocuments;
  const [ofLeft, ofRight] = work.divide(node, split, { left, right, mayGrow });
  leaves[node.leaf] = { node: left, split: ofLeft, parent: divided, parentStep: node.step, isLeft: true };
  leaves.push({ node: right, split: ofRight, parent: divided, parentStep: node.step, isLeft: false });
}

function childrenOf(
  work: NodeWork,
  limits: GrowthLimits,
  node: OpenNode,
  split: Split,
  newLeaf: number,
): [OpenNode, OpenNode] {
  const rightSums = subtract(node.sums, split.left);
  // The larger child takes over its parent's histogram.
  const slots = split.left.documents <= rightSums.documents ? [newLeaf, node.slot] : [node.slot, newLeaf];
  const path = node.path.includes(split.feature) ? node.path : [...node.path, split.feature];
  const [leftBounds, rightBounds] = work.bounds?.(node, split, rightSums) ?? [NO_BOUNDS, NO_BOUNDS];
  const child = (leaf: number, sums: Sums, isLeft: boolean, bounds: Bounds): OpenNode => ({
    leaf,
    step: limits.step(sums, node.step),
    key: childKey(node.key, isLeft),
    sums,
    slot: slots[isLeft ? 0 : 1]!,
    depth: node.depth + 1,
    bounds,
    path,
  });
  return [child(node.leaf, split.left, true, leftBounds), child(newLeaf, rightSums, false, rightBounds)];
}

function treeOf(nodes: readonly DividedNode[], leaves: readonly Candidate[]): GrownTree {
  const splits = nodes.map(({ split }) => split);
  return {
    feature: splits.map(({ feature }) => feature),
    bin: splits.map(({ bin }) => bin),
    missingLeft: splits.map(({ missingLeft }) => missingLeft),
    levels: splits.map(({ levels }) => levels ?? null),
    left: nodes.map(({ left }) => left),
    right: nodes.map(({ right }) => right),
    gain: splits.map(({ gain }) => gain),
    documents: nodes.map(({ documents }) => documents),
    leafDocuments: leaves.map(({ node }) => node.sums.documents),
  };
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
