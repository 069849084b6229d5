/** Shapley values of a weighted sum: what the value of a feature adds, less what it adds on average. */
import type { FeatureBlock } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import { isStandardised, type LinearModel } from '../linear/linear.js';
import { completeInteractions, type Explainer } from './explainer.js';

export class LinearExplainer implements Explainer {
  readonly how: Explainer['how'];
  readonly base: number;
  readonly featureNames: readonly string[];
  readonly #model: LinearModel;
  /** What each feature adds on average. */
  readonly #means: Float64Array;

  constructor(model: LinearModel, background?: FeatureBlock) {
    if (background === undefined && !isStandardised(model)) {
      throw new ListwiseError(
        'background-missing',
        'the linear model does not know the means of its features, as it was trained without standardising them; give documents to compare with as `background`',
      );
    }
    this.#model = model;
    this.how = background === undefined ? 'mean' : 'background';
    this.featureNames = model.featureNames;
    this.#means = Float64Array.from(model.featureNames, (_, f) => {
      if (background === undefined) return model.term(f, model.mean[f]!);
      const { data, stride, rows } = background;
      const values = data.subarray(f * stride, f * stride + rows);
      return values.reduce((sum, value) => sum + model.term(f, value), 0) / rows;
    });
    this.base = this.#means.reduce((sum, mean) => sum + mean, model.bias);
  }

  values(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    const width = this.#means.length + 1;
    for (let i = 0; i < block.rows; i++) {
      for (let f = 0; f < width - 1; f++) {
        const value = columns[f]! < 0 ? absent : block.data[columns[f]! * block.stride + i]!;
        out[i * width + f] = this.#model.term(f, value) - this.#means[f]!;
      }
      out[(i + 1) * width - 1] = this.base;
    }
  }

  /** There are none: every feature acts alone. */
  interactions(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    const width = this.#means.length + 1;
    const values = new Float64Array(block.rows * width);
    this.values(block, columns, absent, values);
    out.fill(0, 0, block.rows * width * width);
    for (let i = 0; i < block.rows; i++) {
      const matrix = out.subarray(i * width * width, (i + 1) * width * width);
      completeInteractions(matrix, values.subarray(i * width, (i + 1) * width - 1), this.base);
    }
  }
}
