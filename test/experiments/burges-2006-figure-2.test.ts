import { describe, expect, it } from 'vitest';
import { run, table } from '../../experiments/burges-2006-figure-2/run.mjs';
import { configOf, keptResult, keptTable } from '../../experiments/lib/experiment.mjs';

const url = new URL('../../experiments/burges-2006-figure-2/run.mjs', import.meta.url).href;

interface Case {
  training: number;
  model: string;
  methods: {
    name: string;
    ndcg: { k: number; mean: number; interval: readonly [number, number] }[];
    runs: { test: number[] }[];
  }[];
  comparison: {
    k: number;
    difference: number;
    interval: readonly [number, number];
    p: { t: number; wilcoxon: number };
  }[];
}

describe('cubic data, RankNet against LambdaRank', () => {
  it('tiny: gives the same result each time, of the right shape', async () => {
    const config = configOf(url, 'tiny');
    const result = await run({ config, seed: 1 });
    expect(await run({ config, seed: 1 })).toEqual(result);
    const cases: Case[] = result.cases;
    expect(cases.map(({ training, model }) => [training, model])).toEqual([
      [40, 'linear'],
      [40, 'net'],
    ]);
    for (const { methods, comparison } of cases) {
      const [ranknet, lambdarank] = [methods[0]!, methods[1]!];
      expect([ranknet.name, lambdarank.name]).toEqual(['RankNet', 'LambdaRank']);
      expect(comparison.map(({ k }) => k)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      for (const [i, { difference, interval, p }] of comparison.entries()) {
        const [a, b] = [ranknet.ndcg[i]!, lambdarank.ndcg[i]!];
        expect(difference).toBeCloseTo(b.mean - a.mean, 12);
        // Data sets are of one size, so the mean over queries is the mean over data sets.
        expect(a.mean).toBeCloseTo((ranknet.runs[0]!.test[i]! + ranknet.runs[1]!.test[i]!) / 2, 12);
        expect(interval[0]).toBeLessThan(difference);
        expect(interval[1]).toBeGreaterThan(difference);
        // The t-test and the interval are two views of one thing.
        expect(p.t < 0.05).toBe(interval[0] > 0 || interval[1] < 0);
      }
    }
    const resumed = await run({ config, seed: 1, kept: { seed: 1, settings: result.settings, cases: cases.slice(1) } });
    expect(resumed).toEqual(result);
    const other = await run({ config, seed: 7, kept: { seed: 1, ...result } });
    expect(other.cases).not.toEqual(cases);
  });

  it('the result kept is what the README shows', () => {
    expect(keptTable(url)).toBe(table(keptResult(url)));
  });

  describe('what the README says of the result kept', () => {
    const cases: Case[] = keptResult(url).cases;
    const most = Math.max(...cases.map(({ training }) => training));
    const comparisons = (wanted: (one: Case) => boolean) => {
      const found = cases.filter(wanted).flatMap(({ comparison }) => comparison);
      expect(found.length).toBeGreaterThan(0);
      return found;
    };

    it('most training data: LambdaRank is significantly better at every cut-off, linear and two layers', () => {
      for (const model of ['linear', 'net']) {
        for (const { interval } of comparisons(one => one.model === model && one.training === most)) {
          expect(interval[0]).toBeGreaterThan(0);
        }
      }
    });

    it('two layers, least training data: RankNet is better at every cut-off', () => {
      for (const { difference } of comparisons(one => one.model === 'net' && one.training < most)) {
        expect(difference).toBeLessThan(0);
      }
    });
  });
});
