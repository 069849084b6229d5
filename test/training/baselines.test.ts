import { describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { splitByQuery } from '#listwise/data/split.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { scoreData } from '#listwise/models/ranker.js';
import { bestFeature } from '#listwise/training/baselines/best-feature.js';
import { ridge } from '#listwise/training/baselines/ridge.js';

const ndcg = parseMeasure('ndcg@10');

describe('ridge', () => {
  const data = generateDataset('net', { queries: 40, documents: 30, features: 6, seed: 1 });

  it('has a gradient of zero at its solution', () => {
    const penalty = 0.05;
    const model = ridge(data, { penalty });
    const residuals = scoreData(model, data).map((score, row) => data.label()[row]! - score);
    for (let f = 0; f < data.features; f++) {
      const z = data.column(f).map(value => (value - model.mean[f]!) / model.scale[f]!);
      const along = residuals.reduce((sum, residual, row) => sum + residual * z[row]!, 0);
      expect(along - penalty * data.rows * model.weights[f]!).toBeCloseTo(0, 2);
    }
    // The bias is fitted too.
    expect(residuals.reduce((sum, residual) => sum + residual, 0)).toBeCloseTo(0, 2);
  });

  it('finds the weights of a label that is a weighted sum', () => {
    const columns = [0, 1, 2].map(f => data.column(f));
    const label = Float64Array.from({ length: data.rows }, (_, row) => 3 * columns[0]![row]! - columns[2]![row]! + 5);
    const model = ridge(data.with({ labels: new Map([['label', label]]) }), { penalty: 1e-9 });
    const weights = [...model.weights].map((weight, f) => weight / model.scale[f]!);
    for (const [f, weight] of [3, 0, -1, 0, 0, 0].entries()) expect(weights[f]).toBeCloseTo(weight, 4);
    expect(model.scoreRow([0, 0, 0, 0, 0, 0])).toBeCloseTo(5, 4);
  });

  it('leaves unjudged documents out, counts missing values as the mean, and takes constant features', () => {
    const label = data.label().map((value, row) => (row % 3 === 0 ? Number.NaN : value));
    const half = data.with({ labels: new Map([['label', label]]) });
    const blocks = half.blocks.map(block => {
      const values = block.data.slice();
      for (let i = 0; i < block.rows; i++) {
        values[block.stride + i] = 4;
        if (i % 5 === 0) values[i] = Number.NaN;
      }
      return { ...block, data: values };
    });
    const model = ridge(half.with({ blocks }));
    expect([...model.weights].every(Number.isFinite)).toBe(true);
    expect(model.weights[1]).toBe(0);
    expect(model.scoreRow([Number.NaN, 4, 0, 0, 0, 0])).toBe(model.scoreRow([model.mean[0]!, 4, 0, 0, 0, 0]));
  });
});

describe('bestFeature', () => {
  it('finds the feature and the direction', () => {
    const data = generateDataset('cubic', { queries: 20, documents: 10, features: 4, seed: 1 });
    const label = data.column(2).map(value => -value);
    const upside = data.with({ labels: new Map([['label', Float64Array.from(label)]]) });
    expect(bestFeature(upside, parseMeasure('pairs'))).toMatchObject({ feature: '3', direction: 'low', value: 1 });
  });
});

describe('MSLR-shaped data', () => {
  // Room for chance either way; the values of docs/commands/generate.md are of larger sets.
  it('separates chance, one feature and a linear model', () => {
    const data = generateDataset('mslr', { queries: 250, documents: 60, seed: 1 });
    const [train, test] = splitByQuery(data, [0.6, 0.4], 1) as [typeof data, typeof data];
    const mean = (scores: Float64Array) => evaluate(test, scores, [ndcg])[0]!.mean;
    const none = mean(new Float64Array(test.rows));
    const feature = mean(scoreData(bestFeature(train, ndcg).model, test));
    const linear = mean(scoreData(ridge(train), test));
    expect(none).toBeLessThan(0.33);
    expect(feature).toBeGreaterThan(none + 0.05);
    expect(linear).toBeGreaterThan(feature);
    expect(linear).toBeLessThan(0.55);
  });
});
