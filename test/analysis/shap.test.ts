import { describe, expect, it } from 'vitest';
import { partialDependence } from '#listwise/analysis/partial-dependence.js';
import { shapOf } from '#listwise/analysis/shap.js';
import { Dataset } from '#listwise/data/dataset.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { dependenceDocument } from '#listwise/report/analyses/dependence.js';
import { levelPlaces, levelSeries } from '#listwise/report/analyses/level-places.js';
import { shapDocument } from '#listwise/report/analyses/shap.js';
import { train } from '#listwise/training/train.js';
import { randomEnsemble } from '../models/random-trees.js';
import { cubic } from '../training/small-data.js';

const data = cubic(40, 1, 30, 5);
const trees = randomEnsemble(3, { features: 5, leaves: [7, 12, 20], grid: 30, skew: 0.2 });
const row = (i: number) => data.featureNames.map((_, f) => data.column(f)[i]!);

describe('shapOf', () => {
  it('adds up to scores, and is the same on any number of threads', async () => {
    const alone = await shapOf(trees, data, { interactions: true });
    const together = await shapOf(trees, data, { interactions: true, threads: 2 });
    expect(together).toEqual(alone);
    expect(alone.rows.length).toBe(1000);
    for (const [i, from] of alone.rows.entries()) {
      const sum = alone.values.subarray(6 * i, 6 * (i + 1)).reduce((all, value) => all + value, 0);
      expect(Math.abs(sum - trees.scoreRow(row(from)))).toBeLessThan(1e-10);
    }
    const means = alone.features.map(({ mean }) => mean);
    expect(means).toEqual([...means].sort((a, b) => b - a));
    expect(alone.interactions!.length).toBeGreaterThan(0);
  });

  it('knows the direction of a linear model, and that its features act alone', async () => {
    const weights = [2, -1, 0, 0.5, 1];
    const standardise = { mean: [0, 0, 0, 0, 0], scale: [1, 1, 1, 1, 2] };
    const model = new LinearModel({ featureNames: data.featureNames, weights, standardise });
    const { features, interactions } = await shapOf(model, data, { interactions: true, documents: 100 });
    expect(interactions).toEqual([]);
    for (const { feature, direction } of features) {
      expect(Math.round(1e6 * direction) / 1e6).toBe(
        weights[data.featureNames.indexOf(feature)] === 0
          ? Number.NaN
          : Math.sign(weights[data.featureNames.indexOf(feature)]!),
      );
    }
  });
});

describe('partialDependence', () => {
  it('is the mean score where all documents have a value', () => {
    const rows = Array.from({ length: data.rows }, (_, i) => row(i));
    for (const found of partialDependence(trees, data, ['1', '3'], { documents: 1e6, points: 7 })) {
      const f = trees.featureNames.indexOf(found.feature);
      expect(found.values.length).toBeLessThanOrEqual(7);
      expect(found.missing).toBeUndefined();
      found.values.forEach((value, k) => {
        const scores = rows.map(one => trees.scoreRow(one.with(f, value)));
        expect(found.mean[k]).toBeCloseTo(scores.reduce((sum, score) => sum + score, 0) / scores.length, 10);
        expect(found.low[k]).toBeLessThanOrEqual(found.high[k]!);
      });
    }
  });

  it('of a linear model is a line without a spread', () => {
    const model = new LinearModel({ featureNames: data.featureNames, weights: [2, -1, 0, 0.5, 1] });
    const [{ values, mean, low, high }] = partialDependence(model, data, ['1'], { points: 5 }) as [
      ReturnType<typeof partialDependence>[number],
    ];
    values.forEach((value, k) => {
      expect(mean[k]! - mean[0]!).toBeCloseTo(2 * (value - values[0]!), 6);
      expect(high[k]! - low[k]!).toBeLessThan(1e-9);
    });
  });

  it('says what a missing value comes to where the data has some', () => {
    const block = data.blocks[0]!;
    const holes = data.with({
      blocks: [{ ...block, data: block.data.map((value, k) => (k === 3 ? Number.NaN : value)) }],
    });
    const [found] = partialDependence(trees, holes, ['1'], { documents: 1e6 });
    const scores = Array.from({ length: data.rows }, (_, i) => trees.scoreRow(row(i).with(0, Number.NaN)));
    expect(found!.missing).toBeCloseTo(scores.reduce((sum, score) => sum + score, 0) / scores.length, 10);
  });
});

