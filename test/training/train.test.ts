import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { printModel } from '#listwise/models/model-file.js';
import { scoreData } from '#listwise/models/ranker.js';
import { Random } from '#listwise/numeric/random.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { trainerOf } from '#listwise/training/all.js';
import type { IterationRecord } from '#listwise/training/iteration-record.js';
import { type NamedSettings, type Trained, trainNamed } from '#listwise/training/train.js';
import { temporaryDirectory } from '../temporary.js';
import { cubic, separable } from './small-data.js';
import '../threads-at-once.js';

const data = separable(24, 15, 6);
const ndcg = parseMeasure('ndcg@10');

function run(more: Partial<NamedSettings> & { options?: Record<string, unknown> }): Promise<Trained> {
  const { options, ...rest } = more;
  return trainNamed({ data, model: 'linear', holdout: 0.25, ...rest, options: { epochs: 8, patience: 0, ...options } });
}

describe('training by descent', () => {
  it('ranks linearly separable data right, with either model and the defaults', async () => {
    for (const model of ['linear', 'net']) {
      const trained = await trainNamed({ data: separable(60, 20, 6), model });
      const test = separable(30, 20, 6, 2);
      const [result] = evaluate(test, scoreData(trained.model, test), [ndcg]);
      expect(result!.mean).toBeGreaterThan(0.99);
    }
  });

  it('LambdaRank with a hidden layer beats chance clearly on cubic data', async () => {
    const test = cubic(60, 3);
    const trained = await trainNamed({
      data: cubic(150, 1),
      validate: cubic(50, 2),
      model: 'net',
      objective: 'lambdarank(ndcg)',
      options: { epochs: 40 },
    });
    const random = new Random(1);
    const chance = evaluate(
      test,
      Float64Array.from({ length: test.rows }, () => random.uniform()),
      [ndcg],
    );
    const [result] = evaluate(test, scoreData(trained.model, test), [ndcg]);
    expect(result!.mean).toBeGreaterThan(chance[0]!.mean + 0.15);
  });

  it('gives the same bytes for any number of threads and for every run', async () => {
    const wide = cubic(160, 1, 40, 50);
    const settings = {
      data: wide,
      model: 'net',
      objective: 'lambdarank(ndcg@10)',
      options: { epochs: 2, batch: 32, hidden: [100] },
    };
    const models: string[] = [];
    for (const threads of [1, 1, 2, 3]) {
      const trained = await trainNamed({ ...settings, threads });
      models.push(printModel(trained.model) + JSON.stringify(trained.log.map(({ seconds: _, ...rest }) => rest)));
    }
    expect(new Set(models).size).toBe(1);
    const other = await trainNamed({ ...settings, seed: 2 });
    expect(printModel(other.model)).not.toBe(models[0]);
  });

  it('keeps the best epoch, and the model is that epoch’s', async () => {
    const validate = separable(10, 15, 6, 5);
    for (const model of ['linear', 'net']) {
      const trained = await run({ model, validate, holdout: undefined, options: { epochs: 15, rate: 0.05 } });
      const values = trained.log.map(record => record.validation[0]!);
      expect(trained.best.values[0]).toBe(Math.max(...values));
      expect(trained.best.iteration).toBe(1 + values.indexOf(Math.max(...values)));
      const [evaluated] = evaluate(validate, scoreData(trained.model, validate), [ndcg]);
      expect(evaluated!.mean).toBeCloseTo(trained.best.values[0]!, 6);
    }
  });

  it('stops after `patience` epochs without a better one', async () => {
    const trained = await run({ options: { epochs: 500, patience: 5 } });
    expect(trained.stopped).toBe('no improvement');
    expect(trained.iterations).toBe(trained.best.iteration + 5);
  });

  it('trains for one measure and selects by another, or by a graded criterion', async () => {
    const trained = await run({ objective: 'lambdarank(ap)', select: 'graded(p@5,ndcg@10,tolerance=0.01)' });
    expect(trained.objective).toBe('lambdarank(ap)');
    expect(trained.best.values).toHaveLength(2);
  });

  it('logs every epoch', async () => {
    const seen: number[] = [];
    const trained = await run({ onIteration: (record, total) => seen.push(record.iteration, total) });
    expect(seen).toEqual(Array.from({ length: 8 }, (_, e) => [e + 1, 8]).flat());
    for (const record of trained.log) {
      expect(record.pairs).toBeGreaterThan(0);
      expect(record.training[0]).toBeGreaterThan(0);
      expect(record.seconds).toBeGreaterThan(0);
    }
  });

  it('holds out queries, selects on validation data, or on the training data', async () => {
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    expect((await run({ holdout: undefined, note })).selectedOn).toEqual({ data: 'holdout', queries: 5 });
    expect(notes.join()).toContain('5 of 24 queries are held out');
    expect((await run({ holdout: 0.5 })).selectedOn).toEqual({ data: 'holdout', queries: 12 });
    expect((await run({ holdout: 0 })).selectedOn).toEqual({ data: 'training', queries: 24 });
    const few = await run({ data: separable(4, 6, 3), holdout: undefined, note });
    expect(few.selectedOn).toEqual({ data: 'training', queries: 4 });
    expect(notes.at(-1)).toContain('only 4 queries');
    await expect(run({ validate: data, holdout: 0.1 })).rejects.toThrow('not both');
  });

  it('goes on from a model, and keeps it where nothing is better', async () => {
    const first = await run({ model: 'net' });
    const more = await run({ model: 'net', from: first.model });
    expect(more.best.values[0]).toBeGreaterThanOrEqual(first.best.values[0]!);
    const worse = await run({ model: 'net', from: first.model, objective: 'ranknet', options: { rate: 1e-12 } });
    expect(worse.best.iteration).toBe(0);
    expect(printModel(worse.model)).toBe(printModel(first.model));
    await expect(run({ model: 'net', from: first.model, options: { hidden: [3] } })).rejects.toThrow(
      'cannot go on from',
    );
    await expect(run({ from: first.model })).rejects.toThrow('cannot go on from this net model');
    await expect(run({ model: 'net', from: first.model, data: separable(9, 5, 3) })).rejects.toThrow(
      'the data lacks "4", "5", "6" of the model\'s features',
    );
  });

  it('runs an objective of the user’s', async () => {
    const trained = await run({
      options: { rate: 0.05 },
      objective: {
        spec: 'mine',
        hessian: 'none',
        labels: ['label'],
        start: () => ({
          lambdas(view, { lambda }) {
            const labels = view.labels('label');
            for (let i = 0; i < view.n; i++) lambda[i] = labels[i]! - view.scores[i]!;
            return view.n;
          },
        }),
      },
    });
    expect(trained.objective).toBe('mine');
    expect(trained.best.values[0]).toBeGreaterThan(0.8);
  });

  it('takes measures from modules, on every thread', async () => {
    const module = join(temporaryDirectory(), 'top.mjs');
    writeFileSync(
      module,
      `export const top = {
        name: 'toplabel', title: 'Label of the first', description: 'The label of the first document.', citation: 'none',
        cutoff: 'none', range: [0, 4], parameters: {},
        create: (_, { labels }) => ({
          value: view => view.ranked(labels)[0],
          swap: { form: 'function', begin: view => (a, b) => (a === 0 ? view.ranked(labels)[b] - view.ranked(labels)[0] : 0) },
        }),
      };`,
    );
    const settings = {
      data: cubic(160, 1, 40, 50),
      model: 'net',
      objective: 'lambdarank(toplabel)',
      select: 'toplabel',
      modules: [module],
      options: { epochs: 2, batch: 32, hidden: [100] },
    };
    const alone = await trainNamed({ ...settings, threads: 1 });
    const together = await trainNamed({ ...settings, threads: 2 });
    expect(alone.select).toBe('toplabel');
    expect(printModel(together.model)).toBe(printModel(alone.model));
  });

  it('shrinks the weights by decay', async () => {
    const size = async (decay: number) => {
      const { model } = await run({ holdout: 0, select: 'ndcg', options: { decay, epochs: 30 } });
      return model.toJSON().weights as number[];
    };
    const norm = (weights: number[]) => Math.hypot(...weights);
    expect(norm(await size(20))).toBeLessThan(0.7 * norm(await size(0)));
  });

  it('weighs queries', async () => {
    const weighted = data.with({ queryWeights: Float64Array.from({ length: data.queries }, (_, q) => q % 2) });
    const [plain, other] = [await run({}), await run({ data: weighted })];
    expect(printModel(other.model)).not.toBe(printModel(plain.model));
  });
});

