/** Trees over categories, from tables to scores: names, unknown levels, many levels, and what they are worth. */
import { describe, expect, it } from 'vitest';
import { concatenate } from '#listwise/data/concatenate.js';
import { Dataset } from '#listwise/data/dataset.js';
import { normalise } from '#listwise/data/normalise.js';
import { selectQueries } from '#listwise/data/split.js';
import { hasLevel } from '#listwise/kernels/level-set.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseModel, printModel } from '#listwise/models/model-file.js';
import { scoreData } from '#listwise/models/ranker.js';
import type { TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { fromMessage, toMessage } from '#listwise/ranks/dataset-message.js';
import { train } from '#listwise/training/train.js';
import { temporaryDirectory } from '../../temporary.js';
import { categoryData } from './tree-data.js';

/** Levels with an effect each, by no order of their names; some values are missing, which are worse than most. */
function shop(seed: number, { queries = 300, levels = 40 } = {}) {
  const random = new Random(seed, 'shop');
  const effects = Array.from({ length: levels }, (_, level) => new Random(1, `effect ${level}`).gaussian());
  return Array.from({ length: queries * 15 }, (_, i) => {
    const level = random.below(levels);
    const missing = random.uniform() < 0.1;
    const price = random.gaussian();
    const value = (missing ? -1 : effects[level]!) - 0.5 * price + 0.7 * random.gaussian();
    const brand = missing ? '' : `brand ${(level * 17) % levels}`;
    return { q: Math.floor(i / 15), label: value > 1.2 ? 2 : value > 0.3 ? 1 : 0, brand, price };
  });
}

const columns = { query: 'q', label: 'label' } as const;
const options = { trees: 40, leaves: 8, minDocuments: 20 };
const measured = (model: TreesModel, data: Dataset) => evaluate(data, scoreData(model, data), 'ndcg@10')[0]!.mean;

describe('trees over a category', () => {
  const data = Dataset.from(shop(1), { ...columns, categories: ['brand'] });
  const test = Dataset.from(shop(2), { ...columns, description: data.description });
  const fitted = train({ model: 'trees', data, validate: data, options, threads: 1 });

  it('beat codes as numbers clearly', async () => {
    const plain = (set: Dataset) => new Dataset({ ...set, description: undefined });
    const numbers = await train({ model: 'trees', data: plain(data), validate: plain(data), options, threads: 1 });
    const { model } = await fitted;
    expect(model.trees.some(tree => tree.leftLevels !== undefined)).toBe(true);
    expect(measured(model, test)).toBeGreaterThan(measured(numbers.model, plain(test)) + 0.02);
  });

  it('keep the names of levels in the file, and score the same from it', async () => {
    const { model } = await fitted;
    const text = printModel(model);
    expect(JSON.parse(text)).toMatchObject({ format: 'listwise/model/3', data: { kinds: { brand: 'category' } } });
    const read = parseModel(text);
    expect(read.description?.categories.brand).toEqual(data.description?.categories.brand);
    expect(scoreData(read, test)).toEqual(scoreData(model, test));
  });

  it('send unknown and missing levels one way, and never list them', async () => {
    const { model } = await fitted;
    const price = data.featureNames.indexOf('price');
    const row = (brand: number) => (price === 0 ? [0, brand] : [brand, 0]);
    expect(model.scoreRow(row(5000))).toBe(model.scoreRow(row(Number.NaN)));
    // Missing values were worse than most brands, and that was learnt.
    const scores = Array.from({ length: 40 }, (_, code) => model.scoreRow(row(code)));
    expect(scores.filter(score => score < model.scoreRow(row(Number.NaN))).length).toBeLessThan(12);
  });

  it('send levels too rare to be told like unknown ones', async () => {
    const rows = shop(3);
    const rare = [...rows, { q: 0, label: 0, brand: 'rare', price: 0 }];
    const set = Dataset.from(rare, { ...columns, categories: ['brand'] });
    const { model } = await train({ model: 'trees', data: set, validate: set, options, threads: 1 });
    const code = set.description!.categories.brand!.indexOf('rare');
    for (const tree of model.trees)
      for (const levels of tree.leftLevels ?? []) expect(hasLevel(levels ?? new Uint32Array(), code)).toBe(false);
  });

  it('stay as they are when features are normalised', () => {
    const scaled = normalise(data, 'zscore');
    const brand = data.featureNames.indexOf('brand');
    expect(scaled.column(brand)).toEqual(data.column(brand));
    expect(scaled.column(1 - brand)).not.toEqual(data.column(1 - brand));
  });
});

describe('a model that splits by codes and has no names of levels', () => {
  const rows = shop(4, { queries: 40 });
  const data = Dataset.from(rows, { ...columns, categories: ['brand'] });
  const fitted = train({ model: 'trees', data, validate: data, options, threads: 1 });
  const codes = async () => (await fitted).model.with({ description: undefined });
  // The same documents from the last to the first: levels come in another order.
  const texts = Dataset.from(rows.toReversed(), { ...columns, categories: ['brand'] });
  const refusal = /the model splits "brand" by the codes of levels .* or a `description` with the levels/;

  it('is refused where the data chose the codes', async () => {
    const model = await codes();
    expect(() => scoreData(model, texts)).toThrow(expect.objectContaining({ code: 'feature-mismatch' }));
    expect(() => scoreData(model, texts)).toThrow(refusal);
    expect(() => scoreData(model, selectQueries(texts, [1]))).toThrow(refusal);
    expect(() => scoreData(model, concatenate([[0], [1]].map(one => selectQueries(texts, one))))).toThrow(refusal);
    expect(() => scoreData(model, fromMessage(toMessage(texts)))).toThrow(refusal);
  });

  it('is not gone on from there, in trees or in leaves', async () => {
    const job = { data: texts, validate: texts, from: await codes(), threads: 1 } as const;
    await expect(train({ ...job, model: 'trees', options })).rejects.toThrow(refusal);
    await expect(train({ ...job, model: 'trees', options: { refitDecay: 0.5 } })).rejects.toThrow(refusal);
  });

  it('scores codes, and texts whose levels a description has', async () => {
    const named = (await fitted).model;
    const { description } = data;
    const known = Dataset.from(rows.toReversed(), { ...columns, description });
    expect(scoreData(await codes(), known)).toEqual(scoreData(named, known));
    const coded = rows.map(row => ({ ...row, brand: description!.categories.brand!.indexOf(row.brand) }));
    const numbers = Dataset.from(
      coded.map(row => ({ ...row, brand: row.brand < 0 ? '' : row.brand })),
      columns,
    );
    expect(scoreData(await codes(), numbers)).toEqual(scoreData(named, data));
  });
});

it('models with names take the data that they were trained on: at each iteration, and for new leaf values', async () => {
  const data = Dataset.from(shop(5, { queries: 40 }), { ...columns, categories: ['brand'] });
  const job = { model: 'trees', data, validate: data, threads: 1 } as const;
  const seen: number[] = [];
  const onIteration = (_record: unknown, _total: number, model: () => TreesModel) =>
    seen.push(scoreData(model(), data).length);
  const { model } = await train({ ...job, options: { ...options, trees: 2 }, onIteration });
  expect(seen).toEqual([data.rows, data.rows]);
  const refitted = await train({ ...job, from: model, options: { refitDecay: 0.5 } });
  expect(refitted.model.trees.map(tree => tree.leftLevels)).toEqual(model.trees.map(tree => tree.leftLevels));
});

it('a run goes on from a checkpoint to the same model, by category too', async () => {
  const data = categoryData(3);
  const directory = temporaryDirectory();
  const set = { leaves: 15, minDocuments: 5, minLevelDocuments: 2, evaluateEvery: 0 };
  const job = { model: 'trees', data, validate: data, threads: 1 } as const;
  const whole = await train({ ...job, options: { ...set, trees: 6 } });
  await train({ ...job, options: { ...set, trees: 3 }, checkpoint: { directory } });
  const resumed = await train({ ...job, options: { ...set, trees: 6 }, checkpoint: { directory, resume: true } });
  expect(resumed.model.trees).toEqual(whole.model.trees);
  expect(whole.model.trees.flatMap(tree => tree.leftLevels ?? []).some(levels => levels !== undefined)).toBe(true);
});

it('65,535 levels are told apart, by validation data and bagged trees too', async () => {
  const random = new Random(1, 'many levels');
  const levels = 65_535;
  const rows = 2 * levels;
  const codes = Float32Array.from({ length: rows }, (_, i) => i % levels);
  const labels = Float64Array.from(codes, code => (code * 7919) % 3);
  for (let i = rows - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [codes[i], codes[j]] = [codes[j]!, codes[i]!];
    [labels[i], labels[j]] = [labels[j]!, labels[i]!];
  }
  const table = { q: Array.from(codes, (_, i) => Math.floor(i / 30)), label: labels, c: Array.from(codes, String) };
  const data = Dataset.from(table, { ...columns, categories: ['c'] });
  expect(data.description!.categories.c).toHaveLength(levels);
  const set = { trees: 3, leaves: 4, minLevelDocuments: 1, queryShare: 0.9, levelSmoothing: 0 };
  const { model, best } = await train({ model: 'trees', data, validate: data, options: set, threads: 1 });
  // Three grades by level alone: a few sets of tens of thousands tell them.
  expect(measured(model, data)).toBeGreaterThan(0.9);
  expect(best.values[0]).toBeCloseTo(measured(model, data), 12);
});

it('a level of a code beyond 65,534 is refused', async () => {
  const data = categoryData(1, { levels: [70_000] });
  await expect(train({ model: 'trees', data, validate: data, options: { trees: 1 } })).rejects.toThrow(
    /category "5" has a level of code \d+; trees take 65535 levels/,
  );
});
