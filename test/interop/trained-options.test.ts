/** Models trained with the options of trees go to other systems' files and come back the same, to the bit. */
import { describe, expect, it } from 'vitest';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { scoreData } from '#listwise/models/ranker.js';
import type { TreesModel } from '#listwise/models/trees/trees.js';
import { train } from '#listwise/training/train.js';
import { treeData } from '../training/boosting/tree-data.js';

const data = treeData(1, { queries: 60 });
const grown = async (options: object, from?: TreesModel) => {
  const shape = { trees: 20, leaves: 12, minDocuments: 5, rate: 0.3, evaluateEvery: 0 };
  return (await train({ model: 'trees', data, validate: data, from, options: { ...shape, ...options } })).model;
};

const trained = {
  interactions: () => grown({ interactions: ['1+3', '2+4+6'] }),
  'one-side sampling': () => grown({ topShare: 0.3 }),
  dropout: () => grown({ dropRate: 0.3, skipDrop: 0 }),
  'refitted leaves': async () => grown({ refitDecay: 0.4 }, await grown({})),
};

describe.each(Object.entries(trained))('a model with %s', (_, make) => {
  // XGBoost rounds every sum to 32 bits, and so does a model that was there.
  it.each([
    ['lightgbm', 'float64'],
    ['xgboost', 'float32'],
    ['xgboost-dump', 'float32'],
    ['listwise', 'float64'],
  ] as const)('comes back from %s', async (to, sums) => {
    const model = (await make()).with({ sums });
    const { files, losses } = exportModel(model, { to });
    expect(losses).toEqual([]);
    const again = importModel(files[0]!.content, { featureSet: data.featureNames }).model;
    expect(scoreData(again, data)).toEqual(scoreData(model, data));
  });
});
