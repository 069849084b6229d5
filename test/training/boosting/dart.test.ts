/** Dropout of trees: what is dropped, what the weights become, and at which scores trees are grown. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scoreData } from '#listwise/models/ranker.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { droppedTrees, dropWeights } from '#listwise/training/boosting/dart.js';
import { type NamedSettings, trainNamed } from '#listwise/training/train.js';
import { temporaryDirectory } from '../../temporary.js';
import { treeData } from './tree-data.js';
import '../../threads-at-once.js';

const data = treeData(1, { queries: 60 });
const dart = { trees: 14, leaves: 6, minDocuments: 5, patience: 0, dropRate: 0.3, skipDrop: 0.2 };
const base: NamedSettings = { data, validate: treeData(2), model: 'trees', options: dart };

/** The model after each tree. */
async function modelsOf(settings: NamedSettings) {
  const models: TreesModel[] = [];
  const result = await trainNamed({
    ...settings,
    onIteration: (_record, _total, model) => {
      const made = model?.();
      if (made instanceof TreesModel) models.push(made);
    },
  });
  return { models, result };
}

describe('trees that are dropped', () => {
  const options = {
    dropRate: 0.2,
    maxDrop: 50,
    skipDrop: 0.5,
    uniformDrop: true,
    dropNormalise: 'paper',
    rate: 0.1,
  } as const;
  const sizes = Array.from({ length: 100 }, (_, i) => (i < 50 ? 1 : 0.25));
  const draws = (more: object, of = sizes) =>
    Array.from({ length: 400 }, (_, i) => droppedTrees(of, { ...options, ...more }, 1, i + 1));
  const mean = (lists: number[][]) => lists.reduce((sum, { length }) => sum + length, 0) / lists.length;

  it('are about the share of them, and none as often as is asked for', () => {
    const lists = draws({});
    expect(Math.abs(lists.filter(({ length }) => length === 0).length / 400 - 0.5)).toBeLessThan(0.08);
    expect(mean(lists)).toBeGreaterThan(8.5);
    expect(mean(lists)).toBeLessThan(11.5);
    expect(draws({ skipDrop: 1 }).flat()).toEqual([]);
    expect(lists.every(list => list.every((tree, i) => i === 0 || tree > list[i - 1]!))).toBe(true);
  });

  it('are at most so many', () => {
    const lists = draws({ maxDrop: 3, skipDrop: 0 });
    expect(Math.max(...lists.map(({ length }) => length))).toBe(3);
    expect(mean(lists)).toBeGreaterThan(2);
    expect(mean(draws({ maxDrop: 0, dropRate: 1, skipDrop: 0 }))).toBe(100);
  });

  it('are rather those of much weight, unless all are alike', () => {
    const heavy = (lists: number[][]) => lists.flat().filter(tree => tree < 50).length / lists.flat().length;
    expect(heavy(draws({ uniformDrop: false }))).toBeGreaterThan(0.75);
    expect(Math.abs(heavy(draws({})) - 0.5)).toBeLessThan(0.05);
  });

  it('have the weights of the paper, or those of XGBoost', () => {
    const weights = (dropped: number, dropNormalise: 'paper' | 'tree' | 'forest') =>
      Object.values(dropWeights(dropped, { ...options, dropNormalise }));
    expect(weights(3, 'paper')).toEqual([1 / 4, 3 / 4]);
    expect(weights(3, 'tree')).toEqual([1 / 3.1, 3 / 3.1]);
    expect(weights(3, 'forest')).toEqual([1 / 1.1, 1 / 1.1]);
    for (const how of ['paper', 'tree', 'forest'] as const) expect(weights(0, how)).toEqual([1, 1]);
  });
});

