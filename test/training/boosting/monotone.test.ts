/** Monotone constraints hold for every pair of documents that differ in the feature alone. */
import { describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import type { TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { trainers } from '#listwise/training/all.js';
import { treeOptions } from '#listwise/training/boosting/options.js';
import { optionsFromText } from '#listwise/training/options.js';
import { train } from '#listwise/training/train.js';
import { categoryData, treeData } from './tree-data.js';

/** Pairs in which the score goes against the direction: documents of the data, one feature at two of its values. */
function violations(model: TreesModel, data: Dataset, feature: number, direction: number, pairs: number): number {
  const random = new Random(1, `pairs ${feature}`);
  const columns = data.featureNames.map((_, f) => data.column(f));
  const values = columns[feature]!.filter(value => !Number.isNaN(value));
  const width = data.features;
  const rows = new Float32Array(2 * 512 * width);
  const scores = new Float64Array(2 * 512);
  let found = 0;
  for (let done = 0; done < pairs; done += 512) {
    for (let i = 0; i < 512; i++) {
      const row = random.below(data.rows);
      const two = [values[random.below(values.length)]!, values[random.below(values.length)]!].sort((a, b) => a - b);
      for (const side of [0, 1]) {
        const at = (2 * i + side) * width;
        for (let f = 0; f < width; f++) rows[at + f] = columns[f]![row]!;
        rows[at + feature] = two[side]!;
      }
    }
    model.scoreRows(rows, 1024, scores);
    for (let i = 0; i < 512; i++) if (direction * (scores[2 * i + 1]! - scores[2 * i]!) < 0) found++;
  }
  return found;
}

const options = { trees: 40, leaves: 31, minDocuments: 5, evaluateEvery: 0 } as const;

describe('monotone constraints', () => {
  // Labels rise with features 1 and 3: both are asked to go the other way and its own.
  it.each([
    ['trees', 'lambdarank(ndcg)', treeData(1, { queries: 80 })],
    ['trees', 'normalise(ranknet)', categoryData(1, { queries: 80 })],
    ['forest', 'squared', treeData(2, { queries: 80 })],
  ] as const)(
    'of %s for %s are broken by no pair of a million',
    async (kind, objective, data) => {
      const monotone = ['+1', '-3', '+8', '-2'];
      const own = kind === 'forest' ? { trees: 30, leaves: 31 } : options;
      const job = { data, validate: data, objective, threads: 1 } as const;
      const fitted = async (more: { monotone?: string[] }) =>
        (kind === 'forest'
          ? await train({ ...job, model: 'forest', options: { ...own, ...more } })
          : await train({ ...job, model: 'trees', options: { ...own, ...more } })
        ).model;
      const model = await fitted({ monotone });
      for (const [feature, direction] of [
        [0, 1],
        [2, -1],
        [7, 1],
        [1, -1],
      ] as const) {
        expect(violations(model, data, feature, direction, 250_000)).toBe(0);
      }
      expect(model.splitUse().splits[0]).toBeGreaterThan(0);
      // Without them there are.
      expect(violations(await fitted({}), data, 2, -1, 5000)).toBeGreaterThan(100);
    },
    120_000,
  );

  it('are refused where the model to go on from breaks them, and hold where it was trained with them', async () => {
    const data = treeData(1, { queries: 80 });
    const job = { model: 'trees', data, validate: data, threads: 1 } as const;
    const kept = { ...options, trees: 10, monotone: ['+1', '-3'], interactions: ['1+3'] };
    const own = (await train({ ...job, options: kept })).model;
    const { model } = await train({ ...job, options: kept, from: own });
    expect(model.trees.length).toBeGreaterThan(own.trees.length);
    expect(violations(model, data, 2, -1, 20_000)).toBe(0);
    const free = (await train({ ...job, options: { ...options, trees: 10 } })).model;
    const from = (more: { monotone?: string[]; interactions?: string[]; refitDecay?: number }) =>
      train({ ...job, options: { ...options, trees: 3, ...more }, from: free });
    await expect(from({ monotone: ['-3'] })).rejects.toThrow(
      /^tree \d+ of the model to go on from does not keep to monotone; train that model with the same, or leave it out$/,
    );
    const broken = 'does not keep to interactions;';
    await expect(from({ interactions: ['1+3'] })).rejects.toThrow(broken);
    await expect(from({ interactions: ['1+3'], refitDecay: 0.5 })).rejects.toThrow(broken);
    await expect(from({})).resolves.toBeDefined();
  });

  it('know features whose names are numbers as they are written, 0 among them', async () => {
    const text = (...given: string[]) => optionsFromText(trainers.trees, given);
    expect(text('monotone=-0,+1e3,-007', 'interactions=007,1e3+0')).toEqual({
      monotone: ['-0', '+1e3', '-007'],
      interactions: ['007', '1e3+0'],
    });
    expect(treeOptions.parse({ monotone: [0, 3, -3, '-0'] }).monotone).toEqual([0, 3, -3, '-0']);
    expect(treeOptions.safeParse({ monotone: [-0] }).success).toBe(false);
    // Labels rise with the feature: asked to fall with it, no tree has a split.
    const rows = Array.from({ length: 200 }, (_, i) => ({ qid: i >> 2, label: i % 4, 0: i % 4 }));
    const data = Dataset.from(rows, { query: 'qid', label: 'label' });
    const splits = async (given: string) => {
      const options = { trees: 2, leaves: 3, minDocuments: 5, ...text(`monotone=${given}`) };
      const { model } = await train({
        model: 'trees',
        data,
        validate: data,
        options,
        objective: 'squared',
        threads: 1,
      });
      return model.splitUse().splits[0]!;
    };
    expect(await splits('+0')).toBeGreaterThan(0);
    expect(await splits('-0')).toBe(0);
  });

  it.each([
    [['price'], 'monotone has "price"; it must be +NAME or -NAME of a feature'],
    [['+price'], 'monotone names "price", which is no feature'],
    [['+1', '-1'], 'monotone has both +1 and -1'],
    [['+5'], 'monotone names "5", which is a category'],
  ])('refuse %j', async (monotone, reason) => {
    const data = categoryData(1);
    const job = { model: 'trees', data, validate: data } as const;
    await expect(train({ ...job, options: { monotone } })).rejects.toThrow(reason);
    await expect(train({ ...job, options: { monotone: ['+1'], split: 'squares', l1: 1 } })).rejects.toThrow(
      'monotone does not go with split=squares, l1',
    );
  });
});
