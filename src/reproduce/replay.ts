/** The scores of data as trees were added one by one. */
import type { Dataset } from '../data/dataset.js';
import { scoreData } from '../models/ranker.js';
import { TreesModel } from '../models/trees/trees.js';

/** One value a row; `before` and `after` are used again for the next tree. */
export interface Replayed {
  /** Counted from 1. */
  readonly iteration: number;
  readonly before: Float64Array;
  readonly after: Float64Array;
}

export function* replay({ featureNames, trees, base }: TreesModel, data: Dataset): Generator<Replayed> {
  const before = new Float64Array(data.rows);
  const after = new Float64Array(data.rows).fill(base);
  for (const [t, tree] of trees.entries()) {
    before.set(after);
    const added = scoreData(new TreesModel({ featureNames, trees: [tree] }), data);
    for (let row = 0; row < data.rows; row++) after[row]! += added[row]!;
    yield { iteration: t + 1, before, after };
  }
}
