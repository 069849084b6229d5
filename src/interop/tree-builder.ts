/** Makes a tree out of nodes as another system writes them: any numbering, children anywhere. */
import type { LevelSet } from '../kernels/level-set.js';
import { LARGEST_THRESHOLD, type Tree, TreesModel, type TreesParts, withLevels } from '../models/trees/trees.js';
import { type ImportJob, invalid } from './format.js';

/** A node of another system; `Node` is whatever it is known by there. */
export type ReadNode<Node> =
  | { readonly value: number; readonly documents?: number | undefined }
  | {
      readonly feature: number;
      /** A float32; values up to it go left. Counts for nothing where levels of a category go left. */
      readonly threshold: number;
      readonly levels?: LevelSet | undefined;
      readonly missingLeft: boolean;
      readonly zeroMissing?: boolean;
      readonly left: Node;
      readonly right: Node;
      readonly gain?: number;
      readonly documents?: number | undefined;
    };

export function buildTree<Node>(root: Node, nodeOf: (node: Node) => ReadNode<Node>, job: ImportJob): Tree {
  const feature: number[] = [];
  const threshold: number[] = [];
  const missingLeft: number[] = [];
  const zeroMissing: number[] = [];
  const leftLevels: (LevelSet | undefined)[] = [];
  const left: number[] = [];
  const right: number[] = [];
  const gain: number[] = [];
  const documents: number[] = [];
  const value: number[] = [];
  const leafDocuments: number[] = [];
  const seen = new Set<Node>();
  // Parents before children, whatever the depth.
  const open: { node: Node; link(child: number): void }[] = [{ node: root, link() {} }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, link } = next;
    if (seen.has(node)) return invalid(job, 'a node of a tree is reached in two ways');
    seen.add(node);
    const read = nodeOf(node);
    if ('value' in read) {
      if (!Number.isFinite(read.value))
        invalid(job, `the value of a leaf is ${read.value}; it must be a finite number`);
      link(~value.length);
      value.push(read.value);
      leafDocuments.push(Math.max(0, finite(read.documents)));
      continue;
    }
    if (!Number.isInteger(read.feature))
      invalid(job, `a split is by feature ${read.feature}; it must be a whole number`);
    const id = feature.length;
    link(id);
    feature.push(read.feature);
    if (Number.isNaN(read.threshold)) invalid(job, 'a threshold is not a number');
    // Whatever is finite goes left at infinity, and at the largest number; to the right of minus infinity, which is the
    // same mirrored.
    const mirrored = read.threshold < -LARGEST_THRESHOLD;
    threshold.push(mirrored ? LARGEST_THRESHOLD : Math.min(read.threshold, LARGEST_THRESHOLD));
    missingLeft.push(read.missingLeft === mirrored ? 0 : 1);
    zeroMissing.push(read.zeroMissing ? 1 : 0);
    leftLevels.push(read.levels);
    gain.push(finite(read.gain));
    documents.push(Math.max(0, finite(read.documents)));
    open.push(
      { node: mirrored ? read.left : read.right, link: child => (right[id] = child) },
      { node: mirrored ? read.right : read.left, link: child => (left[id] = child) },
    );
  }
  return {
    feature: Int32Array.from(feature),
    threshold: Float32Array.from(threshold),
    missingLeft: Uint8Array.from(missingLeft),
    ...(zeroMissing.includes(1) ? { zeroMissing: Uint8Array.from(zeroMissing) } : {}),
    ...withLevels(leftLevels),
    left: Int32Array.from(left),
    right: Int32Array.from(right),
    value: Float64Array.from(value),
    gain: Float64Array.from(gain),
    documents: Float64Array.from(documents),
    // Writers that know none write zeros, or leave them out.
    ...(leafDocuments.some(count => count > 0) ? { leafDocuments: Float64Array.from(leafDocuments) } : {}),
  };
}

function finite(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0;
}

/** A model whose first tree is a lone leaf has it as its base; adding it to zero changes nothing. */
export function treesModel(parts: TreesParts): TreesModel {
  const [first, ...rest] = parts.trees;
  const lone = (parts.base ?? 0) === 0 && first !== undefined && first.feature.length === 0;
  return new TreesModel(lone ? { ...parts, base: first.value[0]!, trees: rest } : parts);
}
