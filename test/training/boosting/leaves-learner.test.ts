/** Leaf values estimated again on other data, beside doing it by hand. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { scoreData } from '#listwise/models/ranker.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { type NamedSettings, trainNamed } from '#listwise/training/train.js';
import { temporaryDirectory } from '../../temporary.js';
import { categoryData, treeData } from './tree-data.js';
import '../../threads-at-once.js';

const old = { trees: 12, leaves: 9, minDocuments: 5, patience: 0 };
const validate = treeData(9);

async function trained(settings: Partial<NamedSettings>): Promise<TreesModel> {
  const { model } = await trainNamed({ data: treeData(1), validate, model: 'trees', options: old, ...settings });
  if (!(model instanceof TreesModel)) throw new Error(model.kind);
  return model;
}

/** Tree by tree: lambdas of the objective at the sum so far, summed over the documents of each leaf. */
function byHand(from: TreesModel, data: Dataset, objective: string, { decay = 0.5, rate = 0.1, l2 = 1, l1 = 0 }) {
  const run = parseObjective(objective).start(data);
  const view = new DatasetView(data, 'expected');
  const sums = Float32Array.from({ length: data.rows }, (_, row) => from.base + (data.initialScores?.[row] ?? 0));
  const [lambda, hessian] = [new Float64Array(data.rows), new Float64Array(data.rows)];
  return from.trees.map(tree => {
    const numbered = { ...tree, value: tree.value.map((_, leaf) => leaf) };
    const leafOf = scoreData(from.with({ trees: [numbered], base: 0 }), data);
    for (let q = 0; q < data.queries; q++) {
      const [first, last] = [data.offsets[q]!, data.offsets[q + 1]!];
      run.lambdas(view.moveTo(q, sums), {
        lambda: lambda.subarray(first, last),
        hessian: hessian.subarray(first, last),
      });
    }
    const value = tree.value.map((before, leaf) => {
      const rows = [...leafOf.keys()].filter(row => leafOf[row] === leaf);
      if (rows.length === 0) return before;
      const sum = (of: Float64Array) => rows.reduce((total, row) => total + of[row]!, 0);
      const drawn = Math.sign(sum(lambda)) * Math.max(0, Math.abs(sum(lambda)) - l1);
      return decay * before + ((1 - decay) * rate * drawn) / (sum(hessian) + l2);
    });
    leafOf.forEach((leaf, row) => {
      sums[row]! += value[leaf]!;
    });
    return value;
  });
}

describe('refitted leaves', () => {
  it.each<[string, { decay?: number; rate?: number; l1?: number; l2?: number }]>([
    ['squared', {}],
    ['ranknet', { decay: 0.9, rate: 0.3 }],
    ['normalise(ranknet)', { decay: 0, l2: 3 }],
    ['listnet', { l1: 0.2 }],
  ])('are those by hand for %s with %o', async (objective, how) => {
    const from = await trained({});
    const seen = treeData(5, { queries: 50 });
    const data = new Dataset({ ...seen, initialScores: seen.label().map(label => (label > 1 ? 0.3 : 0)) });
    const { decay = 0.5, ...others } = how;
    const options = { refitDecay: decay, ...others };
    const model = await trained({ data, objective, from, options });
    const expected = byHand(from, data, objective, { decay, ...others });
    model.trees.forEach((tree, i) => {
      const { value, ...rest } = tree;
      const { value: before, ...kept } = from.trees[i]!;
      expect(rest).toEqual(kept);
      expect(value).not.toEqual(before);
      value.forEach((own, leaf) => {
        expect(own).toBeCloseTo(expected[i]![leaf]!, 5);
      });
    });
    expect(model.trees.length).toBe(12);
  });

  it('of categories, on any number of threads, and after a break', async () => {
    const from = await trained({ data: categoryData(1), validate: categoryData(2) });
    const settings: Partial<NamedSettings> = {
      data: categoryData(3, { queries: 900 }),
      validate: categoryData(2),
      from,
      objective: 'ranknet',
      options: { refitDecay: 0.4 },
    };
    const one = await trained({ ...settings, threads: 1 });
    const checkpoint = { directory: join(temporaryDirectory(), 'checkpoint'), everyMs: 0 };
    expect((await trained({ ...settings, threads: 3, checkpoint })).trees).toEqual(one.trees);
    expect((await trained({ ...settings, checkpoint: { ...checkpoint, resume: true } })).trees).toEqual(one.trees);
    expect(one.trees).not.toEqual(from.trees);
  });

  it('fit data that changed better than the values before', async () => {
    const from = await trained({ options: { ...old, trees: 40 } });
    const turned = (seed: number) => {
      const data = treeData(seed, { queries: 100 });
      return new Dataset({ ...data, labels: new Map([['label', data.label().map(label => 4 - label)]]) });
    };
    const settings: NamedSettings = {
      data: turned(5),
      validate: turned(6),
      model: 'trees',
      objective: 'ranknet',
      from,
    };
    const { log, best } = await trainNamed({ ...settings, options: { refitDecay: 0 } });
    expect(log.length).toBe(1);
    const { best: before } = await trainNamed({ ...settings, options: { refitDecay: 0.999999 } });
    expect(best.values[0]! - before.values[0]!).toBeGreaterThan(0.1);
  });

  it.each([
    [{ refitDecay: 0.5 }, false, 'name that model with `from`'],
    [{ refitDecay: 0.5, monotone: ['+1'] }, true, 'monotone does not go with refit-decay'],
    [{ refitDecay: 0.5, dropRate: 0.1 }, true, 'drop-rate does not go with refit-decay'],
    [{ refitDecayRate: 0.5 }, true, 'here it is refit-decay'],
  ])('refuse %o', async (options, goesOn, reason) => {
    const from = goesOn ? await trained({}) : undefined;
    await expect(trained({ from, options })).rejects.toThrow(reason);
  });
});
