/** Bias of positions: the gradient for a fixed bias, the steps of what is learned, and what cannot be learned from. */
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { Random } from '#listwise/numeric/random.js';
import {
  addGroups,
  beginLearning,
  FOUND,
  groupSums,
  type LearnedMemories,
  learningsOf,
} from '#listwise/objectives/learning.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { datasetOf, lambdasOf, nudged, type Query, randomQuery, viewOf } from './queries.js';

/** Sums over all rows, as one part. */
const sumsOf = (found: Float64Array, groups: number) =>
  addGroups(groupSums(found, groups, { firstRow: 0, lastRow: found.length / FOUND }), groups);

/** Memory of an objective with values of our choice. */
function memories(spec: string, data: Dataset, values: (k: number) => number): LearnedMemories {
  const [learning] = learningsOf(parseObjective(spec));
  const memory = beginLearning(learning!, data);
  memory.values.forEach((_, k) => {
    memory.values[k] = values(k);
  });
  return { [learning!.key]: memory };
}

const bias = (k: number) => Math.sin(k + 1);
const ratio = (k: number) => 1 / (1 + 0.3 * k);
/** The level, and logarithms of chances. */
const chances = (k: number) => -0.4 * k - 0.3;

describe.each([
  ['debias(ranknet,positions=additive)', bias],
  ['debias(listnet,positions=additive)', bias],
  ['debias(squared,positions=additive)', bias],
  ['debias(ranknet,positions=ratios)', ratio],
  ['debias(sum(ranknet,hinge,w=1/2),positions=ratios)', ratio],
  ['debias(logistic)', chances],
  ['debias(ranknet)', chances],
  ['debias(listnet)', chances],
  ['debias(logistic,positions=joint)', chances],
  ['debias(ranknet,positions=joint)', chances],
  ['debias(listnet,positions=joint)', chances],
  ['debias(ranknet,positions=power)', bias],
  ['debias(listnet,positions=power,eta=2)', bias],
])('%s', (spec, values) => {
  const start = (query: Query) => {
    const data = datasetOf(query);
    const known = spec.includes('power') ? {} : memories(spec, data, values);
    return parseObjective(spec).start(data, 'reference', known);
  };

  it('has lambdas that are the negative gradient of its cost at a fixed bias', () => {
    for (const query of [randomQuery(1, { n: 6 }), randomQuery(2, { n: 12, unjudged: 0.2 })]) {
      const cost = (at: Query) => start(at).cost!(viewOf(at));
      const { lambda } = lambdasOf(start(query), query);
      for (const [i, own] of lambda.entries()) {
        const slope = (cost(nudged(query, i, 1e-6)) - cost(nudged(query, i, -1e-6))) / 2e-6;
        expect(own + slope).toBeCloseTo(0, 6);
      }
    }
  });
});

it('adds the bias of the position to scores', () => {
  const query = randomQuery(3, { n: 9 });
  const moved = { ...query, scores: query.scores.map((score, i) => score + bias(i)) };
  const spec = 'debias(lambdarank(ndcg@5),positions=additive)';
  const data = datasetOf(query);
  const own = lambdasOf(parseObjective(spec).start(data, 'kernel', memories(spec, data, bias)), query);
  expect(own).toEqual(lambdasOf(parseObjective('lambdarank(ndcg@5)').start(data), moved));
});

it('takes Newton steps for the bias of each position, drawn to zero by l2', () => {
  const [learning] = learningsOf(parseObjective('debias(ranknet,positions=additive,rate=0.5,l2=0.25)'));
  const values = Float64Array.of(0, 1, -2);
  const sums = {
    documents: Float64Array.of(4, 4, 0),
    first: Float64Array.of(2, 2, 0),
    second: Float64Array.of(1, 3, 0),
  };
  learning!.advance(values, sums);
  expect(values[0]).toBeCloseTo((0.5 * 2) / 2.001, 12);
  expect(values[1]).toBeCloseTo(1 + (0.5 * (2 - 1)) / 4.001, 12);
  expect(values[2]).toBe(-2);
});

