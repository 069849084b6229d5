import { describe, expect, it } from 'vitest';
import { addends } from '#listwise/objectives/form.js';
import { lambdaAgreement } from '#listwise/objectives/lambda-agreement.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { datasetOf, lambdasOf, type Query, randomQuery } from './queries.js';

const start = (spec: string, query: Query) => parseObjective(spec).start(datasetOf(query));
const lambdas = (spec: string, query: Query) => lambdasOf(start(spec, query), query).lambda;

function expectClose(found: readonly number[], expected: readonly number[]): void {
  for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 6);
}

describe('sum', () => {
  it('adds lambdas, hessians and costs', () => {
    const query = randomQuery(1, { n: 9 });
    const felt = lambdasOf(start('sum(ranknet,squared,w=2/0.5)', query), query);
    const ranknet = lambdasOf(start('ranknet', query), query);
    const squared = lambdasOf(start('squared', query), query);
    expectClose(
      felt.lambda,
      ranknet.lambda.map((lambda, i) => 2 * lambda + 0.5 * squared.lambda[i]!),
    );
    expectClose(
      felt.hessian,
      ranknet.hessian.map((value, i) => 2 * value + 0.5 * squared.hessian[i]!),
    );
    expect(felt.count).toBe(ranknet.count + squared.count);
    expect(() => parseObjective('sum(ranknet,squared,w=1/2/3)')).toThrow('2 objectives and 3 weights');
  });

  it('gives its parts its label source', () => {
    expect(parseObjective('sum(ranknet,hinge(labels=label),labels=clicks)').spec).toBe(
      'sum(ranknet(labels=clicks),hinge)',
    );
  });
});

describe('graded', () => {
  // Grades 2 2 1 1 1; clicks of the first two differ, the third has none, the fourth lacks the label.
  const query: Query = { scores: [0, 0, 0, 0, 0], label: [2, 2, 1, 1, 1], clicks: [0.25, 0.75, 0, Number.NaN, 0.5] };

  it('runs the lower tier over pairs that the upper leaves tied, without zeros', () => {
    // RankNet at equal scores: every pair pulls with 1/2. Upper: 2 x 3 pairs. Lower: documents 1 and 0 only.
    const felt = lambdasOf(start('graded(ranknet,ranknet(labels=clicks),w=0.2)', query), query);
    expectClose(felt.lambda, [0.8 * 1.5 - 0.2 * 0.5, 0.8 * 1.5 + 0.2 * 0.5, -0.8, -0.8, -0.8]);
    expect(felt.count).toBe(7);
  });

  it('keeps zeros where asked', () => {
    // Documents 4 and 2 are a pair too.
    const felt = lambdasOf(start('graded(ranknet,ranknet(labels=clicks),w=0.2,zeros=keep)', query), query);
    expectClose(felt.lambda, [1.1, 1.3, -0.8 - 0.1, -0.8, -0.8 + 0.1]);
    expect(felt.count).toBe(8);
  });

  it('takes any number of tiers, each within all above', () => {
    const objective = parseObjective('graded(ranknet,hinge(labels=clicks),ranknet,w=0.2/0.1)');
    const within = addends(objective).map(({ form }) => form?.kind === 'pairs' && form.plan.within);
    expect(within).toEqual([[], ['label'], ['label', 'clicks']]);
    expect(objective.hessian).toBe('none');
    const felt = lambdasOf(objective.start(datasetOf(query)), query);
    // The third tier asks for pairs that the first leaves tied and that differ in the same source: none.
    expectClose(felt.lambda, [0.7 * 1.5 - 0.2, 0.7 * 1.5 + 0.2, -0.7, -0.7, -0.7]);
  });

  it('refuses lower tiers without pairs by name, and weights that do not fit', () => {
    expect(() => parseObjective('graded(ranknet,listnet(labels=clicks))')).toThrow(
      'listnet(labels=clicks) is not made of pairs',
    );
    expect(() => parseObjective('graded(ranknet,sum(ranknet,squared))')).toThrow(
      'sum(ranknet,squared) is not made of pairs',
    );
    expect(() => parseObjective('graded(ranknet)')).toThrow('at least 2 objectives');
    expect(() => parseObjective('graded(ranknet,ranknet,w=0.1/0.2)')).toThrow('give 1');
    expect(() => parseObjective('graded(ranknet,ranknet,ranknet,w=0.6/0.5)')).toThrow('together at most 1');
  });

  it('offers the printed pair factor: log(1 + e^-o) in place of 1 / (1 + e^o)', () => {
    const two: Query = { scores: [0.5, -0.25], label: [1, 0] };
    const derivative = lambdas('lambdarank(ndcg)', two);
    const printed = lambdas('lambdarank(ndcg,factor=printed)', two);
    const weight = 1 - 1 / Math.log2(3);
    expectClose(derivative, [weight / (1 + Math.exp(0.75)), -weight / (1 + Math.exp(0.75))]);
    expectClose(printed, [weight * Math.log1p(Math.exp(-0.75)), -weight * Math.log1p(Math.exp(-0.75))]);
  });
});

