/**
 * A split as it stands in files of other systems. Here value <= threshold goes left; there another comparison does,
 * with a number that makes it the same for every float32.
 */
import { LARGEST_THRESHOLD, type Tree } from '../models/trees/trees.js';
import { nextAbove, nextBelow, wideThreshold } from './float32.js';

export interface WrittenNode {
  /** The number in the file. */
  readonly condition: number;
  readonly left: number;
  readonly right: number;
  readonly missingLeft: boolean;
}

/** How a format writes a split. */
export type NodeWriter = (tree: Tree, node: number) => WrittenNode;

const nodeWith =
  (conditionOf: (threshold: number) => number): NodeWriter =>
  (tree, node) => ({
    condition: conditionOf(tree.threshold[node]!),
    left: tree.left[node]!,
    right: tree.right[node]!,
    missingLeft: tree.missingLeft[node] === 1,
  });

/** For `<=` of 32 bits, or of 64 over values that are float32. */
export const plainNode = nodeWith(threshold => threshold);

/** For `<=` and `<` of 64 bits: a number between two float32, which no value equals. */
export const wideNode = nodeWith(wideThreshold);

/** For `<` of 32 bits. */
export const strictNode: NodeWriter = (tree, node) => {
  const { condition, left, right, missingLeft } = nodeWith(nextAbove)(tree, node);
  if (tree.threshold[node] !== LARGEST_THRESHOLD) return { condition, left, right, missingLeft };
  // All but missing values below infinity is none of them below the least number, mirrored; JSON has no infinity.
  return { condition: -LARGEST_THRESHOLD, left: right, right: left, missingLeft: !missingLeft };
};

/** What Solr adds to every threshold that it reads, in 32 bits. */
export const SOLR_SLACK = Math.fround(1e-6);

const withSlack = (written: number) => Math.fround(written + SOLR_SLACK);

/**
 * The float32 that Solr makes the threshold of. Where there is none, the one of the nearest threshold above: values at
 * the threshold are more likely in data than its neighbours.
 */
export function withoutSlack(threshold: number): number {
  let written = Math.fround(threshold - SOLR_SLACK);
  while (withSlack(written) < threshold) written = nextAbove(written);
  for (let below = nextBelow(written); withSlack(below) >= threshold; below = nextBelow(written)) written = below;
  return written;
}

export function hasNoSlackless(threshold: number): boolean {
  return withSlack(withoutSlack(threshold)) !== threshold;
}

export const slackNode = nodeWith(withoutSlack);
