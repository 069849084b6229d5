/**
 * Models that XGBoost 3.4.1 trained and saved score here as there: trees to the bit, linear models to the width of
 * sums. Its files have a list as base score, DART's weights among the trees, and the levels of a data frame by name.
 * Scores, Shapley values and interactions were recorded from it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { scoreData } from '#listwise/models/ranker.js';
import { readFor } from '#listwise/models/read-for.js';
import { sampleRows } from '#listwise/models/sample-rows.js';
import { explainerOf } from '#listwise/models/shapley/explainer-of.js';
import { TreesModel } from '#listwise/models/trees/trees.js';

const read = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));
const { rows } = JSON.parse(String(read('predictions.json'))) as { rows: (number | null)[][] };
const recorded = JSON.parse(String(read('of-xgboost-3/recorded.json'))) as {
  scores: Record<string, number[]>;
  contributions: Record<string, number[][]>;
  interactions: Record<string, number[][]>;
  documents: { brand: string | null; price: number | null; size: number }[];
};
const open = (file: string) => importModel(read(`of-xgboost-3/${file}`), { file });
const scored = (file: string) => {
  const { model } = open(file);
  return rows.map(row => model.scoreRow(row.map(value => value ?? Number.NaN)));
};
const names = ['bm25', 'age', 'clicks', 'kind'];

describe('a model of XGBoost 3', () => {
  it.each([
    ['ndcg.ubj', []],
    ['dart.json', []],
    ['early.json', []],
    ['logistic.json', [expect.stringContaining('XGBoost predicts a sigmoid of the sum')]],
  ])('%s scores to the bit', (file, losses) => {
    const found = open(file);
    expect(found.model.featureNames).toEqual(names);
    expect(found.losses).toEqual(losses);
    const there = recorded.scores[file.replace(/\..*$/, '')];
    expect(new Set(there).size).toBeGreaterThan(5);
    expect(scored(file)).toEqual(there);
  });

  it('linear scores to the width of sums', () => {
    scored('linear.json').forEach((score, i) => {
      expect(score).toBeCloseTo(recorded.scores.linear![i]!, 6);
    });
  });

  it('has the weights of its trees, or those of the first of them', () => {
    const file = JSON.parse(String(read('of-xgboost-3/dart.json')));
    const holder = file.learner.gradient_booster.model as { weight_drop: number[] };
    expect(file.learner.gradient_booster.name).toBe('gbtree');
    const of = (weights: number[]) => {
      holder.weight_drop = weights;
      const { model } = importModel(JSON.stringify(file), { file: 'm' });
      if (!(model instanceof TreesModel)) throw new Error(model.kind);
      return model.trees.map(({ value }) => Math.max(...value));
    };
    const plain = of([1, 1, 1]);
    expect(of([0.5])).toEqual(plain.map((value, t) => (t === 0 ? value / 2 : value)));
    expect(() => of([1, 1, 1, 1])).toThrow('weight_drop" must be an array of at most 3 numbers');
  });

  it('that was stopped early says which iteration was the best', () => {
    expect(open('early.json').notes).toEqual([
      'XGBoost noted iteration 4 (from 0) as the best one; all trees of the file are kept',
    ]);
  });
});

const { model } = open('categories.json');
const data = Dataset.from(
  recorded.documents.map(row => ({ q: 1, label: 0, ...row })),
  { query: 'q', label: 'label', description: readFor(model, {}).description },
);

describe('categories of a data frame', () => {
  it('come with the names of their levels, whole numbers without a sign too, from both forms', () => {
    expect(model.description?.categories).toEqual({
      brand: ['acme', 'apex', 'bolt', 'crux', 'fjord', 'héron', '日本'],
      size: ['40000', '41000', '42000'],
    });
    expect(open('categories.ubj').model).toEqual(model);
  });

  it.each(['xgboost', 'xgboost-ubj'])('keep their names through %s', to => {
    const { files, notes } = exportModel(model, { to });
    const again = importModel(files[0]!.content, { file: 'm' }).model;
    expect(again.description?.categories).toEqual(model.description?.categories);
    expect([...scoreData(again, data)]).toEqual(recorded.scores.categories);
    expect(notes).toEqual([
      expect.stringMatching(/^before XGBoost 3\.1, 2 categories \(brand, size\) must be given as codes/),
    ]);
  });

  it('are written as XGBoost writes them', () => {
    const catsOf = (content: string) => JSON.parse(content).learner.gradient_booster.model.cats;
    const [ours, theirs] = [
      String(exportModel(model, { to: 'xgboost' }).files[0]!.content),
      String(read('of-xgboost-3/categories.json')),
    ].map(catsOf);
    const { enc, ...places } = theirs;
    // Numbers are text here.
    expect(ours).toMatchObject({ ...places, enc: [enc[0], enc[1], { offsets: [0, 5, 10, 15] }] });
    const without = JSON.parse(
      String(exportModel(model.with({ description: undefined }), { to: 'xgboost' }).files[0]!.content),
    );
    expect(without.learner.gradient_booster.model).not.toHaveProperty('cats');
  });

  it('are scored by name, to the bit', () => {
    expect([...scoreData(model, data)]).toEqual(recorded.scores.categories);
    expect(new Set(recorded.scores.categories).size).toBeGreaterThan(10);
  });
});

describe('Shapley values and interactions', () => {
  it.each([['ndcg.ubj'], ['dart.json'], ['logistic.json'], ['categories.json']])('of %s', file => {
    const of = open(file).model;
    const own = Dataset.from(
      rows.map(row => ({ q: 1, label: 0, ...Object.fromEntries(names.map((name, f) => [name, row[f]])) })),
      { query: 'q', label: 'label' },
    );
    const { block } = sampleRows(of, file === 'categories.json' ? data : own, 1e6);
    const explainer = explainerOf(of);
    const columns = Int32Array.from(of.featureNames, (_, f) => f);
    for (const [how, what] of [['contributions', 'values'] as const, ['interactions', 'interactions'] as const]) {
      const wanted = recorded[how][file.replace(/\..*$/, '')]!;
      const found = new Float64Array(block.rows * wanted[0]!.length);
      explainer[what](block, columns, 0, found);
      expect(wanted.flat().some(value => Math.abs(value) > 0.05)).toBe(true);
      const off = wanted.flat().map((value, k) => Math.abs(value - found[k]!));
      expect(Math.max(...off)).toBeLessThan(1e-5);
    }
  });
});
