import { describe, expect, it } from 'vitest';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { scoreData } from '#listwise/models/ranker.js';
import { bestForEach } from '#listwise/reproduce/best-for-each.js';
import { bestOnValidation } from '#listwise/reproduce/best-on-validation.js';
import { type ContestConfig, decidingP, holdContests, significant } from '#listwise/reproduce/contest.js';
import { generatedPart } from '#listwise/reproduce/generated.js';
import { Lab } from '#listwise/reproduce/index.js';

const generated = { generator: 'cubic', documents: 12, features: 6, training: 30, validation: 20, test: 20 };
const options = { epochs: 6, patience: 0 };
const lab = () => new Lab({ seed: 7, threads: 1, signal: new AbortController().signal });

describe('generated data in three parts', () => {
  it('test and validation queries are the same for every size of the training data', () => {
    for (const part of ['test', 'validation'] as const) {
      const [few, many] = [30, 60].map(training => generatedPart({ ...generated, training }, part, 7));
      expect(few!.queries).toBe(20);
      expect(many!.blocks[0]!.data).toEqual(few!.blocks[0]!.data);
    }
    const training = generatedPart(generated, 'training', 7);
    expect(training.queries).toBe(30);
    expect(training.blocks[0]!.data.slice(0, 12)).not.toEqual(
      generatedPart(generated, 'test', 7).blocks[0]!.data.slice(0, 12),
    );
  });

  it('grades become relevant or not where asked for', () => {
    const grades = generatedPart(generated, 'training', 7).label();
    const binary = generatedPart({ ...generated, relevantFrom: 2 }, 'training', 7).label();
    expect(new Set(binary)).toEqual(new Set([0, 1]));
    expect([...binary]).toEqual(Array.from(grades, grade => Number(grade >= 2)));
  });
});

describe('the best iteration for each measure', () => {
  const settings = {
    data: generatedPart(generated, 'training', 7),
    validate: generatedPart(generated, 'validation', 7),
    model: 'linear',
    select: 'ndcg@3',
    options,
    seed: 7,
    threads: 1,
  };
  const grid = { objectives: ['lambdarank(ndcg@3)'], rates: [0.01, 0.1], starts: 2 };

  it('for the measure trained for it is the one that training selects', async () => {
    const one = await bestOnValidation(grid, settings);
    const [, each] = await bestForEach(grid, ['ap', 'ndcg@3'], settings);
    expect(each!.trials.map(({ pairs: _, ...trial }) => trial)).toEqual(one.trials);
    expect(each!.chosen).toMatchObject(one.chosen);
    expect(each!.chosen.pairs).toBeGreaterThan(0);
    const scores = (found: typeof one) => scoreData(found.model, settings.validate);
    expect(scores(each!)).toEqual(scores(one));
  });

  it('the model is the one whose value is reported', async () => {
    for (const [m, { chosen, model, trials }] of (await bestForEach(grid, ['ap', 'rr'], settings)).entries()) {
      const [evaluated] = evaluate(settings.validate, scoreData(model, settings.validate), [
        parseMeasure(['ap', 'rr'][m]!),
      ]);
      expect(evaluated!.mean).toBeCloseTo(chosen.validation, 12);
      expect(chosen.validation).toBe(Math.max(...trials.map(({ validation }) => validation)));
    }
  });
});

describe('a contest', () => {
  const config: ContestConfig = { data: generated, dataSets: 2, model: 'linear', rates: [0.05], options };
  const entrant = (name: string, measure: string) => ({ name, objective: `lambdarank(${measure})`, select: measure });
  const tests = [
    { measure: 'ndcg', base: 'NDCG' },
    { measure: 'ap', base: 'AP' },
  ];

  it('compares every entrant with the base of the measure tested, over the queries of all data sets', async () => {
    const entrants = [entrant('NDCG', 'ndcg'), entrant('AP', 'ap'), entrant('again', 'ap')];
    const [held] = await holdContests([{ label: '', contest: { entrants, tests }, config }], lab());
    const [ndcg, ap] = held!;
    expect(ndcg!.queries).toBe(40);
    expect(ndcg!.results.map(({ against }) => against === undefined)).toEqual([true, false, false]);
    const [first, base, again] = ap!.results;
    expect(base!.against).toBeUndefined();
    // The same objective on the same data is the same model: no difference at all.
    expect(again!.mean).toBe(base!.mean);
    expect([again!.against!.difference, again!.against!.better]).toEqual([0, 0]);
    expect(significant(again!.against!, 't')).toBe(false);
    expect(first!.against!.difference).toBeCloseTo(first!.mean - base!.mean, 12);
    expect(first!.runs.map(({ test }) => test).reduce((sum, test) => sum + test / 2, 0)).toBeCloseTo(first!.mean, 12);
  });

  it('all three tests must agree where asked for', () => {
    const found = {
      difference: 1,
      interval: [0, 2] as const,
      p: { t: 0.01, wilcoxon: 0.02, sign: 0.2 },
      better: 1,
      queries: 9,
      dataSets: [1],
    };
    expect([decidingP(found, 't'), decidingP(found, 'all')]).toEqual([0.01, 0.2]);
    expect([significant(found, 't'), significant(found, 'all')]).toEqual([true, false]);
  });
});
