/** What writers of trees share: the base as a tree, remarks on widths, and losses about missing values. */
import { plural } from '../errors.js';
import type { SumWidth, Tree, TreesModel } from '../models/trees/trees.js';
import { type Changes, type ExportJob, inexpressible } from './format.js';

/** Levels of a tree that formats of nested nodes hold: readers of such files go down as deep. */
export const MOST_LEVELS = 1000;

export function refuseDeepTrees(model: TreesModel): void {
  const { depth } = model.size();
  if (depth > MOST_LEVELS)
    inexpressible(`a tree of the model is ${depth} levels deep; files of nested nodes hold ${MOST_LEVELS} at most`);
}

/** The trees with the base before them as a lone leaf, for formats that have no base. */
export function treesWithBase(model: TreesModel): readonly Tree[] {
  return model.base === 0 ? model.trees : [loneLeaf(model.base), ...model.trees];
}

export function loneLeaf(value: number): Tree {
  const none = new Int32Array(0);
  const zero = new Float64Array(0);
  return {
    feature: none,
    left: none,
    right: none,
    threshold: new Float32Array(0),
    missingLeft: new Uint8Array(0),
    value: Float64Array.of(value),
    gain: zero,
    documents: zero,
  };
}

/**
 * Says where scores can differ in their last digits. `target` is how the system adds up that the format comes from; the
 * engine that the file is for may do it otherwise.
 */
export function noteWidth(model: TreesModel, target: SumWidth, { changes, rule }: ExportJob): void {
  const narrow = (value: number) => Math.fround(value) === value;
  if (target === 'float32' && !(narrow(model.base) && model.trees.every(tree => tree.value.every(narrow)))) {
    changes.notice('values of leaves are rounded to 32 bits');
  }
  const own = rule?.trees?.sums ?? target;
  const sums = own === 'compensated' ? 'float64' : own;
  if (model.sums !== sums) {
    const bits = { float32: 'rounded to 32 bits after every tree', float64: '64-bit' };
    changes.notice(`sums of leaf values are ${bits[sums]} there, ${bits[model.sums]} here`);
  }
}

/** For formats in which a zero is a number like any other. */
export function loseZeroMissing(model: TreesModel, changes: Changes): void {
  const nodes = countNodes(model, (tree, node) => tree.zeroMissing?.[node] === 1);
  if (nodes > 0)
    changes.loses(`zeros count as missing in ${plural(nodes, 'split')} of the model; there they are compared`);
}

/** For formats in which a missing value is a zero. */
export function loseMissing(model: TreesModel, changes: Changes): void {
  loseZeroMissing(model, changes);
  const nodes = countNodes(model, (tree, node) => (tree.missingLeft[node] === 1) !== 0 <= tree.threshold[node]!);
  if (nodes > 0) {
    changes.loses(
      `missing values count as 0 there; ${plural(nodes, 'split')} of the model ${nodes === 1 ? 'sends' : 'send'} them to the other side than 0`,
      'ways',
    );
  }
}

export function countNodes(model: TreesModel, has: (tree: Tree, node: number) => boolean): number {
  let count = 0;
  for (const tree of model.trees) for (let node = 0; node < tree.feature.length; node++) if (has(tree, node)) count++;
  return count;
}
