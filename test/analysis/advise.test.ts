import { describe, expect, it } from 'vitest';
import { type Advice, type AdviseSettings, adviceVerdict, advise } from '#listwise/analysis/advise.js';
import { compareSystems } from '#listwise/analysis/compare.js';
import { seededQueryOrder, selectQueries } from '#listwise/data/split.js';
import { parseMeasures } from '#listwise/measures/parse.js';
import { scoreData } from '#listwise/models/ranker.js';
import { trainNamed } from '#listwise/training/train.js';
import { cubic } from '../training/small-data.js';

const [data, validate, test] = [cubic(40, 1), cubic(20, 2), cubic(30, 3)];
const [testMeasure, ...others] = parseMeasures('p@3,ndcg,ap');
const settings: AdviseSettings = {
  data,
  validate,
  test,
  testMeasure: testMeasure!,
  model: 'linear',
  options: { epochs: 4 },
  threads: 1,
  candidates: others,
};

describe('advise', () => {
  it('says what training, evaluating and comparing by hand says', async () => {
    const advice = await advise({ ...settings, seeds: 1, shares: [0.5], seed: 5 });
    const half = seededQueryOrder(data.queryIds, 5).slice(0, 20);
    const sample = selectQueries(
      data,
      half.sort((a, b) => a - b),
    );
    const systems = [];
    for (const name of ['p@3', 'ndcg', 'ap']) {
      const job = {
        data: sample,
        validate,
        select: 'p@3',
        seed: 5,
        model: 'linear',
        options: { epochs: 4 },
        threads: 1,
      };
      const { model } = await trainNamed({ ...job, objective: `lambdarank(${name})` });
      systems.push({ name, data: test, scores: scoreData(model, test) });
    }
    const wanted = compareSystems(systems, [testMeasure!], { baseline: 'p@3', agree: true, seed: 5 });
    expect(advice.cells.map(({ candidate, mean, queries }) => ({ candidate, mean, queries }))).toEqual(
      wanted.systems.map(({ name, means }) => ({ candidate: name, mean: means['p@3'], queries: 20 })),
    );
    for (const [i, pair] of wanted.pairs.entries()) {
      const { difference, interval, wins, ties, losses, significant } = pair;
      const { t, wilcoxon, sign } = pair.adjusted;
      expect(advice.comparisons[i]).toMatchObject({
        candidate: pair.a,
        difference,
        interval,
        wins,
        ties,
        losses,
        significant,
        adjusted: { t, wilcoxon, sign },
      });
    }
  });

  it('averages each query over the seeds', async () => {
    const advice = await advise({ ...settings, seeds: 2, shares: [1] });
    const [own, ndcg] = advice.cells;
    expect(own!.bySeed).toHaveLength(2);
    expect(own!.mean).toBeCloseTo((own!.bySeed[0]! + own!.bySeed[1]!) / 2, 12);
    expect(advice.comparisons[0]!.difference).toBeCloseTo(ndcg!.mean - own!.mean, 12);
    expect(advice.comparisons[0]!.seedsAhead).toBe(ndcg!.bySeed.filter((value, s) => value > own!.bySeed[s]!).length);
  });

  it('trains the test measure once, whether it is among the candidates or not, and tells how far it is', async () => {
    const seen: number[] = [];
    const advice = await advise({
      ...settings,
      seeds: 1,
      candidates: [...others, testMeasure!],
      onProgress: done => seen.push(done),
    });
    expect(advice.candidates).toEqual(['p@3', 'ndcg', 'ap']);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBeCloseTo(1, 12);
  });

  it('refuses what says nothing', async () => {
    await expect(advise({ ...settings, candidates: [testMeasure!] })).rejects.toThrow(
      'give a candidate beside the test measure p@3',
    );
    await expect(advise({ ...settings, shares: [0.01] })).rejects.toThrow(
      'a share of 0.01 of 40 training queries is none',
    );
    const signal = AbortSignal.abort();
    await expect(advise({ ...settings, signal })).rejects.toMatchObject({ code: 'training-interrupted' });
  });
});

describe('adviceVerdict', () => {
  const advice = (ap: number, p: number): Advice => {
    const comparison = {
      candidate: 'ap',
      share: 1,
      seedsAhead: 3,
      significant: p < 0.05,
      adjusted: { t: p / 2, wilcoxon: p, sign: p },
    };
    const test = { statistic: 0, p, n: 50, method: '' };
    const cell = { share: 1, queries: 100, bySeed: [] };
    return {
      testMeasure: 'p@10',
      candidates: ['p@10', 'ap'],
      seeds: 3,
      shares: [1],
      alpha: 0.05,
      testQueries: 50,
      cells: [
        { ...cell, candidate: 'p@10', mean: 0.3 },
        { ...cell, candidate: 'ap', mean: ap },
      ],
      comparisons: [
        {
          ...comparison,
          n: 50,
          difference: ap - 0.3,
          interval: [0, 0],
          effect: 0,
          wins: 0,
          ties: 0,
          losses: 0,
          tests: { t: test, wilcoxon: test, sign: test, randomisation: test },
        },
      ],
    };
  };

  it('advises the better candidate where three tests agree', () => {
    expect(adviceVerdict(advice(0.33, 0.01))).toBe(
      'Train for ap: p@10 0.3300 against 0.3000 when trained for p@10 itself, on 50 test queries, mean of 3 seeds; ahead in 3 of 3. t-test, Wilcoxon and sign test agree (largest p 0.010).',
    );
  });

  it('claims nothing where they do not', () => {
    expect(adviceVerdict(advice(0.33, 0.2))).toMatch(
      /^No candidate is surely better than p@10 itself; ap did best .* \(largest p 0\.200\)\.$/,
    );
  });

  it('prefers a sure candidate to a better one that is not', () => {
    const { cells, comparisons, ...rest } = advice(0.33, 0.01);
    const [own, ap] = cells;
    const unsure = { ...comparisons[0]!, candidate: 'ndcg', difference: 0.04, significant: false };
    const both = {
      ...rest,
      candidates: ['p@10', 'ap', 'ndcg'],
      comparisons: [...comparisons, unsure],
      cells: [own!, ap!, { ...ap!, candidate: 'ndcg', mean: 0.34 }],
    };
    expect(adviceVerdict(both)).toMatch(
      /^Train for ap: p@10 0\.3300 .* agree \(largest p 0\.010\)\. ndcg did best \(0\.3400\), but not surely\.$/,
    );
  });

  it('says where there are too few queries to claim anything', () => {
    // Ahead on every one of 5 queries, the sign test's p is 1/16; on 6 it is 1/32.
    const of = (ap: number, testQueries: number) => adviceVerdict({ ...advice(ap, 0.5), testQueries });
    expect(of(0.33, 5)).toMatch(/, but so few queries cannot show this to be more than chance\.$/);
    expect(of(0.29, 5)).toMatch(/, but so few queries cannot tell any two apart\.$/);
    expect(of(0.33, 6)).toMatch(/ \(largest p 0\.500\)\.$/);
    expect(of(0.29, 6)).toMatch(/, but none of the others can be distinguished from it\.$/);
  });

  it('stays with the test measure where it is the best', () => {
    expect(adviceVerdict(advice(0.2, 0.01))).toMatch(/^Train for p@10 itself: .*, surely better than ap\.$/);
    expect(adviceVerdict(advice(0.29, 0.6))).toMatch(/, but none of the others can be distinguished from it\.$/);
  });
});
