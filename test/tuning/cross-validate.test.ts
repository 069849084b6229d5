import { describe, expect, it } from 'vitest';
import { meanInterval, moments } from '#listwise/analysis/significance/t-test.js';
import { kFold } from '#listwise/data/folds.js';
import { fromPortable, toPortable } from '#listwise/data/portable.js';
import { selectQueries } from '#listwise/data/split.js';
import { StringTable } from '#listwise/data/string-table.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure, parseMeasures } from '#listwise/measures/parse.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { crossValidate } from '#listwise/tuning/cross-validate.js';
import { foldValue, overFolds } from '#listwise/tuning/fold-values.js';
import { separable } from '../training/small-data.js';

const data = separable(30, 12, 5);
const folds = kFold(data, 3, 1);
const measures = parseMeasures('ndcg@10,ap');
const settings = { model: 'linear', options: { epochs: 5 }, folds, data, measures } as const;

describe('cross-validation', () => {
  it('gives the same for any number of threads, any model', async () => {
    for (const model of ['linear', 'trees'] as const) {
      const options = model === 'trees' ? { trees: 5 } : { epochs: 5 };
      const run = (threads: number) => crossValidate({ ...settings, model, options, threads });
      const [one, two, seven] = [await run(1), await run(2), await run(7)];
      for (const other of [two, seven]) {
        expect(other!.scores).toEqual(one!.scores);
        expect(other!.mean).toEqual(one!.mean);
        expect(other!.interval).toEqual(one!.interval);
      }
    }
  });

  it('evaluates by what selects, graded criteria too, where no measures are asked for', async () => {
    const select = 'graded(ndcg@10,ap,tolerance=0.001)';
    const { mean } = await crossValidate({ model: 'linear', options: { epochs: 2 }, folds, data, select, threads: 1 });
    expect(Object.keys(mean)).toEqual(['ndcg@10', 'ap']);
    const strings = await crossValidate({ ...settings, measures: 'ndcg@10,ap', threads: 1 });
    expect(strings.mean).toEqual((await crossValidate({ ...settings, threads: 1 })).mean);
  });

  it('scores each document by the model that did not see its query, where the query is in the data', async () => {
    const result = await crossValidate({ ...settings, threads: 1 });
    expect(result.scores).toHaveLength(data.rows);
    const whole = evaluate(
      data,
      result.scores,
      measures.map(({ measure }) => measure),
    );
    for (const [m, { asked }] of measures.entries()) {
      // Folds of equal size: the mean over folds is that over queries.
      expect(result.mean[asked]).toBeCloseTo(whole[m]!.mean, 12);
      const average = moments(Float64Array.from(result.folds, fold => fold.measures[asked]!)).mean;
      expect(result.mean[asked]).toBeCloseTo(average, 12);
      const [low, high] = meanInterval(whole[m]!.values, 0.05);
      expect(result.interval[asked]![0]).toBeCloseTo(low, 9);
      expect(result.interval[asked]![1]).toBeCloseTo(high, 9);
    }
    // Without `data` the parts come in the order of the folds.
    const inFolds = await crossValidate({ ...settings, data: undefined, threads: 1 });
    expect(inFolds.data.queryIds).toEqual(folds.flatMap(({ test }) => test.queryIds));
    expect(inFolds.mean).toEqual(result.mean);
    expect(inFolds.scores).not.toEqual(result.scores);
  });

  it('does not look at the labels of the queries left out', async () => {
    const [first] = folds;
    const spoilt = first!.test.with({ labels: new Map([['label', first!.test.label().map(label => 2 - label)]]) });
    const run = (test: typeof spoilt) =>
      crossValidate({ ...settings, folds: [{ ...first!, test }], data: test, threads: 1 });
    expect((await run(spoilt)).scores).toEqual((await run(first!.test)).scores);
  });

  it('takes an objective of the user’s own, which runs on the calling thread', async () => {
    const own = { ...parseObjective('ranknet'), spec: 'own' };
    const ours = await crossValidate({ ...settings, objective: own, threads: 3 });
    const named = await crossValidate({ ...settings, objective: 'ranknet', threads: 1 });
    expect(ours.scores).toEqual(named.scores);
  });

  it('tells a mistake found in a thread by its code', async () => {
    const run = (objective: string, options = {}) => crossValidate({ ...settings, objective, options, threads: 2 });
    await expect(run('ranknet', { rate: -1 })).rejects.toMatchObject({ code: 'option-invalid' });
    await expect(run('lambdarank(ndcgg)')).rejects.toMatchObject({ code: 'spec-unknown' });
  });

  it('ends when asked to', async () => {
    for (const threads of [1, 2]) {
      const ending = new AbortController();
      const options = { epochs: 1_000_000, patience: 0 };
      const run = crossValidate({ ...settings, options, threads, signal: ending.signal });
      setTimeout(() => ending.abort(), 300);
      await expect(run).rejects.toMatchObject({ code: 'training-interrupted' });
    }
  });

  it('refuses folds that test a query twice or not at all', async () => {
    const [first, second] = folds as [(typeof folds)[0], (typeof folds)[0]];
    await expect(crossValidate({ ...settings, folds: [first, second], threads: 1 })).rejects.toThrow('in no fold');
    await expect(crossValidate({ ...settings, folds: [first, first], threads: 1 })).rejects.toThrow('in two folds');
    await expect(crossValidate({ ...settings, folds, data: second.test, threads: 1 })).rejects.toThrow(
      'not in the data',
    );
  });
});

