/** CatBoost's JSON, as its own exporter writes it, by the rule of its formula: bit d of a leaf's number is test d. */
import { describe, expect, it } from 'vitest';
import { importModel } from '#listwise/interop/convert.js';
import type { Tree } from '#listwise/models/trees/trees.js';

const number = (border: number, index = 0) => ({
  split_type: 'FloatFeature',
  float_feature_index: index,
  border,
  split_index: 0,
});
const level = (value: number) => ({ split_type: 'OneHotFeature', cat_feature_index: 0, value, split_index: 1 });

const features = {
  float_features: [
    { feature_index: 0, flat_feature_index: 0, feature_id: 'price', has_nans: true, nan_value_treatment: 'AsFalse' },
    { feature_index: 1, flat_feature_index: 2, feature_id: '', has_nans: true, nan_value_treatment: 'AsTrue' },
  ],
  categorical_features: [{ feature_index: 0, flat_feature_index: 1, feature_id: 'brand', values: [-7, 12, 99] }],
  cat_features_hash: [
    { hash: 2 ** 32 - 7, value: 'acme' },
    { hash: 12, value: 'apex' },
    { hash: 99, value: 'bolt' },
  ],
};
const model = {
  features_info: features,
  model_info: {},
  oblivious_trees: [
    { splits: [number(1.5), level(12), number(0.25, 1)], leaf_values: [1, 2, 4, 8, 16, 32, 64, 128] },
    { splits: [level(-7)], leaf_values: [0.5, 0.25] },
    { splits: null, leaf_values: [3] },
  ],
  scale_and_bias: [2, [10]],
};
const read = (json: unknown) => importModel(JSON.stringify(json), { file: 'm' });

describe('a CatBoost model', () => {
  it('scores by its rule: scale x sum + bias', () => {
    const { model: read_, format, losses } = read(model);
    expect([format, losses]).toEqual(['catboost', []]);
    expect(read_.featureNames).toEqual(['price', 'brand', '2']);
    expect(read_.description?.categories).toEqual({ brand: ['acme', 'apex', 'bolt'] });
    const [acme, apex, bolt] = [0, 1, 2];
    const expected = (price: number, brand: number, other: number) => {
      const bits = [price > 1.5, brand === apex, Number.isNaN(other) || other > 0.25];
      const leaf = bits.reduce((sum, bit, test) => sum + (bit ? 2 ** test : 0), 0);
      return 10 + 2 * (2 ** leaf + (brand === acme ? 0.25 : 0.5) + 3);
    };
    for (const price of [1, 1.5, 2, Number.NaN]) {
      for (const brand of [acme, apex, bolt, 3, Number.NaN]) {
        for (const other of [0, 0.25, 1, Number.NaN]) {
          expect(read_.scoreRow([price, brand!, other])).toBe(expected(price, brand!, other));
        }
      }
    }
  });

  it('keeps the weights of leaves', () => {
    const tree = { splits: [number(1), number(2)], leaf_values: [1, 2, 4, 8], leaf_weights: [10, 20, 30, 0] };
    const found = read({ ...model, oblivious_trees: [tree] }).model;
    if (found.kind !== 'trees') throw new Error(found.kind);
    const [{ leafDocuments, value }] = found.trees as [Tree];
    // Leaf values are doubled.
    expect([...leafDocuments!].map((weight, leaf) => weight * value[leaf]!).sort((a, b) => a - b)).toEqual([
      0, 20, 80, 240,
    ]);
  });

  it('of nested trees is read, too', () => {
    const leaf = (value: number) => ({ value, weight: 1 });
    const tree = { split: level(99), left: leaf(1), right: { split: number(3), left: leaf(2), right: leaf(4) } };
    const { oblivious_trees: _, ...others } = model;
    const nested = read({ ...others, scale_and_bias: [1, [0]], trees: [tree] }).model;
    expect([nested.scoreRow([9, 0, 0]), nested.scoreRow([3, 2, 0]), nested.scoreRow([3.5, 2, 0])]).toEqual([1, 2, 4]);
  });

  it('without names, as it is saved from a matrix, is called by its columns or by the names that are given', () => {
    const unnamed = {
      float_features: [0, 2].map(column => ({
        ...{
          borders: [-3.4028234663852886e38, 1],
          feature_id: '',
          feature_index: column / 2,
          flat_feature_index: column,
        },
        ...{ has_nans: false, nan_value_treatment: 'AsIs' },
      })),
    };
    const trees = [{ splits: [number(-3.4028234663852886e38, 1)], leaf_values: [1, 2], leaf_weights: [3, 4] }];
    const file = { features_info: unnamed, model_info: {}, oblivious_trees: trees, scale_and_bias: [1, [0]] };
    expect(read(file).model.featureNames).toEqual(['0', '1', '2']);
    expect(read(file).notes).toEqual([
      'features have no names in the file: they are called by their columns, from 0 to 2',
    ]);
    const named = importModel(JSON.stringify(file), { file: 'm', featureSet: ['a', 'b', 'c'] }).model;
    expect(named.featureNames).toEqual(['a', 'b', 'c']);
    // Only a missing value is not above the least border.
    const score = (value: number) => named.scoreRow([0, 0, value]);
    expect([score(Number.NaN), score(-1e38), score(0)]).toEqual([1, 2, 2]);
    expect(() => importModel(JSON.stringify(file), { file: 'm', featureSet: ['a'] })).toThrow(
      'the feature set has 1 names for the 3 features of the model',
    );
    const far = structuredClone(file);
    far.features_info.float_features[1]!.flat_feature_index = 2 ** 31;
    expect(() => read(far)).toThrow('the file asks for 2147483649 columns');
  });

  it.each([
    ['Poisson', 'predicts exp(sum)'],
    ['Tweedie', 'predicts exp(sum)'],
    ['Logloss', 'predicts a sigmoid of the sum, or the class'],
    ['YetiRank', undefined],
  ])('for %s says where predictions are not the sum', (type, said) => {
    const { losses } = read({ ...model, model_info: { params: { loss_function: { params: {}, type } } } });
    expect(losses).toEqual(said === undefined ? [] : [expect.stringContaining(`"${type}" CatBoost ${said}`)]);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'counts by category',
      { ...model, oblivious_trees: [{ splits: [{ split_type: 'OnlineCtr' }], leaf_values: [1, 2] }] },
      /^model-unsupported: m: a split is by "OnlineCtr": .*one_hot_max_size/,
    ],
    [
      'levels without names',
      { ...model, features_info: { ...features, cat_features_hash: undefined } },
      /^model-unsupported: m: the file knows the levels of category "brand" by hashes only; .*pool=POOL/,
    ],
    [
      'several dimensions',
      { ...model, oblivious_trees: [{ splits: [number(1)], leaf_values: [1, 2, 3, 4] }] },
      /^model-unsupported: m: a model of 2 dimensions/,
    ],
    [
      'leaves that do not fit',
      { ...model, oblivious_trees: [{ splits: [number(1)], leaf_values: [1, 2, 3] }] },
      /^model-invalid: m: a tree of 1 tests has 3 leaves/,
    ],
    [
      'a feature that is not there',
      { ...model, oblivious_trees: [{ splits: [number(1, 5)], leaf_values: [1, 2] }] },
      /^model-invalid: m: a split is by number 5, which is no feature/,
    ],
  ])('with %s is refused', (_, json, message) => {
    expect(() => read(json)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(new RegExp(message.source.replace(/^\^model-\w+: /, '^'))),
      }),
    );
  });
});