it('takes longer steps where a position is clicked far less than expected', () => {
  const [learning] = learningsOf(parseObjective('debias(ranknet,positions=additive,rate=0.5)'));
  const values = new Float64Array(4);
  const second = new Float64Array(4).fill(1 - 0.001);
  learning!.advance(values, { documents: second, first: Float64Array.of(2, -0.5, -0.8, -3), second });
  [1, -0.25, 0.5 * (-0.8 - 7 * 0.2), 0.5 * (-3 - 7 * 0.4)].forEach((step, k) => {
    expect(values[k]).toBeCloseTo(step, 12);
  });
});

it('divides pairs by the ratios of their positions, and learns these from their costs', () => {
  const spec = 'debias(ranknet,positions=ratios,rate=1,p=1)';
  const query = { scores: [0.5, 1, 0], label: [1, 0, 0], positions: [2, 1, 3] };
  const data = datasetOf(query);
  // t+ and t- of positions 1, 2 and 3.
  const known = memories(spec, data, k => [1, 0.5, 0.4, 1, 0.8, 0.25][k]!);
  const { lambda } = lambdasOf(parseObjective(spec).start(data, 'kernel', known), query);
  const [first, second] = [1 / (1 + Math.exp(-0.5)) / (0.5 * 1), 1 / (1 + Math.exp(0.5)) / (0.5 * 0.25)];
  expect(lambda[0]).toBeCloseTo(first + second, 12);
  expect(lambda[1]).toBeCloseTo(-first, 12);
  expect(lambda[2]).toBeCloseTo(-second, 12);
  const [learning] = learningsOf(parseObjective(spec));
  const { values, found } = known[learning!.key]!;
  learning!.advance(values, sumsOf(found!, values.length));
  const [above, below] = [Math.log1p(Math.exp(0.5)), Math.log1p(Math.exp(-0.5))];
  // Only position 2 was clicked: the others keep their t+, and t- is beside position 1.
  expect([...values.subarray(0, 3)]).toEqual([1, 1, 0.4]);
  expect(values[3]).toBe(1);
  expect(values[4]).toBe(0.8);
  expect(values[5]).toBeCloseTo(Math.sqrt(below / above), 12);
});

it('with logistic has the likelihood of clicks where position and document decide by themselves', () => {
  const spec = 'debias(logistic,positions=joint)';
  const query = { scores: [0.5, -1, 2], label: [1, 0, 0], positions: [2, 1, 3] };
  const data = datasetOf(query);
  const level = -0.25;
  const examined = [1, 0.5, 0.25];
  const known = memories(spec, data, k => (k === 0 ? level : Math.log(examined[k]!)));
  const run = parseObjective(spec).start(data, 'kernel', known);
  const attraction = query.scores.map(score => 1 / (1 + Math.exp(-(score + level))));
  const chance = query.positions.map((position, i) => examined[position - 1]! * attraction[i]!);
  const likelihood = chance[0]! * (1 - chance[1]!) * (1 - chance[2]!);
  expect(run.cost!(viewOf(query))).toBeCloseTo(-Math.log(likelihood), 12);
  lambdasOf(run, query);
  const [learning] = learningsOf(parseObjective(spec));
  const { values, found } = known[learning!.key]!;
  learning!.advance(values, sumsOf(found!, values.length));
  // Nobody clicked at positions 1 and 3: the level takes its longest step, a chance goes by clicks over those expected.
  expect(values[0]).toBe(level - 1);
  expect(values[1]).toBe(Math.min(0, Math.log(0.5) + 0.1 * Math.log1p(1 / (1 + chance[0]! / (1 - chance[0]!)))));
  const odds = chance[2]! / (1 - chance[2]!);
  expect(values[2]).toBeCloseTo(Math.log(0.25) + 0.1 * Math.log1p(-odds / (1 + odds)), 12);
});

it('sees the first position as examined, and no other more than it', () => {
  const spec = 'debias(logistic,positions=joint,rate=1)';
  const [learning] = learningsOf(parseObjective(spec));
  const values = Float64Array.of(0, -0.1, -0.5);
  const sums = {
    documents: Float64Array.of(9, 9, 9),
    first: Float64Array.of(50, 5, -1),
    second: Float64Array.of(1, 1, 1),
  };
  learning!.advance(values, sums);
  expect([...values]).toEqual([1, 0, -0.5 + Math.log(0.5)]);
  const data = datasetOf({ scores: [0, 0, 0], label: [1, 0, 0], positions: [4, 5, 6] });
  expect(learning!.table(values, data).columns.at(-1)).toEqual({
    name: 'examination',
    values: [1, 1, Math.exp(-0.5 + Math.log(0.5))],
  });
});

