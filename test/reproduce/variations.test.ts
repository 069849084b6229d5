import { describe, expect, it } from 'vitest';
import type { Contest, Contested } from '#listwise/reproduce/contest.js';
import {
  pairsTable,
  variationsChart,
  variationsHeld,
  variationsTable,
  variedContests,
} from '#listwise/reproduce/variations.js';

const comparisons = [{ tested: 'ap', one: 'NDCG', base: 'AP' }];
const config = {
  data: { generator: 'mslr', documents: 30, training: 100 },
  dataSets: 2,
  model: 'net',
  rates: [0.01],
  options: { epochs: 60, patience: 0 },
};
const contest = (measure: (own: string) => string): Contest => ({
  entrants: Object.entries({ NDCG: 'ndcg', AP: 'ap', 'P@10': 'p@10' }).map(([name, own]) => ({
    name,
    objective: `lambdarank(${measure(own)})`,
    select: measure(own),
  })),
  tests: [],
});
const variations = [
  { name: 'longer lists', data: { documents: 120 } },
  { name: 'fewer epochs', options: { epochs: 25 } },
  { name: 'relevant from 2', measures: { ap: 'ap(rel=2)' } },
];

describe('variations', () => {
  const planned = variedContests(variations, contest, comparisons, config);

  it('alter what they name and nothing else', () => {
    expect(planned.map(one => one.config)).toEqual([
      { ...config, data: { ...config.data, documents: 120 } },
      { ...config, options: { epochs: 25, patience: 0 } },
      config,
    ]);
  });

  it('train only what is compared, for the measures that stand in the place of others', () => {
    expect(planned.map(one => one.contest.entrants.map(({ objective }) => objective))).toEqual([
      ['lambdarank(ndcg)', 'lambdarank(ap)'],
      ['lambdarank(ndcg)', 'lambdarank(ap)'],
      ['lambdarank(ndcg)', 'lambdarank(ap(rel=2))'],
    ]);
    expect(planned.map(one => one.contest.tests)).toEqual(
      ['ap', 'ap', 'ap(rel=2)'].map(measure => [{ measure, base: 'AP' }]),
    );
  });

  it('stand in a table with their differences, marked where significant', () => {
    const held = (measure: string, difference: number, p: number): Contested[] => {
      const chosen = { objective: '', rate: 1, seed: 1, iteration: 1, iterations: 1, validation: 0, pairs: 12 };
      const result = { mean: 0.5, error: 0.1, runs: [{ chosen, test: 0.5 }] };
      const interval = [difference - 0.01, difference + 0.01] as const;
      const against = {
        difference,
        interval,
        p: { t: p, wilcoxon: 0.2, sign: 0.2 },
        better: 1,
        queries: 10,
        dataSets: [difference],
      };
      const results = [
        { ...result, name: 'NDCG', against },
        { ...result, name: 'AP' },
      ];
      return [{ measure, base: 'AP', queries: 10, results }];
    };
    const all = variationsHeld(variations, [held('ap', 0.02, 0.01), held('ap', -0.005, 0.4), held('ap(rel=2)', 0, 1)]);
    expect(variationsTable('title', all, comparisons, 't').rows).toEqual([
      ['longer lists', '+2.00 ‡ (+1.00 to +3.00)'],
      ['fewer epochs', '−0.50 (−1.50 to +0.50)'],
      ['relevant from 2', '+0.00 (−1.00 to +1.00)'],
    ]);
    expect(variationsTable('title', all, comparisons, 'all').rows[0]![1]).toBe('+2.00 (+1.00 to +3.00)');
    const [dot] = variationsChart('title', all, comparisons).dots;
    expect(dot).toEqual({
      label: 'longer lists',
      series: 'tested on ap: NDCG less AP',
      value: 0.02,
      low: 0.01,
      high: 0.03,
    });
    expect(pairsTable('title', all, ['AP', 'MRR']).rows[0]).toEqual(['longer lists', 12, Number.NaN]);
  });
});