describe('boosting with dropout', () => {
  it.each(['paper', 'tree', 'forest'] as const)('grows trees at the scores of those that stay: %s', async how => {
    const rate = 0.4;
    const given = { ...dart, rate, l2: 1, dropNormalise: how };
    const { models, result } = await modelsOf({ ...base, objective: 'squared', options: given });
    const label = data.label();
    const born: number[] = [];
    let weights: number[] = [];
    let most = 0;
    models.forEach((model, i) => {
      const sizes = weights.map((weight, tree) => weight * born[tree]!);
      const dropped = droppedTrees(sizes, { ...given, maxDrop: 50, uniformDrop: false }, 1, i + 1);
      expect(result.log[i]!.facts).toEqual({ dropped: dropped.length });
      most = Math.max(most, dropped.length);
      const { grown, dropped: lessened } = dropWeights(dropped.length, { ...given, maxDrop: 50, uniformDrop: false });
      // Each leaf is the mean of what the trees that stay leave over.
      const stay = models[i - 1]?.trees.filter((_, tree) => !dropped.includes(tree)) ?? [];
      const names = data.featureNames;
      const scores = scoreData(new TreesModel({ featureNames: names, trees: stay }), data);
      const tree = model.trees[i]!;
      const numbered = { ...tree, value: tree.value.map((_, leaf) => leaf) };
      const leaf = scoreData(new TreesModel({ featureNames: names, trees: [numbered] }), data);
      tree.value.forEach((value, own) => {
        let [sum, documents] = [0, 0];
        label.forEach((grade, row) => {
          if (leaf[row] !== own || Number.isNaN(grade)) return;
          sum += grade - scores[row]!;
          documents++;
        });
        expect(value).toBeCloseTo((grown * rate * sum) / (documents + 1), 5);
      });
      weights = [...weights.map((weight, at) => (dropped.includes(at) ? weight * lessened : weight)), 1];
      born.push(grown);
      weights.forEach((weight, at) => {
        expect(model.trees[at]!.value).toEqual(models[at]!.trees[at]!.value.map(value => Math.fround(weight * value)));
      });
    });
    expect(models.length).toBe(14);
    expect(most).toBeGreaterThan(2);
  });

  it('has the same trees after a break, for any number of threads', async () => {
    // So many cells that threads are started.
    const large = { ...base, data: treeData(3, { queries: 600 }) };
    const whole = await trainNamed({ ...large, threads: 1 });
    expect((await trainNamed({ ...large, threads: 3 })).model.toJSON()).toEqual(whole.model.toJSON());
    const checkpoint = { directory: join(temporaryDirectory(), 'checkpoint'), everyMs: 0 };
    const stop = new AbortController();
    const onIteration = ({ iteration }: { iteration: number }) => iteration === 9 && stop.abort();
    const part = await trainNamed({ ...large, checkpoint, signal: stop.signal, onIteration });
    expect(part.stopped).toBe('interrupted');
    const resumed = await trainNamed({ ...large, checkpoint: { ...checkpoint, resume: true } });
    expect(resumed.model.toJSON()).toEqual(whole.model.toJSON());
    const bare = (log: typeof whole.log) => log.map(({ seconds: _, ...record }) => record);
    expect(bare(resumed.log)).toEqual(bare(whole.log));
  });

  it('keeps the best iteration with the weights it had', async () => {
    const { models, result } = await modelsOf({ ...base, options: { ...dart, trees: 30, rate: 1, leaves: 31 } });
    const { iteration } = result.best;
    expect(iteration).toBeLessThan(30);
    expect(result.model.toJSON().trees).toEqual(models[iteration - 1]!.toJSON().trees);
    const changed = models.at(-1)!.trees.slice(0, iteration);
    expect(changed.map(({ value }) => value)).not.toEqual(models[iteration - 1]!.trees.map(({ value }) => value));
  });

  it('says of options of dropout that they change nothing without it', async () => {
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    await trainNamed({ ...base, options: { ...dart, trees: 2, dropRate: 0 }, note });
    expect(notes.filter(text => text.includes('changes nothing'))).toEqual([
      'skip-drop = 0.2 changes nothing as drop-rate is 0; set drop-rate, or leave skip-drop out',
    ]);
    notes.length = 0;
    await trainNamed({ ...base, options: { ...dart, trees: 2 }, note });
    expect(notes.filter(text => text.includes('changes nothing'))).toEqual([]);
  });

  it('drops no tree of the model to go on from', async () => {
    const { model: from } = await trainNamed({ ...base, options: { ...dart, trees: 5, dropRate: 0 } });
    if (!(from instanceof TreesModel)) throw new Error(from.kind);
    const { model } = await trainNamed({ ...base, from, options: { ...dart, dropRate: 1, evaluateEvery: 0 } });
    if (!(model instanceof TreesModel)) throw new Error(model.kind);
    expect(model.trees.slice(0, from.trees.length)).toEqual(from.trees);
    expect(model.trees.length).toBe(from.trees.length + 14);
  });
});