it('counts the likelihood beside pairs, so that lists without clicks count, too', () => {
  const query = { scores: [0.5, -1, 2], label: [0, 0, 0], positions: [2, 1, 3] };
  const data = datasetOf(query);
  const lambdas = (spec: string) =>
    lambdasOf(parseObjective(spec).start(data, 'kernel', memories(spec, data, chances)), query);
  const [pairs, alone] = [lambdas('debias(ranknet)'), lambdas('debias(logistic)')];
  for (const i of query.scores.keys()) {
    expect(pairs.lambda[i]).toBeLessThan(0);
    expect(pairs.lambda[i]).toBeCloseTo(alone.lambda[i]!, 12);
    expect(pairs.hessian[i]).toBeCloseTo(alone.hessian[i]!, 12);
  }
});

it('starts from the chances of a rehearsal, which stay, and with as many clicks as there were', () => {
  const label = [1, 0, 0, 1, 0, 0];
  const data = datasetOf(
    { scores: [0, 0, 0], label: label.slice(0, 3), positions: [1, 2, 3] },
    { scores: [0, 0, 0], label: label.slice(3), positions: [3, 2, 1] },
  );
  const [learning] = learningsOf(parseObjective('debias(ranknet)'));
  const { objective, take } = learning!.rehearsal!;
  expect(parseObjective(objective).spec).toBe('debias(logistic,positions=joint,rate=0.2)');
  const values = Float64Array.of(7, Math.log(0.5), Math.log(0.25));
  take(values, data);
  // 2 clicks and 3.5 documents examined, and one more of both kinds.
  expect(values[0]).toBeCloseTo(Math.log(3 / (5.5 - 3)), 12);
  const sums = {
    documents: Float64Array.of(2, 2, 2),
    first: Float64Array.of(1, -0.5, 0.25),
    second: Float64Array.of(1, 2, 2),
  };
  learning!.advance(values, sums);
  expect(values[0]).toBeCloseTo(Math.log(3 / 2.5) + 0.75 / 5, 12);
  expect([...values.subarray(1)]).toEqual([Math.log(0.5), Math.log(0.25)]);
});

it('moves the level by a Newton step of the likelihood of all documents', () => {
  const spec = 'debias(logistic)';
  const query = randomQuery(8, { n: 9 });
  const data = datasetOf(query);
  const costAt = (level: number) => {
    const known = memories(spec, data, k => (k === 0 ? level : chances(k)));
    return parseObjective(spec).start(data, 'reference', known).cost!(viewOf(query));
  };
  const known = memories(spec, data, chances);
  lambdasOf(parseObjective(spec).start(data, 'reference', known), query);
  const { first } = sumsOf(Object.values(known)[0]!.found!, data.rows);
  const slope = first.reduce((sum, own) => sum + own, 0);
  expect(slope).toBeCloseTo((costAt(chances(0) - 1e-5) - costAt(chances(0) + 1e-5)) / 2e-5, 6);
});

it('with given chances has the expected lambdas of a list that was examined to its end', () => {
  const attraction = [0.7, 0.2, 0.5];
  const examined = [1, 0.6, 0.3];
  for (const part of ['ranknet', 'lambdarank(ndcg@2)', 'listnet', 'softrank(ndcg)']) {
    const objective = parseObjective(`debias(${part},positions=${examined.join('/')})`);
    const scores = [0.3, -0.2, 0.8];
    const expected = [0, 0, 0];
    for (let clicks = 0; clicks < 8; clicks++) {
      const label = attraction.map((_, i) => (clicks >> i) & 1);
      const chance = label.reduce((product, clicked, i) => {
        const own = attraction[i]! * examined[i]!;
        return product * (clicked ? own : 1 - own);
      }, 1);
      const { lambda } = lambdasOf(objective.start(datasetOf({ scores, label }), 'reference'), { scores, label });
      for (const i of expected.keys()) expected[i]! += chance * lambda[i]!;
    }
    const wanted = [0, 0, 0];
    for (const [d, attracted] of attraction.entries()) {
      const query = { scores, label: attraction.map((_, i) => Number(i === d)) };
      const { lambda } = lambdasOf(parseObjective(part).start(datasetOf(query), 'reference'), query);
      for (const i of wanted.keys()) wanted[i]! += attracted * lambda[i]!;
    }
    for (const [i, value] of expected.entries()) expect(value, part).toBeCloseTo(wanted[i]!, 12);
  }
});

