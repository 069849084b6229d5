/**
 * What the log says of an iteration: training, selecting and other values are those of the model of that iteration,
 * and change nothing.
 */
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { printModel } from '#listwise/models/model-file.js';
import { type Ranker, scoreData } from '#listwise/models/ranker.js';
import { reorderLabels, tieOrder } from '#listwise/training/boosting/rows/tie-order.js';
import { type NamedSettings, trainNamed } from '#listwise/training/train.js';
import { treeData } from './boosting/tree-data.js';
import { cubic } from './small-data.js';

const SEED = 3;
const data = cubic(40, 1);
const validate = cubic(20, 2);
const trees = { trees: 6, leaves: 8, minDocuments: 5 };
const runs: Record<string, Pick<NamedSettings, 'model' | 'options'>> = {
  trees: { model: 'trees', options: trees },
  'trees of a sample': { model: 'trees', options: { ...trees, queryShare: 0.5 } },
  forest: { model: 'forest', options: trees },
  linear: { model: 'linear', options: { epochs: 6 } },
  net: { model: 'net', options: { epochs: 6, hidden: [4] } },
};

function meanOf(model: Ranker, on: Dataset, spec: string): number {
  return evaluate(on, scoreData(model, on), [parseMeasure(spec)])[0]!.mean;
}

describe.each(Object.entries(runs))('the log of %s', (_, settings) => {
  const run = (more: Partial<NamedSettings>) =>
    trainNamed({ ...settings, data, validate, seed: SEED, threads: 1, select: 'ndcg@10', ...more });

  it('has the other measures, of the very model', async () => {
    const { log, best, model, measures } = await run({ measures: 'map,ndcg@10,rr' });
    expect(measures).toEqual(['map', 'ndcg@10', 'rr']);
    const record = log.find(({ iteration }) => iteration === best.iteration)!;
    expect(record.measures!['ndcg@10']).toBe(record.validation[0]);
    for (const [name, spec] of [
      ['map', 'ap'],
      ['rr', 'rr'],
    ] as const) {
      expect(record.measures![name]).toBeCloseTo(meanOf(model, validate, spec), 6);
    }
    for (const { validation, measures: values } of log) {
      expect(validation).toHaveLength(1);
      expect(Object.keys(values!)).toEqual(['map', 'ndcg@10', 'rr']);
    }
  });

  it('changes neither the model nor what is selected', async () => {
    const plain = await run({});
    const followed = await run({ measures: 'ap,p@3', evaluateTraining: true });
    expect(printModel(followed.model)).toBe(printModel(plain.model));
    expect(followed.best).toEqual(plain.best);
    expect(followed.log.map(({ validation }) => validation)).toEqual(plain.log.map(({ validation }) => validation));
    expect(plain.log.every(({ measures }) => measures === undefined)).toBe(true);
  });

  it('has one value of the training data for each selecting measure, for any number of threads', async () => {
    const logs = [];
    for (const threads of [1, 2]) {
      const { log } = await run({
        select: 'graded(ndcg@10,ap,tolerance=0.001)',
        measures: 'rr',
        evaluateTraining: true,
        threads,
      });
      expect(log.every(({ training }) => training.length === 2 && training.every(value => value > 0))).toBe(true);
      logs.push(log.map(({ seconds: _, ...rest }) => rest));
    }
    expect(logs[1]).toEqual(logs[0]);
  });

  it('refuses a measure of labels that the data has not', async () => {
    await expect(run({ measures: 'ap(labels=clicks)' })).rejects.toThrow('no label source "clicks"');
  });
});

describe('trees', () => {
  it.each(['trees', 'trees of a sample', 'forest'])('(%s) evaluate the training data after each tree', async name => {
    const { model, options } = runs[name]!;
    const settings = { model, options: { ...options, trees: 3 }, seed: SEED, evaluateTraining: true };
    // Evaluated as validation data, too, so that the best tree is the last and the model has all.
    const trained = await trainNamed({ ...settings, data, validate: data });
    const { log } = await trainNamed({ ...settings, data, validate });
    const order = tieOrder(data, SEED);
    const scores = scoreData(trained.model, data);
    const inOrder = Float64Array.from(order, row => scores[row]!);
    const [result] = evaluate(reorderLabels(data, order), inOrder, [parseMeasure('ndcg@10')]);
    expect(trained.best.iteration).toBe(3);
    expect(log.at(-1)!.training[0]).toBeCloseTo(result!.mean, 6);
  });

  it('evaluate the same on several threads', async () => {
    // Enough cells for threads to be started.
    const wide = treeData(5, { queries: 400 });
    const logs = [];
    for (const threads of [1, 3]) {
      const settings = {
        model: 'trees',
        data: wide,
        options: { trees: 2, leaves: 4 },
        evaluateTraining: true,
        threads,
      };
      const { log } = await trainNamed({ ...settings, holdout: 0.2, measures: 'ap,rr' });
      logs.push(log.map(({ seconds: _, ...rest }) => rest));
    }
    expect(logs[1]).toEqual(logs[0]);
    expect(logs[0]![1]!.training).toHaveLength(1);
  });

  it('say it once where they are selected on the training data', async () => {
    const { log } = await trainNamed({ ...runs.trees!, data, holdout: 0, evaluateTraining: true });
    expect(log.every(({ training, validation }) => training.length === 0 && validation.length === 1)).toBe(true);
  });
});

describe('forests', () => {
  it('grow the same trees whatever they are evaluated on', async () => {
    const set = treeData(3);
    const settings = { model: 'forest', data: set, seed: SEED, options: { trees: 4, leaves: 8 } };
    const evaluatedHere = await trainNamed({ ...settings, holdout: 0 });
    const evaluatedThere = await trainNamed({ ...settings, validate: treeData(4) });
    const { trees } = evaluatedHere.model.toJSON();
    expect(trees).toEqual(evaluatedThere.model.toJSON().trees);
    expect(evaluatedHere.log.every(({ pairs }) => pairs === evaluatedHere.log[0]!.pairs)).toBe(true);
  });
});
