/**
 * What threads do to rows of data, block by block: scores, leaves, Shapley values. Each thread makes its worker once,
 * from the model and the order.
 */
import type { Dataset, FeatureBlock } from '../data/dataset.js';
import { refuseInfiniteScores } from '../data/finite-scores.js';
import { ListwiseError } from '../errors.js';
import { isOfKind } from './all.js';
import type { Ranker } from './ranker.js';
import { explainerOf } from './shapley/explainer-of.js';
import { leafOf } from './trees/trees.js';

export interface RowWorker {
  /** Numbers a row. */
  readonly width: number;
  /** Rows that a thread takes at a time. */
  readonly pieceRows: number;
  /** With fewer rows, starting threads takes longer than the work. */
  readonly leastRows: number;
  /** Fills out[i * width …] for the rows of a block; columns and `absent` are as for `scoreBlock`. */
  fill(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void;
  /** Looks at what was filled in. */
  check?(out: Float64Array, data: Dataset): void;
}

/**
 * What is asked for: scores; the leaf of every tree; Shapley values, or their interactions, against a background of
 * documents where one is given.
 *
 * @example
 * import type { RowOrder } from 'listwise/models';
 *
 * const order: RowOrder = { name: 'contributions' };
 */
export interface RowOrder {
  readonly name: keyof typeof rowWorks;
  /** Columns are in the order of the model's features. */
  readonly background?: FeatureBlock | undefined;
}

const rowWorks = {
  scores: (model: Ranker): RowWorker => ({
    width: 1,
    pieceRows: 2048,
    leastRows: 50_000,
    fill: (block, columns, absent, out) => model.scoreBlock(block, columns, absent, out),
    check: refuseInfiniteScores,
  }),
  leaves: leafWorker,
  contributions(model: Ranker, background?: FeatureBlock): RowWorker {
    const explainer = explainerOf(model, background);
    return {
      width: model.featureNames.length + 1,
      pieceRows: 256,
      leastRows: 1000,
      fill: (block, columns, absent, out) => explainer.values(block, columns, absent, out),
    };
  },
  interactions(model: Ranker, background?: FeatureBlock): RowWorker {
    const explainer = explainerOf(model, background);
    return {
      width: (model.featureNames.length + 1) ** 2,
      pieceRows: 16,
      leastRows: 200,
      fill: (block, columns, absent, out) => explainer.interactions(block, columns, absent, out),
    };
  },
};

export function rowWorker(model: Ranker, { name, background }: RowOrder): RowWorker {
  return rowWorks[name](model, background);
}

/** Leaves by number, as in the model file, from 0. */
function leafWorker(model: Ranker): RowWorker {
  if (!isOfKind(model, 'trees'))
    throw new ListwiseError('model-unsupported', `a ${model.kind} model has no leaves; only sums of trees do`);
  const { trees, featureNames } = model;
  const row = new Float32Array(featureNames.length);
  return {
    width: trees.length,
    pieceRows: 256,
    leastRows: 5000,
    fill(block, columns, absent, out) {
      for (let i = 0; i < block.rows; i++) {
        for (let f = 0; f < row.length; f++)
          row[f] = columns[f]! < 0 ? absent : block.data[columns[f]! * block.stride + i]!;
        for (let t = 0; t < trees.length; t++) out[i * trees.length + t] = leafOf(trees[t]!, row);
      }
    },
  };
}
