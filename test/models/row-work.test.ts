import { describe, expect, it } from 'vitest';
import { sampleRows } from '#listwise/models/sample-rows.js';
import { ScoringThreads, workOnRows } from '#listwise/models/scoring-threads.js';
import { leafOf } from '#listwise/models/trees/trees.js';
import { cubic } from '../training/small-data.js';
import { type EnsembleShape, randomEnsemble } from './random-trees.js';

const shape: EnsembleShape = { features: 5, leaves: [7, 1, 20, 31], grid: 30, skew: 0.2 };
const model = randomEnsemble(3, shape);
const data = cubic(40, 1, 30, 5);
const rows = Array.from({ length: data.rows }, (_, row) =>
  Array.from({ length: 5 }, (_, f) => data.column(data.featureNames.indexOf(model.featureNames[f]!))[row]!),
);

describe('rows worked on', () => {
  it('have their leaves', async () => {
    const leaves = await workOnRows(model, data, { name: 'leaves' });
    expect([...leaves]).toEqual(rows.flatMap(row => model.trees.map(tree => leafOf(tree, row))));
  });

  it('have the same values on any number of threads, which add up to scores', async () => {
    const { block } = sampleRows(model, data, 20);
    for (const background of [undefined, block]) {
      const order = { name: 'contributions', background } as const;
      const alone = await workOnRows(model, data, order);
      const together = await ScoringThreads.start(model, 3, order);
      try {
        expect(await together.score(data)).toEqual(alone);
      } finally {
        await together.close();
      }
      rows.forEach((row, i) => {
        const sum = alone.subarray(6 * i, 6 * (i + 1)).reduce((all, value) => all + value, 0);
        expect(Math.abs(sum - model.scoreRow(row))).toBeLessThan(1e-10);
      });
    }
  });

  it('have interactions that add up to values', async () => {
    const values = await workOnRows(model, data, { name: 'contributions' });
    const matrices = await workOnRows(model, data, { name: 'interactions' });
    for (let k = 0; k < values.length; k++) {
      const sum = matrices.subarray(6 * k, 6 * (k + 1)).reduce((all, value) => all + value, 0);
      expect(Math.abs(sum - values[k]!)).toBeLessThan(1e-10);
    }
  });
});

describe('a sample of rows', () => {
  it('has different ones, the same for a seed, as the model takes them', () => {
    const { rows: drawn, block } = sampleRows(model, data, 50, { seed: 4 });
    expect(new Set(drawn).size).toBe(50);
    expect([...drawn]).toEqual([...drawn].sort((a, b) => a - b));
    expect(sampleRows(model, data, 50, { seed: 4 }).rows).toEqual(drawn);
    expect(sampleRows(model, data, 50, { seed: 5 }).rows).not.toEqual(drawn);
    drawn.forEach((row, i) => {
      expect(Array.from({ length: 5 }, (_, f) => block.data[f * block.stride + i])).toEqual(rows[row]);
    });
    expect(sampleRows(model, data, 1e6).rows.length).toBe(data.rows);
  });
});