describe('schedule', () => {
  const query = randomQuery(2, { n: 8 });

  /** The weight of the second objective, read off lambdas of the first alone and the second alone. */
  function weightAt(parameters: string, iteration: number): number {
    const run = start(`schedule(squared,hinge,${parameters})`, query);
    run.beginIteration?.(iteration);
    const mixed = lambdasOf(run, query).lambda[0]!;
    const first = lambdas('squared', query)[0]!;
    const second = lambdas('hinge', query)[0]!;
    return (mixed - first) / (second - first);
  }

  it.each([
    // w_m = w_0 + m eta
    ['from=0.25,linear=0.01', 1, 0.26],
    ['from=0.25,linear=0.01', 10, 0.35],
    ['linear=0.01', 75, 1],
    ['linear=0.01', 500, 1],
    ['from=0.1,linear=0.1', 3, 0.4],
    // w_m = w_(m-1) + e^(-eta/m): e^-2, e^-1, e^(-2/3) from 0.1
    ['from=0.1,exponential=2', 1, 0.1 + 0.1353352832366127],
    ['from=0.1,exponential=2', 2, 0.1 + 0.1353352832366127 + 0.36787944117144233],
    ['from=0.1,exponential=2', 3, 1],
    ['from=0.25,exponential=250', 1, 0.25],
    // the running sums saturate, the sooner the smaller eta
    ['from=0.1,exponential=250', 84, 1],
    ['from=0.5,exponential=100', 36, 1],
    // e^(-eta/m) itself
    ['curve=5', 1, 0.006737946999085467],
    ['curve=5', 5, 0.36787944117144233],
    ['curve=20', 1000, 0.9801986733067553],
  ])('%s in iteration %d weighs %d', (parameters, iteration, expected) => {
    expect(weightAt(parameters, iteration)).toBeCloseTo(expected, 10);
  });

  it('saturates the running sum of the paper after 36 to 84 iterations', () => {
    const saturated = (parameters: string) => {
      let m = 1;
      while (weightAt(parameters, m) < 1 - 1e-12) m++;
      return m;
    };
    expect(saturated('from=0.5,exponential=100')).toBe(36);
    expect(saturated('from=0.1,exponential=250')).toBe(84);
  });

  it('asks for exactly one kind', () => {
    expect(() => parseObjective('schedule(ranknet,hinge)')).toThrow('found none');
    expect(() => parseObjective('schedule(ranknet,hinge,linear=0.1,curve=5)')).toThrow('"linear" and "curve"');
    expect(() => parseObjective('schedule(ranknet,hinge,from=0.5,curve=5)')).toThrow('takes no from=0.5');
    expect(() => parseObjective('schedule(ranknet,ranknet,hinge,curve=5)')).toThrow('two objectives, found 3');
    expect(() => parseObjective('schedule(ranknet,linear=0.1)')).toThrow('at least 2 objectives');
  });

  it('has a positive hessian only if all parts have', () => {
    expect(parseObjective('schedule(ranknet,squared,linear=0.1)').hessian).toBe('positive');
    expect(parseObjective('schedule(ranknet,sigmoid(ndcg),linear=0.1)').hessian).toBe('none');
  });
});

describe('normalise', () => {
  it('gives the lambdas of a query a standard deviation of 1 and keeps their ratios', () => {
    const query = randomQuery(3, { n: 10 });
    const plain = lambdas('lambdarank(ndcg)', query);
    const scaled = lambdas('normalise(lambdarank(ndcg))', query);
    expect(Math.sqrt(scaled.reduce((sum, lambda) => sum + lambda * lambda, 0) / 10)).toBeCloseTo(1, 5);
    expectClose(
      scaled,
      plain.map(lambda => (lambda * scaled[0]!) / plain[0]!),
    );
  });
});

describe('lambda agreement', () => {
  it('counts equal signs and lambdas of 0 in the second', () => {
    expect(lambdaAgreement([1, -1, 2, 0, 3], [5, 1, 0, 0, 2, 9], 5)).toBeCloseTo(4 / 5, 15);
    expect(lambdaAgreement([0], [1], 1)).toBe(0);
  });
});
