/** Linear models in formats that have weights and nothing else. */
import { describe, expect, it } from 'vitest';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { Random } from '#listwise/numeric/random.js';
import { ranklibLinearRule } from './evaluators.js';

const random = new Random(1, 'rows');
const rows = Array.from({ length: 2000 }, () => Float32Array.from({ length: 3 }, () => 3 * random.gaussian()));
const plain = new LinearModel({ featureNames: ['1', '2', '3'], weights: [0.5, -2, 0.1], bias: 0.25 });
const standardised = new LinearModel({
  featureNames: ['1', '2', '3'],
  weights: [0.5, -2, 0.1],
  bias: 0.25,
  standardise: { mean: [1, 2, 3], scale: [2, 0.5, 1] },
});

const textOf = (model: LinearModel, to: string) => String(exportModel(model, { to }).files[0]!.content);

describe("RankLib's linear regression", () => {
  it('scores as here and comes back the same', () => {
    const rule = ranklibLinearRule(textOf(plain, 'ranklib'));
    expect(rows.map(row => rule([...row]))).toEqual(rows.map(row => plain.scoreRow(row)));
    expect(rule([Number.NaN, 1, 1])).toBe(plain.scoreRow([Number.NaN, 1, 1]));
    expect(importModel(textOf(plain, 'ranklib')).model).toEqual(plain.with({ ignoresOthers: true }));
  });

  it('folds standardisation in; missing values that are no zeros are a loss', () => {
    const { files, losses } = exportModel(standardised, { to: 'ranklib' });
    const rule = ranklibLinearRule(String(files[0]!.content));
    const off = rows.map(row => Math.abs(rule([...row]) - standardised.scoreRow(row)));
    expect(Math.max(...off)).toBeLessThan(1e-13);
    expect(losses).toEqual([
      'missing values count as 0 there; in 3 features of the model they count as something else',
    ]);
  });

  it('reads coordinate ascent', () => {
    const text = '## Coordinate Ascent\n## Restart = 5\n## Tolerance = 0.001\n1:0.25 3:-0.5\n';
    expect(importModel(text).model).toEqual(
      new LinearModel({ featureNames: ['1', '2', '3'], weights: [0.25, 0, -0.5], ignoresOthers: true }),
    );
  });
});

describe("the engines' model/linear", () => {
  it('is a weight a name; an intercept is a loss', () => {
    const { files, losses } = exportModel(plain, { to: 'linear' });
    expect(JSON.parse(String(files[0]!.content))).toEqual({ 1: 0.5, 2: -2, 3: 0.1 });
    expect(losses).toEqual(['there is no intercept: every score is 0.25 less than here, and the order is the same']);
    const back = importModel(String(files[0]!.content)).model;
    expect(back.scoreRow([1, 1, 1])).toBeCloseTo(-1.4, 6);
  });

  it('has the weights of absent features of the feature set at 0', () => {
    const { model } = importModel('{"b": 2}', { from: 'model/linear', featureSet: ['a', 'b'] });
    expect([model.featureNames, model.scoreRow([5, 7])]).toEqual([['a', 'b'], 14]);
  });
});

describe('an offset', () => {
  it('is added to the intercept; trees alone have a least one', () => {
    const raised = exportModel(plain, { to: 'ranklib', offset: '10' });
    expect(importModel(String(raised.files[0]!.content)).model.scoreRow([0, 0, 0])).toBe(10.25);
    expect(() => exportModel(plain, { to: 'ranklib', offset: 'auto' })).toThrow(/no lower bound/);
    expect(() => exportModel(plain, { to: 'ranklib', offset: 'much' })).toThrow(/a number or "auto", found "much"/);
  });
});

describe("XGBoost's gblinear", () => {
  const file = (weights: readonly number[]) => `
    {"learner": {"gradient_booster": {"name": "gblinear", "model": {"weights": [${weights}]}}, "objective": {"name": "rank:ndcg"},
     "learner_model_param": {"base_score": "5E-1", "num_class": "0", "num_target": "1", "num_feature": "${weights.length - 1}"}}}`;

  it('leaves out column 0 where it has no weight, as data that counts from 1 has it', () => {
    expect(importModel(file([0, 0.5, -2, 0.1, 0.25])).model).toEqual(
      new LinearModel({ featureNames: ['1', '2', '3'], weights: [0.5, -2, Math.fround(0.1)], bias: 0.75 }),
    );
    const { model } = importModel(file([0, 0.5, 1]), { featureBase: 0 });
    expect(model.featureNames).toEqual(['0', '1']);
    expect(importModel(file([3, 0.5, 1])).model.featureNames).toEqual(['0', '1']);
    expect(() => importModel(file([3, 0.5, 1]), { featureBase: 1 })).toThrow(/uses column 0/);
  });

  it('takes a feature set for all columns, or for those from 1', () => {
    expect(importModel(file([0, 0.5, 1]), { featureSet: ['a', 'b'] }).model.scoreRow([9, 2])).toBe(2.5);
    expect(importModel(file([0, 0.5, 1]), { featureSet: ['b'] }).model.scoreRow([2])).toBe(2.5);
    expect(() => importModel(file([0, 0.5, 1]), { featureSet: ['a', 'b', 'c'] })).toThrow(/3 names for the/);
  });

  it('is written with its features at their columns, the intercept behind them', () => {
    const { files, losses, notes } = exportModel(plain, { to: 'xgboost' });
    const { learner } = JSON.parse(String(files[0]!.content));
    expect(learner.gradient_booster.model.weights).toEqual([0, 0.5, -2, 0.1, 0.25]);
    expect(learner.learner_model_param).toMatchObject({ num_feature: '4', base_score: '0.0' });
    expect([losses, notes]).toEqual([[], ['weights and sums are 32-bit in XGBoost']]);
    const { model } = importModel(String(files[0]!.content));
    expect(model.featureNames).toEqual(plain.featureNames);
    for (const row of rows) expect(model.scoreRow(row)).toBeCloseTo(plain.scoreRow(row), 5);
    expect(exportModel(standardised, { to: 'xgboost' }).losses).toHaveLength(1);
  });
});