describe('values over folds', () => {
  const ndcg = parseMeasure('ndcg');

  it('of unequal folds are means of means; the interval covers them as often as it says', () => {
    const folds = [
      [1, 2, 3, 4],
      [5, 7],
    ].map(values => foldValue(ndcg, Float64Array.from(values)));
    expect(overFolds(ndcg, folds).mean).toBe((2.5 + 6) / 2);
    const [low, high] = overFolds(ndcg, folds).interval;
    expect((low + high) / 2).toBeCloseTo(4.25, 12);
    // t(0.975, 5) = 2.5705818; deviation around 22/6 of all six values is sqrt(23.3333/5); sqrt(1/4 + 1/2)/2 of that.
    expect(high - 4.25).toBeCloseTo(2.5705818366 * Math.sqrt(70 / 3 / 5) * (Math.sqrt(0.75) / 2), 8);
  });

  it('leave out queries that are skipped, and know no interval of a single one', () => {
    expect(foldValue(ndcg, Float64Array.of(0.5, Number.NaN, 1))).toMatchObject({ n: 2, mean: 0.75 });
    const { mean, interval } = overFolds(ndcg, [foldValue(ndcg, Float64Array.of(0.5))]);
    expect([mean, ...interval]).toEqual([0.5, Number.NaN, Number.NaN]);
  });

  it('of a geometric mean are taken over logarithms', () => {
    const gmap = parseMeasure('gmap');
    const folds = [[0.1], [0.4]].map(values => foldValue(gmap, Float64Array.from(values)));
    expect(overFolds(gmap, folds).mean).toBeCloseTo(0.2, 12);
  });
});

describe('portable data', () => {
  it('is the same on the other side of a message', () => {
    const part = selectQueries(data, [3, 1, 7]).with({ documentIds: StringTable.from(['a', 'bé', '']) });
    const back = fromPortable(structuredClone(toPortable(part)));
    expect(back.queryIds).toEqual(part.queryIds);
    expect(back.column(2)).toEqual(part.column(2));
    expect(back.label()).toEqual(part.label());
    expect(back.inputRows).toEqual(part.inputRows);
    expect([0, 1, 2].map(row => back.documentId(row))).toEqual([0, 1, 2].map(row => part.documentId(row)));
  });
});
