import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/index.js';
import { scoreData } from '#listwise/models/ranker.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { configOf, experimentOf, reproduce, StepStore, scales } from '#listwise/reproduce/index.js';
import { replay } from '#listwise/reproduce/replay.js';
import { svoreConfig } from '#listwise/reproduce/svore.js';
import { train } from '#listwise/training/train.js';
import { temporaryDirectory } from '../temporary.js';

const tables = ['svore-2011-table-1', 'svore-2011-table-2'].map(experimentOf);

describe('tables of Svore 2011', () => {
  it.each(scales)('%s: have data, options and baseline in common', scale => {
    const [first, second] = tables.map(table => svoreConfig.strip().parse(configOf(table, scale)));
    expect(second).toEqual(first);
  });

  it('train the baseline once', async () => {
    const folder = temporaryDirectory();
    const shared = new StepStore(join(folder, 'shared.jsonl'), { of: 'test' });
    const settings = { seed: 1, threads: 1, signal: new AbortController().signal, shared };
    const alone = await reproduce(tables[0]!, 'tiny', settings);
    // Two sources of clicks, one more model each.
    expect(shared.size).toBe(3);
    const again = await reproduce(tables[0]!, 'tiny', settings);
    expect(shared.size).toBe(3);
    expect(again.outcome).toEqual(alone.outcome);
    await reproduce(tables[1]!, 'tiny', settings);
    // Eight more rows.
    expect(shared.size).toBe(11);
    shared.close();
  }, 60_000);
});

describe('scores as trees were added', () => {
  it('start from the base and end at the scores of the model', async () => {
    const data = generateDataset('cubic', { queries: 20, documents: 10, features: 5, seed: 3 });
    const { model } = await train({
      data,
      model: 'trees',
      holdout: 0,
      options: { trees: 4, evaluateEvery: 0 },
      threads: 1,
    });
    if (!(model instanceof TreesModel)) throw new Error('trees are expected');
    let [iterations, last] = [0, new Float64Array(data.rows).fill(model.base)];
    for (const { iteration, before, after } of replay(model, data)) {
      expect(iteration).toBe(++iterations);
      expect(before).toEqual(last);
      last = after.slice();
    }
    expect(iterations).toBe(4);
    expect([...last]).toEqual([...scoreData(model, data)].map(score => expect.closeTo(score, 9)));
  });
});
