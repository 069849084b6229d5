/** Splits by category in files of other systems: those that can hold them do, to the bit; others refuse by name. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DESCRIPTION_FORMAT } from '#listwise/data/description.js';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { findEngine, ruleFor } from '#listwise/interop/engines/find-rules.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { randomRows } from '../models/random-trees.js';
import { temporaryDirectory } from '../temporary.js';
import { wholeEnsemble } from './ensembles.js';

const shape = { features: 3, leaves: [31, 1, 8], grid: 9, skew: 0, categories: { share: 0.5, levels: 70 } };
const names = ['brand', 'shop', 'price'];
const anywhere = wholeEnsemble(1, shape, names);
/** Missing values in no set, as LightGBM has it. */
const model = anywhere.with({
  trees: anywhere.trees.map(tree => ({
    ...tree,
    missingLeft: tree.missingLeft.map((left, node) => (tree.leftLevels?.[node] === undefined ? left : 0)),
  })),
});
const rows = randomRows(1, 500, shape, 0.1);
const documents = Array.from({ length: 500 }, (_, i) => rows.subarray(3 * i, 3 * i + 3));
const scores = (ranker: { scoreRow(row: Float32Array): number }) => documents.map(row => ranker.scoreRow(row));

describe('a model with splits by category', () => {
  it.each(['lightgbm', 'lightgbm-dump', 'xgboost'])('is the same after a way through %s', to => {
    const { files, losses } = exportModel(model, { to });
    expect(losses).toEqual([]);
    expect(scores(importModel(files[0]!.content, {}).model)).toEqual(scores(model));
    expect(new Set(scores(model)).size).toBeGreaterThan(15);
  });

  it('scores as a JavaScript module', async () => {
    const target = join(temporaryDirectory(), 'model.mjs');
    writeFileSync(target, exportModel(anywhere, { to: 'javascript', target }).files[0]!.content);
    const { score } = await import(pathToFileURL(target).href);
    expect(documents.map(row => score(row))).toEqual(scores(anywhere));
  });

  it.each([
    ['ranklib', 'RankLib has no splits by category'],
    ['onnx', 'the TreeEnsembleRegressor of ONNX has no splits by category'],
    ['elasticsearch', 'the trained model of Elasticsearch has no splits by category'],
    ['xgboost-dump', 'the model/xgboost+json of search engines has no splits by category'],
    ['xgboost-raw', 'the model/xgboost+json+raw of search engines has no splits by category'],
    ['solr', 'Solr has no splits by category'],
    ['catboost', "CatBoost's JSON, as it is written here, has no splits by category"],
  ])('is refused by %s', (to, reason) => {
    expect(() => exportModel(model, { to })).toThrow(reason);
  });

  it('is refused by Vespa, which compares with names of levels', () => {
    const rule = ruleFor(findEngine('vespa@8'), 'trees', 'lightgbm-dump');
    expect(() => exportModel(model, { to: 'lightgbm-dump', rule })).toThrow(
      "LightGBM's dump for search engines has no splits by category",
    );
  });

  it.each(['lightgbm', 'lightgbm-dump'])('that sends missing values left is a loss in %s', to => {
    expect(exportModel(anywhere, { to }).losses).toEqual([
      expect.stringMatching(/^missing values go right at every split by category in LightGBM; \d+ splits/),
    ]);
  });
});

it('LightGBM 4.6’s own, on known, unknown, negative and missing levels', () => {
  const recorded = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));
  const { rows: given, lightgbm } = JSON.parse(String(recorded('categories.json'))) as {
    rows: (number | null)[][];
    lightgbm: number[];
  };
  const there = importModel(recorded('lightgbm-categories.txt'), { featureBase: 0 }).model;
  expect(given.map(row => there.scoreRow(row.map(value => value ?? Number.NaN)))).toEqual(lightgbm);
  const again = importModel(exportModel(there, { to: 'lightgbm' }).files[0]!.content, { featureBase: 0 }).model;
  expect(given.map(row => again.scoreRow(row.map(value => value ?? Number.NaN)))).toEqual(lightgbm);
});

describe('names of levels', () => {
  const categories = {
    brand: Array.from({ length: 80 }, (_, i) => `brand ${i}`),
    shop: Array.from({ length: 80 }, (_, i) => String(100 + i)),
    price: Array.from({ length: 80 }, (_, i) => `p${i}`),
  };
  const kinds = { brand: 'category', shop: 'category', price: 'category' } as const;
  const description = { schema: DESCRIPTION_FORMAT, roles: {}, kinds, missing: [], categories } as const;

  it('are kept in LightGBM’s line for pandas', () => {
    const text = String(exportModel(model.with({ description }), { to: 'lightgbm' }).files[0]!.content);
    expect(text).toMatch(/end of trees\n\npandas_categorical:\[\["brand 0",/);
    expect(importModel(text).model.description).toEqual(description);
    const without = importModel(text.replace(/"feature_infos=.*|feature_infos=.*/, `feature_infos=0:1 [0:1] [0:1]`));
    expect(without.model.description).toBeUndefined();
    expect(without.notes).toContainEqual(expect.stringContaining('does not say which columns they are'));
  });

  it('are what a JavaScript module takes by name', async () => {
    const target = join(temporaryDirectory(), 'named.mjs');
    const named = model.with({ description: { ...description, categories: { brand: categories.brand } } });
    writeFileSync(target, exportModel(named, { to: 'javascript', target }).files[0]!.content);
    const { score, scoreNamed } = await import(pathToFileURL(target).href);
    for (const code of [0, 7, 79]) {
      expect(scoreNamed({ brand: `brand ${code}`, shop: 3, price: 1 })).toBe(score([code, 3, 1]));
    }
    expect(scoreNamed({ brand: 'unheard-of', shop: 3 })).toBe(score([Number.NaN, 3, Number.NaN]));
  });

  it('are read from XGBoost 3.1 and later', () => {
    const { files, notes } = exportModel(model.with({ description }), { to: 'xgboost' });
    expect(notes).toContainEqual(expect.stringContaining('3 categories (brand, shop, price) must be given as codes'));
    const json = JSON.parse(String(files[0]!.content));
    const bytes = (texts: readonly string[]) => [...Buffer.from(texts.join(''))].map(byte => (byte << 24) >> 24);
    json.learner.gradient_booster.model.cats = {
      enc: [
        { offsets: [0, 4, 9, 12], values: bytes(['acme', 'Müll', 'zoo']) },
        { type: 5, values: [7, 12, -3] },
        { offsets: [], values: [] },
      ],
      feature_segments: [0, 3, 6, 6],
      sorted_idx: [],
    };
    const read = importModel(JSON.stringify(json)).model;
    expect(read.description?.categories).toEqual({ brand: ['acme', 'Müll', 'zoo'], shop: ['7', '12', '-3'] });
    expect(read.description?.kinds).toEqual({ brand: 'category', shop: 'category' });
    expect(read).toBeInstanceOf(TreesModel);
  });
});
