/**
 * Shapley values of trees against background documents: an unknown feature has the value that it has there, on average
 * over them (the interventional TreeSHAP of Lundberg and others 2020).
 */
import type { FeatureBlock } from '../../data/dataset.js';
import { type ForkedTree, orderWeights, TreeBackgroundKernel } from '../../kernels/tree-background.js';
import type { Tree, TreesModel } from '../trees/trees.js';
import { completeInteractions, type Explainer } from './explainer.js';
import { fillSides } from './sides.js';
import { treePaths } from './tree-paths.js';

export class BackgroundExplainer implements Explainer {
  readonly how = 'background';
  readonly base: number;
  readonly featureNames: readonly string[];
  readonly #background: FeatureBlock;
  readonly #own: Int32Array;
  readonly #trees: readonly (Tree & ForkedTree)[];
  readonly #kernel: TreeBackgroundKernel;

  /** Columns of the background are in the order of the model's features. */
  constructor(model: TreesModel, background: FeatureBlock) {
    const { trees, featureNames } = model;
    this.featureNames = featureNames;
    this.#background = background;
    this.#own = Int32Array.from(featureNames, (_, f) => f);
    this.#trees = trees.filter(({ feature }) => feature.length > 0).map(tree => ({ ...tree, ...treePaths(tree) }));
    this.#kernel = new TreeBackgroundKernel(this.#trees, featureNames.length, background.rows);
    const scores = new Float64Array(background.rows);
    // Values are 64-bit sums, also of models that round theirs.
    model.with({ sums: 'float64' }).scoreBlock(background, this.#own, 0, scores);
    this.base = scores.reduce((sum, score) => sum + score, 0) / background.rows;
  }

  values(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    const { documents, went, othersWent, out: found } = this.#kernel;
    const width = this.featureNames.length + 1;
    for (let from = 0; from < block.rows; from += documents) {
      const n = Math.min(documents, block.rows - from);
      found.fill(0);
      for (const tree of this.#trees) {
        fillSides(tree, { block, columns, absent, from, n }, went, documents);
        this.#fillOthers(tree, othersWent);
        this.#kernel.add(tree, n);
      }
      for (let i = 0; i < n; i++) found[(i + 1) * width - 1] = this.base;
      out.set(found.subarray(0, n * width), from * width);
    }
  }

  #fillOthers(tree: Tree, went: Uint8Array): void {
    const { rows: n } = this.#background;
    fillSides(tree, { block: this.#background, columns: this.#own, absent: 0, from: 0, n }, went, n);
  }

  interactions(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    const width = this.featureNames.length + 1;
    const { rows } = block;
    const others = this.#background.rows;
    const values = new Float64Array(rows * width);
    this.values(block, columns, absent, values);
    out.fill(0, 0, rows * width * width);
    for (const tree of this.#trees) {
      const weights = orderWeights(tree.most + 1);
      const went = new Uint8Array(tree.feature.length * rows);
      const othersWent = new Uint8Array(tree.feature.length * others);
      fillSides(tree, { block, columns, absent, from: 0, n: rows }, went, rows);
      this.#fillOthers(tree, othersWent);
      for (let i = 0; i < rows; i++) {
        const matrix = out.subarray(i * width * width, (i + 1) * width * width);
        for (let j = 0; j < others; j++) {
          const goesLeft = [(node: number) => went[node * rows + i]!, (node: number) => othersWent[node * others + j]!];
          addPairs(tree, weights, goesLeft[0]!, goesLeft[1]!, 1 / others, matrix, width);
        }
      }
    }
    for (let i = 0; i < rows; i++) {
      const matrix = out.subarray(i * width * width, (i + 1) * width * width);
      completeInteractions(matrix, values.subarray(i * width, (i + 1) * width - 1), this.base);
    }
  }
}

/** Adds, for each pair f < g, what the two add together: the second difference of the leaf's value. */
function addPairs(
  tree: ForkedTree,
  weights: Float64Array,
  firstLeft: (node: number) => number,
  secondLeft: (node: number) => number,
  share: number,
  matrix: Float64Array,
  width: number,
): void {
  const weight = (a: number, c: number) => weights[a * (tree.most + 1) + c]!;
  const first: number[] = [];
  const second: number[] = [];
  const add = (f: number, g: number, value: number) => {
    matrix[Math.min(f, g) * width + Math.max(f, g)]! += value;
  };
  const below = (node: number): void => {
    if (node < 0) {
      const value = tree.value[~node]! * share;
      const [a, c] = [first.length, second.length];
      for (let i = 0; i < a; i++) {
        for (let j = i + 1; j < a; j++) add(first[i]!, first[j]!, value * weight(a - 1, c));
        for (let j = 0; j < c; j++) add(first[i]!, second[j]!, -value * weight(a, c - 1));
      }
      for (let i = 0; i < c; i++) {
        for (let j = i + 1; j < c; j++) add(second[i]!, second[j]!, value * weight(c - 1, a));
      }
      return;
    }
    const feature = tree.feature[node]!;
    const [x, y] = [firstLeft(node), secondLeft(node)];
    const to = (left: number) => (left === 1 ? tree.left[node]! : tree.right[node]!);
    if (x === y || first.includes(feature)) below(to(x));
    else if (second.includes(feature)) below(to(y));
    else {
      first.push(feature);
      below(to(x));
      first.pop();
      second.push(feature);
      below(to(y));
      second.pop();
    }
  };
  below(0);
}
