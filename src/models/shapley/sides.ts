/** Which way documents go at every node of a tree, reached or not. */
import type { FeatureBlock } from '../../data/dataset.js';
import { goesLeft, type Tree } from '../trees/trees.js';

/** Rows of a block from `from` on, n of them. */
export interface RowsOfBlock {
  readonly block: FeatureBlock;
  /** Column of each of the model's features; -1 where the data lacks it, and documents have `absent`. */
  readonly columns: Int32Array;
  readonly absent: number;
  readonly from: number;
  readonly n: number;
}

/** went[node * stride + i] is 1 where row i goes left. */
export function fillSides(
  tree: Tree,
  { block, columns, absent, from, n }: RowsOfBlock,
  went: Uint8Array,
  stride: number,
): void {
  for (let node = 0; node < tree.feature.length; node++) {
    const feature = tree.feature[node]!;
    const column = columns[feature]!;
    const at = node * stride;
    if (column < 0) went.fill(Number(goesLeft(tree, node, absent)), at, at + n);
    else {
      const start = column * block.stride + from;
      const values = block.data.subarray(start, start + n);
      if (tree.zeroMissing?.[node] === 1 || tree.leftLevels?.[node] !== undefined)
        went.set(
          Uint8Array.from(values, value => Number(goesLeft(tree, node, value))),
          at,
        );
      else compare(values, tree.threshold[node]!, tree.missingLeft[node]!, went, at);
    }
  }
}

/** As `goesLeft` by a threshold, where only NaN is missing, in a loop of its own so that it is compiled well. */
function compare(values: Float32Array, threshold: number, missingLeft: number, went: Uint8Array, at: number): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    went[at + i] = value <= threshold ? 1 : value > threshold ? 0 : missingLeft;
  }
}
