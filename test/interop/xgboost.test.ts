/**
 * XGBoost itself, both ways: what it trains scores here to the bit as there, and what is written here it loads and scores the same.
 * Needs Debian's python3-xgboost.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { temporaryDirectory } from '../data/temporary.js';
import { documents, wholeEnsemble } from './ensembles.js';

const PYTHON = '/usr/bin/python3';
const absent = spawnSync(PYTHON, ['-c', 'import xgboost']).status !== 0;
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
}
for name, options in kinds.items():
    data = xgb.DMatrix(rows, label=labels)
    if options['objective'].startswith('rank'): data.set_group([len(rows) // 20] * 20)
    model = xgb.train({**options, 'max_depth': 5, 'min_child_weight': 0.01, 'nthread': 1}, data, 8)
    model.save_model(folder + '/' + name + '.json')
    model.predict(data, output_margin=True).tofile(folder + '/' + name + '.bin')
model = xgb.Booster({'nthread': 1}); model.load_model(folder + '/ours.json')
model.predict(xgb.DMatrix(rows, feature_names=list('abcde'))).tofile(folder + '/ours.bin')
model.save_model(folder + '/again.json')
`;

const shape = { features: 5, leaves: [31, 1, 6, 40], grid: 30, skew: 0.2 };
const ours = wholeEnsemble(1, shape, ['a', 'b', 'c', 'd', 'e']);
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
    execFileSync(PYTHON, ['-W', 'ignore', '-c', SCRIPT, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  });

  it.each(['ndcg', 'pairwise', 'dart', 'hist', 'poisson'])('a model of %s scores here as there', name => {
    const { model, losses } = importModel(readFileSync(join(folder, `${name}.json`)), { featureBase: 0 });
    expect(losses.length).toBe(name === 'poisson' ? 1 : 0);
    const there = scores(name);
    expect(rows.map(row => model.scoreRow(row))).toEqual(there);
    expect(new Set(there).size).toBeGreaterThan(50);
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
