/** An ensemble at altered leaf values: a document keeps its leaves, its score moves by their alterations. */
import type { FeatureBlock } from '../../data/dataset.js';
import { addSteps, type Perturbation, roomFor } from '../perturbation.js';
import { goesLeft, type Tree, type TreesModel } from './trees.js';

export class TreesPerturbation implements Perturbation {
  readonly title = 'leaf values';
  readonly parameters: Float64Array;
  readonly #model: TreesModel;
  /** First parameter of each tree. */
  readonly #first: readonly number[];
  #rows = 0;
  #base: Float64Array = new Float64Array(0);
  #change: Float64Array = new Float64Array(0);
  /** The parameter that row i gets of tree t is leaves[t * rows + i]. */
  #leaves = new Uint32Array(0);

  constructor(model: TreesModel) {
    this.#model = model;
    let leaves = 0;
    this.#first = model.trees.map(({ value }) => {
      leaves += value.length;
      return leaves - value.length;
    });
    this.parameters = Float64Array.from(model.trees.flatMap(({ value }) => [...value]));
  }

  describe(i: number): string {
    const tree = this.#first.findLastIndex(first => first <= i);
    return `leaf ${i - this.#first[tree]! + 1} of tree ${tree + 1}`;
  }

  at(parameters: Float64Array): TreesModel {
    const trees = this.#model.trees.map((tree, t): Tree => {
      const first = this.#first[t]!;
      return { ...tree, value: parameters.slice(first, first + tree.value.length) };
    });
    return this.#model.with({ trees });
  }

  show(block: FeatureBlock, columns: Int32Array, absent: number): void {
    const { rows } = block;
    const { trees } = this.#model;
    this.#rows = rows;
    this.#base = roomFor(this.#base, rows);
    this.#change = roomFor(this.#change, rows);
    this.#model.scoreBlock(block, columns, absent, this.#base);
    if (this.#leaves.length < rows * trees.length) this.#leaves = new Uint32Array(rows * trees.length);
    for (const [t, tree] of trees.entries()) {
      findLeaves(tree, this.#first[t]!, block, columns, absent, this.#leaves, t * rows);
    }
  }

  alter(direction: Float64Array, steps: readonly number[], out: readonly Float64Array[]): void {
    this.#changeAlong(direction);
    addSteps(this.#base, this.#change, steps, this.#rows, out);
  }

  line(direction: Float64Array, start: Float64Array, slope: Float64Array): void {
    this.#changeAlong(direction);
    start.set(this.#base.subarray(0, this.#rows));
    slope.set(this.#change.subarray(0, this.#rows));
  }

  #changeAlong(direction: Float64Array): void {
    const rows = this.#rows;
    this.#change.fill(0, 0, rows);
    for (let t = 0; t < this.#first.length; t++) addLeaves(this.#change, direction, this.#leaves, t * rows, rows);
  }
}

/** As `leafOf`, for the rows of a block: leaves[at + i] = first + leaf of row i. */
function findLeaves(
  tree: Tree,
  first: number,
  block: FeatureBlock,
  columns: Int32Array,
  absent: number,
  leaves: Uint32Array,
  at: number,
): void {
  const { feature, left, right } = tree;
  for (let i = 0; i < block.rows; i++) {
    let node = feature.length === 0 ? ~0 : 0;
    while (node >= 0) {
      const column = columns[feature[node]!]!;
      const value = column < 0 ? absent : block.data[column * block.stride + i]!;
      node = goesLeft(tree, node, value) ? left[node]! : right[node]!;
    }
    leaves[at + i] = first + ~node;
  }
}

function addLeaves(change: Float64Array, direction: Float64Array, leaves: Uint32Array, at: number, rows: number): void {
  for (let i = 0; i < rows; i++) change[i]! += direction[leaves[at + i]!]!;
}
