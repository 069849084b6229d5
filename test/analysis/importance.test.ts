import { describe, expect, it } from 'vitest';
import { permutationImportance } from '#listwise/analysis/importance.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { randomEnsemble } from '../models/random-trees.js';
import { separable } from '../training/small-data.js';

const measures = [parseMeasure('ndcg@5'), parseMeasure('ap')];
/** Labels are a sum of features 1 to 3 with weights 1, -1/2, 1/3. */
const data = separable(40, 20, 3);
const linear = (...weights: number[]) => new LinearModel({ featureNames: data.featureNames, weights });

describe('importance by permutation', () => {
  it.each(['query', 'data'] as const)('orders features by what labels are made of, shuffled within %s', within => {
    const drops = permutationImportance(linear(1, -1 / 2, 1 / 3), data, measures, { within });
    for (const m of measures.keys()) {
      const means = drops.map(of => of[m]!.mean);
      expect(means).toEqual(means.toSorted((a, b) => b - a));
      expect(means[2]).toBeGreaterThan(0.01);
    }
  });

  it('is exactly 0 for a feature that the model does not use', () => {
    const drops = permutationImportance(linear(1, 0, 1), data, measures);
    expect(drops[1]!.map(drop => [...drop.drops, drop.mean, drop.deviation])).toEqual([
      Array(7).fill(0),
      Array(7).fill(0),
    ]);
    expect(drops[0]![0]!.mean).toBeGreaterThan(0);
  });

  it('is 0 within queries, and not over the data, for a feature with one value a query', () => {
    const column = Float32Array.from({ length: data.rows }, (_, i) => Math.floor(i / 20) % 2);
    const [block] = data.blocks;
    const values = block!.data.slice();
    values.set(column, 1 * block!.stride);
    const flat = data.with({ blocks: [{ ...block!, data: values }] });
    const one = (within: 'query' | 'data') =>
      permutationImportance(linear(1, 1, 0), flat, measures, { within })[1]![0]!;
    expect(one('query').drops).toEqual(Array(5).fill(0));
    expect(one('data').mean).toBeGreaterThan(0);
  });

  it('repeats with a seed, differs with another, and leaves the data as it was', () => {
    const before = data.blocks[0]!.data.slice();
    const drops = (seed: number) => permutationImportance(linear(1, 1, 1), data, measures, { seed, repeats: 3 });
    expect(drops(7)).toEqual(drops(7));
    expect(drops(7)).not.toEqual(drops(8));
    expect(data.blocks[0]!.data).toEqual(before);
  });

  it('says the same of a model of trees as of one that hides its splits', () => {
    const model = randomEnsemble(5, { features: 3, leaves: [6, 2, 9], grid: 20, skew: 0.5 });
    const open = permutationImportance(model, data, measures);
    const hidden = new TreesModel(model);
    Object.defineProperty(hidden, 'splitUse', { value: undefined });
    expect(permutationImportance(hidden, data, measures)).toEqual(open);
  });
});

describe('importance by splits', () => {
  it('adds up gains and counts over trees', () => {
    const model = randomEnsemble(2, { features: 4, leaves: [5, 1, 8], grid: 9, skew: 0 });
    const { splits, gain } = model.splitUse();
    for (let f = 0; f < 4; f++) {
      const own = model.trees.flatMap(tree => [...tree.gain].filter((_, node) => tree.feature[node] === f));
      expect(splits[f]).toBe(own.length);
      expect(gain[f]).toBeCloseTo(
        own.reduce((sum, value) => sum + value, 0),
        12,
      );
    }
    expect(splits.reduce((sum, value) => sum + value, 0)).toBe(11);
  });
});