describe('protocols', () => {
  const rates = (log: readonly IterationRecord[]) => log.map(record => record.rate);

  it('lowers the rate after a worse epoch only, always or by chance', async () => {
    const options = { epochs: 40, batch: 1, optimiser: 'sgd', rate: 0.5, rateFactor: 0.8 };
    const always = await run({ options });
    const worse = always.log.map((record, e) => e > 0 && record.training[0]! < always.log[e - 1]!.training[0]!);
    expect(worse).toContain(true);
    let rate = 0.5;
    for (const [e, record] of always.log.entries()) {
      expect(record.rate).toBe(rate);
      if (worse[e]) rate *= 0.8;
    }
    const sometimes = await run({ options: { ...options, rateChance: 0.3 } });
    expect(rates(sometimes.log).at(-1)).toBeGreaterThan(rates(always.log).at(-1)!);
  });

  it('watches the cost where there is one', async () => {
    const options = { epochs: 12, batch: 1, optimiser: 'sgd', rate: 30, rateFactor: 0.5, rateWatch: 'cost' };
    const trained = await run({ data: cubic(20, 1), objective: 'ranknet', options });
    const costs = trained.log.map(record => record.cost);
    expect(costs.every(Number.isFinite)).toBe(true);
    const rises = costs.filter((cost, e) => e > 0 && e < costs.length - 1 && cost > costs[e - 1]!).length;
    expect(rises).toBeGreaterThan(0);
    expect(rates(trained.log).at(-1)).toBeCloseTo(30 * 0.5 ** rises, 12);
    await expect(run({ objective: 'lambdarank(ndcg)', options })).rejects.toThrow('has no cost to watch');
  });

  it('starts again from other weights when training has stalled', async () => {
    const options = { epochs: 30, restartAfter: 3, rate: 1e-12, optimiser: 'sgd' };
    const trained = await run({ model: 'net', options });
    const restarts = trained.log.filter(record => record.event === 'restart').map(record => record.iteration);
    // The first epoch of a start is its best; three without a better one follow.
    expect(restarts).toEqual([4, 8, 12, 16, 20, 24, 28]);
    const values = new Set(trained.log.map(record => record.validation[0]));
    expect(values.size).toBeGreaterThan(4);
    const constant = await run({
      model: 'net',
      options: { ...options, restartWhen: 'constant', restartWatch: 'validation', restartAfter: 5 },
    });
    expect(constant.log.filter(record => record.event === 'restart').map(record => record.iteration)[0]).toBe(6);
  });

  it('runs with any batch', async () => {
    for (const batch of [1, 5, 'all', 'auto', 1000]) {
      const trained = await run({ options: { batch } });
      expect(trained.iterations).toBe(8);
    }
  });

  it('stops where training diverges and keeps what was good', async () => {
    const options = { optimiser: 'sgd', rate: 1e38, batch: 1 };
    await expect(run({ objective: 'squared', options })).rejects.toThrow('lower the rate (1e+38)');
    const raw = { ...options, standardise: false };
    await expect(run({ objective: 'squared', options: raw })).rejects.toThrow('or standardise the features');
  });

  it('refuses what can only diverge, and says which option it is', async () => {
    await expect(run({ options: { decay: 1e6 } })).rejects.toThrow('rate 0.01 times decay 1000000 is 10000');
    await expect(run({ options: { initial: 1e300 } })).rejects.toThrow(
      'initial is a number above 0 and at most 1000000, found "1e+300"',
    );
  });
});

