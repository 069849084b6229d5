import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kFold } from '#listwise/data/folds.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { scoreData } from '#listwise/models/ranker.js';
import { trainNamed } from '#listwise/training/train.js';
import { optionImportance } from '#listwise/tuning/option-importance.js';
import type { SearchSpace } from '#listwise/tuning/space.js';
import { type Trial, type Tuned, type TuneSettings, tune } from '#listwise/tuning/tune.js';
import { temporaryDirectory } from '../temporary.js';
import { cubic } from '../training/small-data.js';

const data = cubic(18, 1, 12, 5);
const folds = kFold(data, 2, 1).map(({ train: part, test }) => ({ train: part, validate: test }));
const space: SearchSpace = {
  model: 'trees',
  objective: 'lambdarank(ndcg)',
  options: { trees: 9, minDocuments: 3 },
  search: { rate: { from: 0.01, to: 1, scale: 'log', whole: false, steps: 2 }, leaves: { choices: [2, 4, 8] } },
};
const base: TuneSettings = { space, folds, trials: 12, threads: 1 };

/** All but the time that it took. */
function steady({ best, defaults, trials, select }: Tuned) {
  const timeless = [best, defaults!, ...trials].map(({ seconds: _, ...trial }) => trial);
  return { select, trials: timeless };
}

describe('tune', () => {
  it.each(['sequential', 'halving'] as const)('%s gives the same for any number of threads', async method => {
    const one = await tune({ ...base, method });
    expect(one.trials.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(steady(await tune({ ...base, method, threads: 3 }))).toEqual(steady(one));
  });

  it('takes the trial that is best on the queries left out, whose model is the one that trains again', async () => {
    const { train: part, validate } = folds[0]!;
    const { best, trials, configuration, defaults } = await tune({ ...base, folds: [folds[0]!], method: 'random' });
    const evaluated = [...trials, defaults!];
    expect(best.value).toBe(Math.max(...evaluated.map(({ value }) => value)));
    const { model } = await trainNamed({ ...configuration, data: part, validate, threads: 1 });
    const [result] = evaluate(validate, scoreData(model, validate), [parseMeasure('ndcg@10')]);
    expect(result!.mean).toBeCloseTo(best.value, 12);
    expect(best.interval[0]).toBeLessThan(best.value);
  });

  it('tries a whole grid, the first key slowest', async () => {
    const { trials } = await tune({ ...base, trials: undefined, method: 'grid' });
    expect(trials.map(({ options }) => [options.rate, options.leaves])).toEqual(
      [0.01, 1].flatMap(rate => [2, 4, 8].map(leaves => [rate, leaves])),
    );
  });

  it('with several seeds is their mean, and its interval is over them', async () => {
    const sampled = { ...space, options: { ...space.options, queryShare: 0.5 } };
    const { trials } = await tune({ ...base, space: sampled, trials: 2, method: 'random', seeds: 3 });
    for (const { value, seeds, interval } of trials) {
      expect(new Set(seeds).size).toBeGreaterThan(1);
      expect(value).toBeCloseTo((seeds[0]! + seeds[1]! + seeds[2]!) / 3, 12);
      expect((interval[0] + interval[1]) / 2).toBeCloseTo(value, 12);
    }
    const alone = await tune({ ...base, space: sampled, trials: 2, method: 'random', seed: 1 });
    expect(alone.trials[0]!.value).toBe(trials[0]!.seeds[0]);
  });

  it('selects by a graded criterion', async () => {
    const select = 'graded(ndcg@1,ap,tolerance=0.5)';
    const { best, trials, defaults } = await tune({ ...base, trials: 6, method: 'grid', select });
    // Within the tolerance the second measure decides.
    expect(best.values[1]).toBe(Math.max(...[...trials, defaults!].map(({ values }) => values[1]!)));
  });

  it('lets trials fail, says why, and ends only where none is left', async () => {
    const failing: SearchSpace = {
      model: 'linear',
      options: { epochs: 2 },
      search: { momentum: { choices: [0.5, 0] }, optimiser: { choices: ['adam', 'sgd'] } },
    };
    const { trials, best } = await tune({ ...base, space: failing, method: 'grid' });
    expect(trials.map(({ status }) => status)).toEqual(['failed', 'done', 'done', 'done']);
    expect(trials[0]).toMatchObject({ value: Number.NaN, error: 'momentum is for optimiser=sgd; adam has its own' });
    expect(best.status).toBe('done');
    const all = {
      ...failing,
      options: { epochs: 2, optimiser: 'adam' },
      search: { momentum: { choices: [0.5, 0.9] } },
    };
    await expect(tune({ ...base, space: { ...all, objective: 'listnet' }, method: 'grid' })).resolves.toMatchObject({
      best: { id: 0 },
    });
    const open = { ...all, objective: 'approx(ndcg,alpha={a})', search: { ...all.search, a: { choices: [1] } } };
    await expect(tune({ ...base, space: open, method: 'grid' })).rejects.toMatchObject({ code: 'trials-failed' });
  });

  it('refuses what cannot be trained before it trains', async () => {
    const wrong = { ...space, objective: 'approx(ndcg,alpha={a})', search: { a: { choices: [1, -1] } } };
    await expect(tune({ ...base, space: wrong })).rejects.toMatchObject({ code: 'spec-parameter' });
    await expect(tune({ ...base, select: 'ndgc' })).rejects.toMatchObject({ code: 'spec-unknown' });
  });
});

describe('a search that was ended', () => {
  const directory = temporaryDirectory();
  const file = (name: string) => join(directory, `${name}.jsonl`);
  /** Pieces that a search finishes before it is asked to end. */
  const broken = async (journal: string, pieces: number, more: Partial<TuneSettings> = {}) => {
    const ending = new AbortController();
    const onProgress = (done: number) => {
      if (done >= pieces) ending.abort();
    };
    const run = tune({ ...base, ...more, journal, onProgress, signal: ending.signal });
    await expect(run).rejects.toMatchObject({ code: 'training-interrupted' });
  };
  const records = (name: string) => readFileSync(name, 'utf8').trim().split('\n').slice(1);

  it.each([1, 2])('goes on to the same result and runs nothing twice, on %i threads', async threads => {
    const whole = await tune(base);
    const journal = file(`broken-${threads}`);
    await broken(journal, 7, { threads });
    const before = records(journal);
    expect(before.length).toBeGreaterThanOrEqual(7);
    expect(before.length).toBeLessThan(26);
    appendFileSync(journal, '{"piece":{"val'); // killed in the middle of a line
    expect(steady(await tune({ ...base, journal, threads }))).toEqual(steady(whole));
    const after = records(journal);
    expect(after.slice(0, before.length)).toEqual(before);
    // 12 trials and the defaults on two folds.
    const pieces = after.map(line => JSON.stringify(JSON.parse(line).entry.piece));
    expect(new Set(pieces).size).toBe(26);
    expect(pieces).toHaveLength(26);
  });

  it('can be made longer, but not another one', async () => {
    const journal = file('longer');
    const short = await tune({ ...base, trials: 4, journal });
    const long = await tune({ ...base, trials: 6, journal });
    expect(long.trials.slice(0, 4)).toEqual(short.trials);
    expect(records(journal)).toHaveLength(14);
    await expect(tune({ ...base, trials: 4, journal, seed: 2 })).rejects.toMatchObject({ code: 'checkpoint-invalid' });
    const other = folds.map(fold => ({ ...fold, validate: fold.train }));
    await expect(tune({ ...base, folds: other, journal })).rejects.toMatchObject({ code: 'checkpoint-invalid' });
  });

  it('does not go on where a module has changed', async () => {
    const journal = file('module');
    const module = join(directory, 'flat.mjs');
    const source = `export const flat = { name: 'flat', title: 'Flat', description: 'One.', citation: 'none', cutoff: 'none', range: [0, 1], parameters: {}, create: () => ({ value: () => 1 }) };`;
    const run = () => tune({ ...base, trials: 1, select: 'flat', modules: [module], journal });
    writeFileSync(module, source);
    await run();
    expect(records(journal)).toHaveLength(4);
    await run();
    expect(records(journal)).toHaveLength(4);
    writeFileSync(module, `${source}\n// changed`);
    await expect(run()).rejects.toMatchObject({ code: 'checkpoint-invalid' });
  });

  it('says which line of its file is damaged', async () => {
    const journal = file('damaged');
    await tune({ ...base, trials: 1, journal });
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, [lines[0], '{"piece":', ...lines.slice(2)].join('\n'));
    await expect(tune({ ...base, trials: 1, journal })).rejects.toThrow(
      `${journal}:2: the line does not match its checksum: it was damaged or changed`,
    );
  });
});