describe('a category', () => {
  // Level d is the most frequent, then c, b and a; its effect does not follow the order of codes.
  const brands = ['a', 'b', 'b', 'c', 'c', 'c', 'd', 'd', 'd', 'd'];
  const grades: Readonly<Record<string, number>> = { a: 1, b: 0, c: 2, d: 1 };
  const rows = Array.from({ length: 60 }, (_, i) =>
    brands.map((brand, k) => ({ qid: i, label: grades[brand]!, brand, price: ((i + 1) * (k + 3)) % 7 })),
  ).flat();
  const shop = Dataset.from(rows, { query: 'qid', label: 'label', categories: ['brand'] });
  const options = { trees: 10, minDocuments: 5, minLevelDocuments: 2 };
  const fitted = train({ model: 'trees', data: shop, validate: shop, options, threads: 1 });

  it('has no direction', async () => {
    const { features } = await shapOf((await fitted).model, shop);
    const brand = features.find(({ feature }) => feature === 'brand')!;
    expect(brand.mean).toBeGreaterThan(0);
    expect(brand.direction).toBeNaN();
  });

  it('is looked at by its most frequent levels, with their names', async () => {
    const { model } = await fitted;
    const [found] = partialDependence(model, shop, ['brand'], { documents: 1e6, points: 3 });
    expect(found).toMatchObject({ values: [3, 2, 1], levels: ['d', 'c', 'b'] });
    expect(found!.mean.indexOf(Math.max(...found!.mean))).toBe(1);
    const codes = model.with({ description: undefined });
    const numbers = Dataset.from(
      rows.map(row => ({ ...row, brand: 'abcd'.indexOf(row.brand) })),
      { query: 'qid', label: 'label' },
    );
    expect(partialDependence(codes, numbers, ['brand'], { points: 2 })[0]!.levels).toEqual(['3', '2']);
    expect(partialDependence(model, shop, ['price'])[0]).not.toHaveProperty('levels');
  });

  it('has the names of its levels in the pictures of Shapley values, and no shades', async () => {
    // What the price does depends on the brand.
    const priced = rows.map(row => ({ ...row, label: row.price > 3 ? 2 - row.label : row.label }));
    const both = Dataset.from(priced, { query: 'qid', label: 'label', categories: ['brand'] });
    const { model } = await train({ model: 'trees', data: both, validate: both, options, threads: 1 });
    const shap = await shapOf(model, both, { documents: 200, interactions: true });
    expect(shap.levels.brand).toEqual(Array.from(shap.rows, row => rows[row]!.brand));
    expect(shap.levels).not.toHaveProperty('price');
    const documents = Array.from(shap.rows, row => both.documentId(row));
    const page = shapDocument({ file: 'm', shap, documents, dependences: ['brand', 'price'], first: undefined });
    const charts = page.sections.flatMap(({ blocks }) => blocks);
    const swarm = charts.find(block => block.kind === 'swarm')!;
    const row = (name: string) => swarm.rows.find(one => one.name === name)!;
    expect(row('brand')).toMatchObject({ texts: shap.levels.brand });
    expect(row('brand')).not.toHaveProperty('values');
    expect(row('price')).toHaveProperty('values');
    const [brand, price] = charts.filter(block => block.kind === 'scatter');
    // By what they add: b sinks, c lifts.
    expect(brand!.x.texts).toHaveLength(4);
    expect([brand!.x.texts![0], brand!.x.texts![3]]).toEqual(['b', 'c']);
    const named = brand!.points.map(({ name, x }) => [name, brand!.x.texts![x]] as const);
    expect(new Map(named)).toEqual(new Map(documents.map((name, i) => [name, shap.levels.brand![i]!])));
    // Coloured by level, the most frequent first.
    expect([...new Set(price!.points.map(({ series }) => series))]).toEqual(['d', 'c', 'b', 'a']);
    expect(price).not.toHaveProperty('shade');
    expect(brand!.points[0]).toHaveProperty('shade');
  });

  it('of many levels has a place for the most frequent ones, and a colour for fewer', () => {
    // Level k is that of k + 1 documents.
    const levels = Array.from({ length: 30 }, (_, k) => Array<string>(k + 1).fill(`l${k}`)).flat();
    const { texts, different, of } = levelPlaces(
      levels,
      levels.map((_, i) => -i),
    );
    expect(texts).toEqual(Array.from({ length: 20 }, (_, k) => `l${29 - k}`));
    expect(different).toBe(30);
    expect([of[0], of.at(-1)]).toEqual([Number.NaN, 0]);
    const series = levelSeries(levels);
    expect(series.names).toEqual(['l29', 'l28', 'l27', 'l26', 'l25', '25 others']);
    expect([series.of[0], series.of.at(-1)]).toEqual(['25 others', 'l29']);
  });

  it('is a dot a level on the page, and names in the table and the verdict', async () => {
    const found = partialDependence((await fitted).model, shop, ['brand'], { points: 3 });
    const { verdict, sections } = dependenceDocument('m.json', found, undefined);
    expect(verdict).toMatch(/ at b to .* at c\.$/);
    const [chart, table] = sections[0]!.blocks;
    expect(chart).toMatchObject({ kind: 'intervals', dots: [{ label: 'd' }, { label: 'c' }, { label: 'b' }] });
    expect(table).toMatchObject({ kind: 'table', rows: ['d', 'c', 'b'].map(name => expect.arrayContaining([name])) });
  });
});
