/**
 * Shapley values of trees by the ways of their training documents: an unknown feature sends a document both ways at its
 * splits, in the shares in which training documents went (the path-dependent TreeSHAP of Lundberg and others 2020).
 */
import type { FeatureBlock } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import { type ShapleyTree, TreeShapleyKernel } from '../../kernels/tree-shapley.js';
import type { Tree, TreesModel } from '../trees/trees.js';
import { completeInteractions, type Explainer } from './explainer.js';
import { fillSides } from './sides.js';
import { treePaths } from './tree-paths.js';

export class PathsExplainer implements Explainer {
  readonly how = 'paths';
  readonly base: number;
  readonly featureNames: readonly string[];
  readonly #trees: readonly (ShapleyTree & Tree)[];
  #values: TreeShapleyKernel | undefined;
  #pairs: TreeShapleyKernel | undefined;

  constructor({ trees, base, featureNames }: TreesModel) {
    const without = trees.findIndex(tree => tree.feature.length > 0 && tree.leafDocuments === undefined);
    if (without >= 0) {
      throw new ListwiseError(
        'background-missing',
        `tree ${without + 1} of the model does not say how many training documents came to its leaves, as Shapley values by paths need it; give documents to compare with as \`background\``,
      );
    }
    const planned = trees.map(tree => ({ tree, ...treePaths(tree) }));
    this.featureNames = featureNames;
    this.base = planned.reduce((sum, { mean }) => sum + mean, base);
    this.#trees = planned.filter(({ most }) => most > 0).map(({ tree, ...paths }) => ({ ...tree, ...paths }));
  }

  values(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    this.#values ??= new TreeShapleyKernel(this.#trees, this.featureNames.length, false);
    const width = this.featureNames.length + 1;
    for (const { from, n } of this.#add(this.#values, block, columns, absent)) {
      const found = this.#values.out.subarray(0, n * width);
      for (let i = 0; i < n; i++) found[(i + 1) * width - 1] = this.base;
      out.set(found, from * width);
    }
  }

  interactions(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    this.#pairs ??= new TreeShapleyKernel(this.#trees, this.featureNames.length, true);
    const width = this.featureNames.length + 1;
    const values = new Float64Array(block.rows * width);
    this.values(block, columns, absent, values);
    for (const { from, n } of this.#add(this.#pairs, block, columns, absent)) {
      out.set(this.#pairs.out.subarray(0, n * width * width), from * width * width);
    }
    for (let i = 0; i < block.rows; i++) {
      const matrix = out.subarray(i * width * width, (i + 1) * width * width);
      completeInteractions(matrix, values.subarray(i * width, (i + 1) * width - 1), this.base);
    }
  }

  /** Goes through the rows in chunks; after each one, the kernel has what all trees add up to for it. */
  *#add(kernel: TreeShapleyKernel, block: FeatureBlock, columns: Int32Array, absent: number) {
    for (let from = 0; from < block.rows; from += kernel.documents) {
      const n = Math.min(kernel.documents, block.rows - from);
      kernel.out.fill(0);
      for (const tree of this.#trees) {
        kernel.load(tree);
        fillSides(tree, { block, columns, absent, from, n }, kernel.went, kernel.documents);
        kernel.add(n);
      }
      yield { from, n };
    }
  }
}
