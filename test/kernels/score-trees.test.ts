import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planTrees } from '#listwise/kernels/trees-plan.js';
import type { TreesModel } from '#listwise/models/trees/trees.js';
import { train } from '#listwise/training/train.js';
import { type EnsembleShape, randomEnsemble, randomRows } from '../models/random-trees.js';
import { treeData } from '../training/boosting/tree-data.js';

function byRow(model: TreesModel, rows: Float32Array): number[] {
  const width = model.featureNames.length;
  const scores: number[] = [];
  for (let at = 0; at < rows.length; at += width) scores.push(model.scoreRow(rows.subarray(at, at + width)));
  return scores;
}

/** Columns in reverse order, some padding between, from the third row of the block on. */
function byBlock(model: TreesModel, rows: Float32Array, n: number): number[] {
  const width = model.featureNames.length;
  const stride = n + 5;
  const data = new Float32Array(stride * width).fill(1e9);
  for (let i = 0; i < n; i++) {
    for (let f = 0; f < width; f++) data[(width - 1 - f) * stride + i] = rows[i * width + f]!;
  }
  const out = new Float64Array(n);
  const columns = Int32Array.from({ length: width }, (_, f) => width - 1 - f);
  model.scoreBlock({ start: 0, rows: n, stride, data }, columns, 0, out);
  return [...out];
}

function byRows(model: TreesModel, rows: Float32Array, n: number): number[] {
  const out = new Float64Array(n);
  model.scoreRows(rows, n, out);
  return [...out];
}

function expectEqual(shape: EnsembleShape, n: number, missing: number, seed = 1): void {
  const model = randomEnsemble(seed, shape);
  const rows = randomRows(seed, n, shape, missing);
  const plain = byRow(model, rows);
  expect(byBlock(model, rows, n)).toEqual(plain);
  expect(byRows(model, rows, n)).toEqual(plain);
}

describe('the scoring kernel equals the plain scores to the bit', () => {
  it('on random ensembles', () => {
    fc.assert(
      fc.property(
        fc.record({
          features: fc.integer({ min: 1, max: 40 }),
          leaves: fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 300 })), {
            maxLength: 12,
          }),
          grid: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 700 })),
          skew: fc.constantFrom(0, 0.5, 1),
          sums: fc.constantFrom('float64', 'float32'),
          zeroMissing: fc.constantFrom(0, 0.3),
          categories: fc.record({
            share: fc.constantFrom(0, 0.3, 1),
            levels: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3000 })),
          }),
        }),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom(0, 0.1, 1),
        fc.integer({ min: 0, max: 1e6 }),
        expectEqual,
      ),
      { numRuns: 150 },
    );
  });

  it.each([1, 2, 4, 5, 15, 16, 17, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2100])('on %i documents', n => {
    expectEqual({ features: 9, leaves: [31, 1, 64, 5, 300], grid: 300, skew: 0.2 }, n, 0.05);
  });

  it('on few documents, which walk down the trees', () => {
    for (const sums of ['float64', 'float32'] as const)
      for (const leaves of [[], [1], [31, 1, 64, 5, 300, 7, 8, 2, 31]])
        for (let seed = 0; seed < 20; seed++)
          expectEqual({ features: 9, leaves, grid: 30, skew: 0.2, sums }, 1 + (seed % 4), 0.2, seed);
  });

  it('with more than 65,535 nodes in a tree and thresholds in a feature', () => {
    expectEqual({ features: 2, leaves: [150_000], grid: 140_000, skew: 0 }, 500, 0.02);
  });

  it('with a tree that is a chain of 70,000 nodes', () => {
    expectEqual({ features: 3, leaves: [70_000], grid: 1000, skew: 1 }, 20, 0.02);
  });

  it.each([40, 300])('with 32-bit sums and zeros that are missing, in trees of %i leaves', leaves => {
    const shape = { features: 3, leaves: [leaves, leaves, 5], grid: 9, skew: 0, zeroMissing: 0.5 } as const;
    for (const sums of ['float32', 'float64'] as const) expectEqual({ ...shape, sums }, 200, 0.1);
    const rows = randomRows(1, 200, shape, 0);
    const wide = byRow(randomEnsemble(1, shape), rows);
    expect(byRow(randomEnsemble(1, { ...shape, sums: 'float32' }), rows)).not.toEqual(wide);
    expect(byRow(randomEnsemble(1, { ...shape, zeroMissing: 0 }), rows)).not.toEqual(wide);
  });

  it('with splits by category of 65,536 levels', () => {
    const categories = { share: 0.5, levels: 65_536 };
    expectEqual({ features: 3, leaves: [31, 300, 7, 31], grid: 50, skew: 0, categories }, 300, 0.1);
  });

  it('with 700 features', () => {
    expectEqual({ features: 700, leaves: Array(60).fill(31), grid: 50, skew: 0.1 }, 150, 0.1);
  });

  it('with features that the data lacks', () => {
    const shape = { features: 4, leaves: [20, 20, 90], grid: 30, skew: 0 };
    const model = randomEnsemble(3, shape);
    const rows = randomRows(3, 50, shape, 0.1);
    for (const absent of [0, Number.NaN]) {
      const out = new Float64Array(50);
      const data = new Float32Array(3 * 50);
      for (let i = 0; i < 50; i++) {
        for (let f = 0; f < 3; f++) data[f * 50 + i] = rows[4 * i + f]!;
        rows[4 * i + 3] = absent;
      }
      model.scoreBlock({ start: 0, rows: 50, stride: 50, data }, Int32Array.of(0, 1, 2, -1), absent, out);
      expect([...out]).toEqual(byRow(model, rows));
    }
  });

  it.each([31, 200])('on a trained model of %i leaves', async leaves => {
    const data = treeData(1, { queries: 60 });
    const options = { trees: 20, leaves, minDocuments: 1 };
    const { model } = await train({ data, validate: data, model: 'trees', options });
    const rows = new Float32Array(data.rows * data.features);
    for (let f = 0; f < data.features; f++) {
      data.column(f).forEach((value, i) => {
        rows[i * data.features + f] = value;
      });
    }
    expect(byRows(model, rows, data.rows)).toEqual(byRow(model, rows));
    expect(Math.max(...model.trees.map(tree => tree.value.length))).toBeGreaterThan(30);
  });

  it('without trees', () => {
    const model = randomEnsemble(1, { features: 2, leaves: [], grid: 3, skew: 0 });
    expect(byRows(model, new Float32Array(6), 3)).toEqual(Array(3).fill(model.base));
  });
});

describe('the plan', () => {
  it('evaluates small trees whole, and leaves a short walk in large ones', () => {
    const shape = { features: 20, leaves: [31, 2000], grid: 200, skew: 0 };
    const [small, large] = planTrees(randomEnsemble(1, shape).trees, 20).trees;
    expect(small!.steps).toBe(0);
    expect(small!.values).toHaveLength(31);
    expect(large!.steps).toBeGreaterThan(0);
    expect(large!.entries.length).toBeLessThanOrEqual(256);
  });

  it('has one column for both ways of a feature unless its nodes send missing values both ways', () => {
    const shape = { features: 1, leaves: [31], grid: 90, skew: 0 };
    const [tree] = randomEnsemble(1, shape).trees;
    const ways = (missingLeft: Uint8Array) =>
      new Set(planTrees([{ ...tree!, missingLeft }], 1).features[0]!.columns.map(column => column.missingRight)).size;
    expect(ways(tree!.missingLeft)).toBe(2);
    expect(ways(new Uint8Array(30))).toBe(1);
  });
});
