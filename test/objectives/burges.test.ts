/** Springs, steps and diagonal terms (Burges 2006, section 4), and the top k of ListNet. */
import { describe, expect, it } from 'vitest';
import { DatasetView } from '#listwise/measures/query-view.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { datasetOf, lambdasOf, randomQuery } from './queries.js';

const query = randomQuery(4, { n: 6, spread: 1 });
const costOf = (spec: string, scores: readonly number[]) => {
  const data = datasetOf(query);
  return parseObjective(spec).start(data).cost!(new DatasetView(data).moveTo(0, Float64Array.from(scores)));
};

it.each([
  'spring',
  'spring(rest=0.3)',
  'listnet(k=2)',
  'listnet(k=3)',
  'regularise(ranknet,alpha=0.5)',
  'regularise(listnet(k=2))',
])('the lambdas of %s are the gradient of its cost', spec => {
  const { lambda } = lambdasOf(parseObjective(spec).start(datasetOf(query)), query);
  for (let d = 0; d < query.scores.length; d++) {
    const moved = (by: number) => query.scores.map((s, i) => (i === d ? s + by : s));
    const slope = (costOf(spec, moved(1e-5)) - costOf(spec, moved(-1e-5))) / 2e-5;
    expect(lambda[d]).toBeCloseTo(-slope, 4);
  }
});

describe('hinge(ndcg)', () => {
  it('pulls as lambdarank does, in steps', () => {
    const far = { ...query, scores: query.scores.map(score => score / 1000) };
    const hinge = lambdasOf(parseObjective('hinge(ndcg)').start(datasetOf(far)), far).lambda;
    const lambda = lambdasOf(parseObjective('lambdarank(ndcg)').start(datasetOf(far)), far).lambda;
    for (const [d, value] of lambda.entries()) expect(hinge[d]).toBeCloseTo(2 * value, 2);
  });
});

describe('listnet(k=…)', () => {
  it('is the cross entropy over all ordered pairs, for k = 2', () => {
    const labels = query.label;
    const chance = (values: readonly number[], i: number, j: number) => {
      const e = values.map(Math.exp);
      const all = e.reduce((sum, value) => sum + value, 0);
      return ((e[i]! / all) * e[j]!) / (all - e[i]!);
    };
    let cost = 0;
    for (let i = 0; i < labels.length; i++) {
      for (let j = 0; j < labels.length; j++) {
        if (i !== j) cost -= chance(labels, i, j) * Math.log(chance(query.scores, i, j));
      }
    }
    expect(costOf('listnet(k=2)', query.scores)).toBeCloseTo(cost, 10);
  });

  it('refuses what would take minutes', () => {
    const long = randomQuery(1, { n: 2000 });
    expect(() => lambdasOf(parseObjective('listnet(k=4)').start(datasetOf(long)), long)).toThrow(/n\^k/);
  });
});