describe('an interruption from outside', () => {
  for (const batch of ['all', 1]) {
    it(`is seen where epochs are short, batch ${batch}`, async () => {
      const options = { epochs: 100_000, patience: 0, batch };
      const trained = await run({ options, threads: 1, signal: AbortSignal.timeout(100) });
      expect(trained.stopped).toBe('interrupted');
      expect(trained.iterations).toBeLessThan(options.epochs);
    });
  }
});

describe('checkpoints', () => {
  const options = { epochs: 9, rateFactor: 0.8, rateChance: 0.5, restartAfter: 3 };

  it('goes on after an interruption to the identical model', async () => {
    for (const steps of [{ optimiser: 'adam' }, { optimiser: 'sgd', momentum: 0.2 }]) {
      const settings = { model: 'net', options: { ...options, ...steps } };
      const whole = await run(settings);
      const directory = temporaryDirectory();
      for (const stopAfter of [1, 4]) {
        const controller = new AbortController();
        const part = await run({
          ...settings,
          checkpoint: { directory, resume: true },
          signal: controller.signal,
          onIteration: record => record.iteration === stopAfter && controller.abort(),
        });
        expect(part.stopped).toBe('interrupted');
        expect(part.iterations).toBe(stopAfter);
      }
      const resumed = await run({ ...settings, checkpoint: { directory, resume: true } });
      expect(printModel(resumed.model)).toBe(printModel(whole.model));
      expect(resumed.best).toEqual(whole.best);
      expect(resumed.log.map(record => record.validation)).toEqual(whole.log.map(record => record.validation));
      // A finished run has nothing left to do.
      const again = await run({ ...settings, checkpoint: { directory, resume: true } });
      expect(printModel(again.model)).toBe(printModel(whole.model));
    }
  });

  it('may be given more epochs', async () => {
    const directory = temporaryDirectory();
    await run({ options: { epochs: 3 }, checkpoint: { directory } });
    const more = await run({ options: { epochs: 6 }, checkpoint: { directory, resume: true } });
    expect(printModel(more.model)).toBe(printModel((await run({ options: { epochs: 6 } })).model));
  });

  it.each([0, 5, 1e9])('goes on without one that cannot be written every %i ms, and says so once', async everyMs => {
    const directory = join(temporaryDirectory(), 'file');
    writeFileSync(directory, '');
    const notes: string[] = [];
    const settings = { model: 'net', options };
    const checkpoint = { directory, everyMs };
    const unsaved = await run({ ...settings, checkpoint, note: text => notes.push(text) });
    expect(printModel(unsaved.model)).toBe(printModel((await run(settings)).model));
    expect(notes.filter(text => text.startsWith('no checkpoint'))).toEqual([
      `no checkpoint: ${join(directory, 'checkpoint.json')}: cannot be written: a file is in the way; training goes on without one`,
    ]);
  });

  it('refuses the checkpoint of another run', async () => {
    const directory = temporaryDirectory();
    const checkpoint = { directory, resume: true };
    await run({ checkpoint });
    await expect(run({ checkpoint, seed: 2 })).rejects.toThrow(
      'of another run, which differs in seed (1, now 2), training data, validation data;',
    );
    await expect(run({ checkpoint, objective: 'ranknet' })).rejects.toThrow(
      /differs in objective \(.*, now "ranknet"\);/,
    );
    await expect(run({ checkpoint, options: { rate: 0.1 } })).rejects.toThrow(/differs in rate \(.*, now 0.1\);/);
    await expect(run({ checkpoint, data: separable(24, 15, 6, 9) })).rejects.toThrow(/differs in training data[,;]/);
  });
});

