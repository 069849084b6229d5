/**
 * XGBoost itself, both ways: what it trains scores here to the bit as there, and what is written here it loads and
 * scores the same. Needs Debian's python3-xgboost.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { describedCategories } from '#listwise/interop/categories.js';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import type { TreesModel } from '#listwise/models/trees/trees.js';
import { pythonWith } from '#listwise/reproduce/python.js';
import { temporaryDirectory } from '../temporary.js';
import { documents, wholeEnsemble } from './ensembles.js';

const python = pythonWith('xgboost');
const absent = python === undefined;
const folder = temporaryDirectory();

const SCRIPT = `
import sys, numpy as np, xgboost as xgb
folder, width = sys.argv[1], 5
rows = np.fromfile(folder + '/rows.bin', dtype=np.float32).reshape(-1, width)
random = np.random.default_rng(1)
labels = random.integers(0, 3, len(rows)) + (np.nan_to_num(rows[:, 0]) > 0)
kinds = {
  'ndcg': {'objective': 'rank:ndcg'},
  'pairwise': {'objective': 'rank:pairwise', 'base_score': 0.3},
  'dart': {'objective': 'rank:map', 'booster': 'dart', 'rate_drop': 0.5, 'base_score': 0.3},
  'hist': {'objective': 'reg:squarederror', 'tree_method': 'hist', 'grow_policy': 'lossguide', 'max_leaves': 20},
  'poisson': {'objective': 'count:poisson', 'base_score': 0.7},
  'logistic': {'objective': 'reg:logistic', 'base_score': 0.3},
  'tweedie': {'objective': 'reg:tweedie', 'num_parallel_tree': 3, 'subsample': 0.6},
  'categories': {'objective': 'reg:squarederror', 'tree_method': 'hist', 'max_cat_to_onehot': 3},
  'linear': {'objective': 'rank:ndcg', 'booster': 'gblinear'},
}
# Two of 5 to 30 levels and one of 2, some missing, beside numbers.
categories = rows.copy()
for f, levels in enumerate([30, 5, 2]): categories[:, f] = np.where(np.isnan(rows[:, f]), np.nan, random.integers(0, levels, len(rows)))
categories.astype(np.float32).tofile(folder + '/categories.rows')
for name, options in kinds.items():
    values, more = rows, {}
    if name == 'categories':
        values = categories
        more = {'feature_types': ['c', 'c', 'c', 'float', 'float'], 'enable_categorical': True}
    own = labels / 3 if name == 'logistic' else labels + np.nan_to_num(categories[:, 0]) * 7 % 5 if name == 'categories' else labels
    data = xgb.DMatrix(values, label=own, **more)
    if options['objective'].startswith('rank'): data.set_group([len(rows) // 20] * 20)
    model = xgb.train({**options, 'max_depth': 5, 'min_child_weight': 0.01, 'nthread': 1}, data, 8)
    model.save_model(folder + '/' + name + '.json')
    model.predict(data, output_margin=True).tofile(folder + '/' + name + '.bin')
    if name in ['categories', 'linear']: model.dump_model(folder + '/' + name + '.dump.json', dump_format='json')
    model.save_model(folder + '/' + name + '.ubj')
    if name == 'ndcg':
        model.dump_model(folder + '/ndcg.txt')
        model.save_model(folder + '/ndcg.deprecated')
model = xgb.Booster({'nthread': 1}); model.load_model(folder + '/ours.json')
model.predict(xgb.DMatrix(rows, feature_names=list('abcde'))).tofile(folder + '/ours.bin')
model.save_model(folder + '/again.json')
model = xgb.Booster({'nthread': 1}); model.load_model(folder + '/ours-categories.json')
data = xgb.DMatrix(categories, feature_names=list('abcde'), feature_types=['c'] * width, enable_categorical=True)
model.predict(data, validate_features=False).tofile(folder + '/ours-categories.bin')
model = xgb.Booster({'nthread': 1}); model.load_model(folder + '/ours-categories.ubj')
model.predict(data, validate_features=False).tofile(folder + '/ours-categories-ubj.bin')
model = xgb.Booster({'nthread': 1}); model.load_model(folder + '/ours-linear.json')
model.predict(xgb.DMatrix(rows, feature_names=list('abcde'))).tofile(folder + '/ours-linear.bin')
`;

const shape = { features: 5, leaves: [31, 1, 6, 40], grid: 30, skew: 0.2 };
const ours = wholeEnsemble(1, shape, ['a', 'b', 'c', 'd', 'e']);
const levelNames = Array.from({ length: 31 }, (_, code) => `niveau é ${code}`);
const categories = wholeEnsemble(2, { ...shape, grid: 30, categories: { share: 1, levels: 31 } }, [
  'a',
  'b',
  'c',
  'd',
  'e',
]).with({
  description: describedCategories(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(name => [name, levelNames]))),
});
const linear = new LinearModel({
  featureNames: ['a', 'b', 'c', 'd', 'e'],
  weights: [0.5, -2, 0.1, 0, 3],
  bias: 0.3,
  standardise: { mean: [1, 0, -2, 0, 0.5], scale: [1, 2, 3, 1, 0.1] },
  missing: [0, 0, 0, 0, 0],
});
// XGBoost refuses infinite numbers only; values at thresholds, tiny ones and missing ones are all here.
const rows = documents(1, 3000, ours);

function scores(name: string): number[] {
  const bytes = readFileSync(join(folder, `${name}.bin`));
  return [...new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))];
}

describe.skipIf(absent)(`XGBoost${absent ? ' (skipped: python3-xgboost is not installed)' : ''}`, () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'rows.bin'), Float32Array.from(rows.flatMap(row => [...row])));
    writeFileSync(join(folder, 'ours.json'), exportModel(ours, { to: 'xgboost' }).files[0]!.content);
    writeFileSync(join(folder, 'ours-categories.json'), exportModel(categories, { to: 'xgboost' }).files[0]!.content);
    writeFileSync(
      join(folder, 'ours-categories.ubj'),
      exportModel(categories, { to: 'xgboost-ubj' }).files[0]!.content,
    );
    writeFileSync(join(folder, 'ours-linear.json'), exportModel(linear, { to: 'xgboost' }).files[0]!.content);
    execFileSync(python!, ['-W', 'ignore', '-c', SCRIPT, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  });

  it.each(['ndcg', 'pairwise', 'dart', 'hist', 'poisson', 'logistic', 'tweedie'])(
    'a model of %s scores here as there',
    name => {
      const { model, losses } = importModel(readFileSync(join(folder, `${name}.json`)), { featureBase: 0 });
      expect(losses.length).toBe(['poisson', 'logistic', 'tweedie'].includes(name) ? 1 : 0);
      const there = scores(name);
      expect(rows.map(row => model.scoreRow(row))).toEqual(there);
      expect(new Set(there).size).toBeGreaterThan(50);
    },
  );

  it.each(['ndcg', 'dart', 'hist', 'linear'])('a model of %s is the same in binary', name => {
    const [json, binary] = ['json', 'ubj'].map(end => importModel(readFileSync(join(folder, `${name}.${end}`))));
    expect(binary).toEqual(json);
  });

  it('a linear model scores here as there, and there as here, but for the width of sums', () => {
    const { model } = importModel(readFileSync(join(folder, 'linear.json')), { featureBase: 0 });
    for (const [ranker, name] of [[model, 'linear'] as const, [linear, 'ours-linear'] as const]) {
      // Sums of values as large as 3e38 are infinite there.
      const there = scores(name).map((score, i) => [score, i] as const);
      const small = there.filter(([, i]) => rows[i]!.every(value => !(Math.abs(value) > 1e6)));
      expect(small.length).toBeGreaterThan(500);
      for (const [score, i] of small) {
        const off = Math.abs(ranker.scoreRow(rows[i]!) - score);
        expect(off).toBeLessThan(5e-5 + 1e-6 * Math.abs(score));
      }
    }
  });

  it.each([
    ['linear.dump.json', 'linear booster'],
    ['ndcg.txt', 'a dump as text'],
    ['ndcg.deprecated', 'old binary format'],
  ])('%s is refused by name', (file, reason) => {
    expect(() => importModel(readFileSync(join(folder, file)))).toThrow(reason);
  });

  /** What XGBoost scored by categories. */
  const coded = () => {
    const bytes = readFileSync(join(folder, 'categories.rows'));
    const flat = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    return Array.from({ length: flat.length / 5 }, (_, i) => flat.subarray(5 * i, 5 * i + 5));
  };

  it('a model with splits by category scores here as there', () => {
    const { model, losses } = importModel(readFileSync(join(folder, 'categories.json')), { featureBase: 0 });
    expect(losses).toEqual([]);
    const sets = (model as TreesModel).trees.flatMap(tree => tree.leftLevels?.filter(set => set !== undefined) ?? []);
    expect(sets.length).toBeGreaterThan(20);
    expect(coded().map(row => model.scoreRow(row))).toEqual(scores('categories'));
    const dump = importModel(readFileSync(join(folder, 'categories.dump.json')), { featureBase: 0 }).model;
    const base = coded().map(row => model.scoreRow(row) - dump.scoreRow(row));
    for (const value of base) expect(value).toBeCloseTo(base[0]!, 4);
    expect(importModel(readFileSync(join(folder, 'categories.ubj')), { featureBase: 0 }).model).toEqual(model);
  });

  it('loads a model with splits by category from here and scores the same', () => {
    // With names of levels, which only later versions read.
    expect(scores('ours-categories')).toEqual(coded().map(row => categories.scoreRow(row)));
    expect(scores('ours-categories-ubj')).toEqual(scores('ours-categories'));
  });

  it('loads a model from here and scores the same', () => {
    expect(scores('ours')).toEqual(rows.map(row => ours.scoreRow(row)));
  });

  it('writes it again as the same model', () => {
    const again = importModel(readFileSync(join(folder, 'again.json'))).model;
    expect(again.featureNames).toEqual(ours.featureNames);
    expect(rows.map(row => again.scoreRow(row))).toEqual(rows.map(row => ours.scoreRow(row)));
  });
});
