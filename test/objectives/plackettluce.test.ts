/** The expected measure of random rankings, against the sum over all of them. */
import { describe, expect, it } from 'vitest';
import type { Measure } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { RearrangedView } from '#listwise/measures/rearranged-view.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { clean } from '../measures/clean.js';
import { datasetOf, lambdasOf, randomQuery } from './queries.js';

function* permutations(items: readonly number[]): Generator<readonly number[], void, void> {
  if (items.length === 0) yield [];
  for (const [i, first] of items.entries()) {
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) yield [first, ...rest];
  }
}

/** The chance of a ranking. */
function chanceOf(order: readonly number[], scores: readonly number[]): number {
  return order.reduce((chance, d, t) => {
    const rest = order.slice(t).reduce((sum, i) => sum + Math.exp(scores[i]!), 0);
    return (chance * Math.exp(scores[d]!)) / rest;
  }, 1);
}

/** The expected measure, over all rankings. */
function expectedOf(measure: Measure, query: ReturnType<typeof randomQuery>): number {
  const shown = new RearrangedView(new DatasetView(datasetOf(query)).moveTo(0, Float64Array.from(query.scores)));
  let sum = 0;
  for (const order of permutations(query.scores.map((_, d) => d))) {
    sum += chanceOf(order, query.scores) * measure.value(shown.arrange(Uint32Array.from(order)));
  }
  return sum;
}

const measures = [clean];

it.each(['boltzrank', 'StochasticRank(ndcg)'])('is what takes the place of %s', spec => {
  expect(() => parseObjective(spec)).toThrow('"plackettluce" takes its place');
});

describe.each(['ndcg', 'ap', 'rr', 'err', 'clean@2'])('plackettluce(%s)', spec => {
  const query = { ...randomQuery(4, { n: 5, spread: 1 }), label: [2, 0, 1, 0, 1] };
  it('has lambdas that are the gradient of the expected measure, on average', () => {
    const run = parseObjective(`plackettluce(${spec},samples=1000)`, { measures }).start(datasetOf(query));
    const passes = 60;
    const all = Array.from({ length: passes }, (_, m) => {
      run.beginIteration!(m + 1);
      return lambdasOf(run, query).lambda;
    });
    for (let d = 0; d < 5; d++) {
      const moved = (by: number) => ({ ...query, scores: query.scores.map((s, i) => (i === d ? s + by : s)) });
      const expected = (by: number) => expectedOf(parseMeasure(spec, { more: measures }), moved(by));
      const slope = (expected(1e-4) - expected(-1e-4)) / 2e-4;
      const mean = all.reduce((sum, lambda) => sum + lambda[d]!, 0) / passes;
      const variance = all.reduce((sum, lambda) => sum + (lambda[d]! - mean) ** 2, 0) / (passes - 1);
      expect(Math.abs(mean - slope)).toBeLessThan(4 * Math.sqrt(variance / passes) + 1e-6);
    }
  });

  it('draws anew in every iteration, and the same in every run', () => {
    const objective = parseObjective(`plackettluce(${spec},samples=3)`, { measures });
    const lambdas = (iteration: number) => {
      const run = objective.start(datasetOf(query));
      run.beginIteration!(iteration);
      return lambdasOf(run, query).lambda;
    };
    expect(lambdas(2)).toEqual(lambdas(2));
    expect(lambdas(2)).not.toEqual(lambdas(3));
  });
});