it('notes what it finds query by query, in any order, with weights', () => {
  const list = [5, 6, 7].map(seed => randomQuery(seed, { n: 7 }));
  const data = datasetOf(...list).with({ queryWeights: Float64Array.of(1, 2, 3) });
  const scores = list.flatMap(query => query.scores);
  for (const spec of [
    'debias(ranknet)',
    'debias(ranknet,positions=additive)',
    'debias(ranknet,positions=ratios)',
    'debias(logistic,positions=joint)',
  ]) {
    const sums = [
      [0, 1, 2],
      [2, 0, 1],
    ].map(order => {
      const known = memories(spec, data, spec.includes('ratios') ? ratio : spec.includes('additive') ? bias : chances);
      const run = parseObjective(spec).start(data, 'kernel', known);
      const out = { lambda: new Float64Array(7), hessian: new Float64Array(7) };
      for (const q of order) run.lambdas(new DatasetView(data).moveTo(q, scores), out);
      return sumsOf(Object.values(known)[0]!.found!, 7);
    });
    expect(sums[1]).toEqual(sums[0]);
    expect(sums[0]!.first.some(value => value !== 0)).toBe(true);
  }
});

describe('data without what it needs', () => {
  const query = randomQuery(4, { n: 4 });
  const start = (data: Dataset, spec = 'debias(ranknet)') => parseObjective(spec).start(data);

  it('says so where there are no positions', () => {
    const without = datasetOf(query).with({ positions: undefined });
    for (const form of ['additive', 'ratios', 'examined', 'joint', 'power']) {
      expect(() => start(without, `debias(ranknet,positions=${form})`)).toThrow(
        'debias needs the positions at which documents were shown, which the data has not',
      );
    }
  });

  it.each([
    [0, 'has the position 0'],
    [-1, 'has the position -1'],
    [1.5, 'has the position 1.5'],
    [Number.NaN, 'has no position'],
  ])('refuses the position %d', (position, message) => {
    const data = datasetOf(randomQuery(1, { n: 3 }), { ...query, positions: [1, 2, position, 4] });
    expect(() => start(data)).toThrow(`document 3 of query "q1" ${message}; debias needs a whole number of at least 1`);
  });

  it('does with positions that no document has', () => {
    const data = datasetOf({ ...query, positions: [1, 40, 3, 4] });
    const [learning] = learningsOf(parseObjective('debias(ranknet)'));
    expect(learning!.table(learning!.begin(data), data).at).toEqual([1, 3, 4, 40]);
    expect(() => start(data, 'debias(ranknet,positions=1/0.5/0.3/0.2)')).toThrow(
      'the data has documents at position 40, for which no propensity is given',
    );
  });

  it('refuses what cannot be', () => {
    const random = new Random(1).uniform();
    expect(() => parseObjective('debias(listnet,positions=ratios)')).toThrow(
      'a sum over pairs with a cost, found listnet',
    );
    expect(() => parseObjective('debias(normalise(ranknet),positions=ratios)')).toThrow('or put debias inside');
    expect(() => parseObjective('debias(sum(ranknet,normalise(ranknet)),positions=additive)')).toThrow(
      'put debias inside: normalise(debias(…))',
    );
    expect(() => parseObjective('debias(ranknet,positions=0.5/0)')).toThrow('positions=0.5/0 is not allowed');
    expect(() => parseObjective(`debias(ranknet,positions=${1 + random})`)).toThrow('is not allowed');
    expect(() => parseObjective('debias(sum(ranknet,ranknet(labels=clicks)),positions=power)')).toThrow(
      'propensities are of one label source, found "label" and "clicks"',
    );
  });
});