describe('importance of options', () => {
  const trial = (id: number, options: Trial['options'], value: number): Trial => ({
    id,
    options,
    value,
    status: 'done',
    interval: [0, 1],
    values: [value],
    seeds: [value],
    curve: { iterations: [], values: [] },
    share: 1,
    iteration: 1,
    seconds: 1,
  });

  it('is large for what decides and none for what does not', () => {
    const trials = Array.from({ length: 48 }, (_, i) => {
      const [rate, leaves] = [0.01 * 100 ** ((i % 16) / 15), [2, 4, 8][i % 3]!];
      return trial(i + 1, { rate, leaves }, Math.log(rate) + (i % 7) / 1000);
    });
    const [first, second] = optionImportance(space, trials);
    expect(first).toMatchObject({ option: 'rate' });
    expect(first!.share).toBeGreaterThan(0.8);
    expect(second!.share).toBeLessThan(0.1);
  });

  it('is not known from a few, and is nothing where all are equal', () => {
    const few = [1, 2].map(id => trial(id, { rate: 0.1, leaves: 2 }, id));
    expect(optionImportance(space, few).map(({ share }) => share)).toEqual([Number.NaN, Number.NaN]);
    const equal = Array.from({ length: 20 }, (_, i) => trial(i, { rate: 0.01 + i / 50, leaves: [2, 4][i % 2]! }, 1));
    expect(optionImportance(space, equal).map(({ share }) => share)).toEqual([0, 0]);
  });
});