describe('mistakes', () => {
  it('names the options there are', async () => {
    await expect(run({ options: { hiden: [3] }, model: 'net' })).rejects.toThrow(
      'net has no option "hiden"; did you mean "hidden"? Options: hidden, activation, epochs',
    );
    await expect(run({ options: { hidden: [3] } })).rejects.toThrow('linear has no option "hidden"');
    await expect(run({ options: { rate: 0 } })).rejects.toThrow('rate is a number above 0, found "0"');
    await expect(run({ options: { optimiser: 'lbfgs' } })).rejects.toThrow('optimiser is one of adam, sgd, found');
    await expect(run({ options: { batch: 'some' } })).rejects.toThrow(
      'batch is a whole number of at least 1, or one of all, auto',
    );
    await expect(run({ model: 'nett' })).rejects.toThrow(
      'no trainer for models of the kind "nett"; did you mean "net"?',
    );
    await expect(run({ objective: 'lambdrank(ndcg)' })).rejects.toThrow('did you mean "lambdarank"?');
    await expect(run({ holdout: 1 })).rejects.toThrow('at least 0 and below 1');
  });

  it('refuses labels that the data does not have', async () => {
    await expect(run({ objective: 'ranknet(labels=clicks)' })).rejects.toThrow('no label source "clicks"');
    await expect(run({ select: 'ndcg(labels=clicks)' })).rejects.toThrow('no label source "clicks"');
  });

  it('refuses validation data with other features', async () => {
    await expect(run({ validate: separable(9, 5, 9), holdout: undefined })).rejects.toThrow('the data has');
  });
});

it('parses objectives as threads do', () => {
  // Threads make the objective again from its string.
  for (const spec of ['ranknet', 'lambdarank(ndcg@10)', 'approx(ndcg,alpha=100)']) {
    expect(parseObjective(parseObjective(spec).spec).spec).toBe(parseObjective(spec).spec);
  }
});

it.each(['trees', 'forest', 'linear', 'net'])('%s: data without features is an error', async model => {
  const builder = new DatasetBuilder({ absent: 0 });
  const labels = { label: Float64Array.of(1, 0) };
  builder.append({
    rows: 2,
    width: 0,
    stride: 2,
    columns: new Float32Array(0),
    labels,
    queries: [{ id: 'q', rows: 2 }],
  });
  await expect(trainNamed({ data: builder.finish(), model, holdout: 0 })).rejects.toMatchObject({ code: 'data-empty' });
});

it('asks for the kind of model where a program without types gives none', () => {
  expect(() => trainerOf(undefined)).toThrow('name the kind of `model`: trees, linear, ');
});
