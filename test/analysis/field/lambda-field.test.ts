/** The results of Burges, Ragno, Le 2006 (sections 4 and 5), and the numbers behind them computed in other ways. */
import { describe, expect, it } from 'vitest';
import { jacobianSteps } from '#listwise/analysis/field/jacobian.js';
import { fieldSteps, fieldVerdict, lambdaField } from '#listwise/analysis/field/lambda-field.js';
import { type Loop, loopSteps } from '#listwise/analysis/field/loop-integral.js';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { atOnce, inOneStep } from '#listwise/steps.js';
import { datasetOf, type Query, randomQuery } from '../../objectives/queries.js';

const data = datasetOf(...[1, 2, 3].map(seed => randomQuery(seed, { n: 9 })));
const lookAt = (spec: string, options = {}) => lambdaField(parseObjective(spec), data, options);

/** The lambdas of an objective on one query, as a function of its scores. */
function fieldOf(spec: string, query: Query) {
  const set = datasetOf(query);
  const run = parseObjective(spec).start(set, 'reference');
  const view = new DatasetView(set);
  return (scores: Float64Array) =>
    inOneStep(() => {
      const lambda = new Float64Array(scores.length);
      run.lambdas(view.moveTo(0, scores), { lambda, hessian: new Float64Array(scores.length) });
      return lambda;
    });
}

type Field = ReturnType<typeof fieldOf>;
const jacobian = (field: Field, scores: Float64Array) => atOnce(jacobianSteps(field, scores));
const loopWork = (field: Field, scores: Float64Array, loop: Loop) => atOnce(loopSteps(field, scores, loop));

describe.each([
  // Gradients of convex costs.
  ['ranknet', 'gradient', true, true],
  ['hinge', 'gradient', true, true],
  ['listnet', 'gradient', true, true],
  ['listmle', 'gradient', true, true],
  ['squared', 'gradient', true, false],
  // For measures of at most 1 this is RankNet.
  ['springsmooth(ndcg)', 'gradient', true, true],
  // Gradients of costs that have more than one valley.
  ['approx(ndcg)', 'gradient', false, true],
  ['softrank(ndcg)', 'gradient', false, true],
  // Between swaps the weights stand still, and pairs of a convex cost are left; a swap changes the weights.
  ['lambdarank(ndcg)', 'gradient between swaps', true, true],
  ['lambdarank(ap)', 'gradient between swaps', true, true],
  ['localcost(ndcg)', 'gradient between swaps', true, true],
  ['sigmoid(ndcg)', 'gradient between swaps', false, true],
  ['sum(ranknet,lambdarank(ndcg))', 'gradient between swaps', true, true],
  // All lambdas are scaled by a value that every score moves.
  ['normalise(ranknet)', 'no gradient', false, true],
] as const)('%s', (spec, kind, convex, sumsToZero) => {
  it(`is: ${kind}, ${convex ? '' : 'not '}convex, lambdas ${sumsToZero ? '' : 'do not '}sum to zero`, () => {
    const found = lookAt(spec);
    expect(found).toMatchObject({ kind, convex, sumsToZero });
    expect(found.points).toHaveLength(12);
    expect(found.points.flatMap(({ across }) => across).every(({ swaps }) => swaps > 0)).toBe(true);
    expect(found.points.flatMap(({ within }) => within).every(({ swaps }) => swaps === 0)).toBe(true);
  });
});

it('queries whose Jacobian would take all memory are refused', () => {
  expect(() => lookAt('ranknet', { mostDocuments: 5001 })).toThrow('at most 5,000, found 5,001');
});

it('goes on within the lambdas of a query that take long', () => {
  const long = generateDataset('cubic', { queries: 1, documents: 100, features: 3, seed: 1 });
  const steps = (spec: string) =>
    [...fieldSteps(parseObjective(spec), long, { queries: 1, points: 1, loops: 0 })].length;
  // For every document a score up and one down, and a step for every 41 documents that are worth something.
  const worthSomething = long.label().filter(label => label > 0).length;
  expect(worthSomething).toBeGreaterThan(41);
  expect(steps('softrank(ndcg)')).toBeGreaterThan(2 * 100 * Math.floor(worthSomething / 41));
});

describe('the Jacobian', () => {
  const query = randomQuery(5, { n: 8 });
  const scores = Float64Array.from(query.scores);
  const n = scores.length;
  const logistic = (x: number) => 1 / (1 + Math.exp(-x));

  /**
   * J of pair costs by the formula: weight sigma(o) sigma(-o) for each pair, and minus the row's sum on the diagonal.
   */
  function formula(weight: (i: number, j: number) => number): Float64Array {
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        if (!(query.label[i]! > query.label[j]!)) continue;
        const o = scores[i]! - scores[j]!;
        const slope = weight(i, j) * logistic(o) * logistic(-o);
        matrix[i * n + i]! -= slope;
        matrix[j * n + j]! -= slope;
        matrix[i * n + j]! += slope;
        matrix[j * n + i]! += slope;
      }
    }
    return matrix;
  }

  it('of RankNet is the formula', () => {
    const wanted = formula(() => 1);
    jacobian(fieldOf('ranknet', query), scores).forEach((value, at) => {
      expect(value).toBeCloseTo(wanted[at]!, 8);
    });
  });

  it('of LambdaRank is the formula with the change of the measure, by evaluating the swapped list', () => {
    const set = datasetOf(query);
    const meanOf = (of: ArrayLike<number>) => evaluate(set, of, [parseMeasure('ndcg')])[0]!.mean;
    const wanted = formula((i, j) => {
      const swapped = scores.slice();
      [swapped[i], swapped[j]] = [scores[j]!, scores[i]!];
      return Math.abs(meanOf(swapped) - meanOf(scores));
    });
    jacobian(fieldOf('lambdarank(ndcg)', query), scores).forEach((value, at) => {
      expect(value).toBeCloseTo(wanted[at]!, 8);
    });
  });
});

describe('loops', () => {
  const query: Query = { scores: [1.5, 0.5, -0.5], label: [0, 2, 1] };
  const scores = Float64Array.from(query.scores);
  /** Document 1 passes document 0 and comes back, document 2 moves meanwhile. */
  const loop = { i: 1, k: 2, iTo: 2.5, kTo: 0.2 };

  /** The same by many small steps along the corners. */
  function bySmallSteps(field: (at: Float64Array) => Float64Array): number {
    const steps = 20_000;
    const at = scores.slice();
    let work = 0;
    for (const [document, to] of [
      [1, 2.5],
      [2, 0.2],
      [1, 0.5],
      [2, -0.5],
    ] as const) {
      const from = at[document]!;
      for (let step = 0; step < steps; step++) {
        at[document] = from + ((to - from) * (step + 0.5)) / steps;
        work += (field(at)[document]! * (to - from)) / steps;
      }
      at[document] = to;
    }
    return work;
  }

  it('do no work for RankNet', () => {
    expect(loopWork(fieldOf('ranknet', query), scores, loop)).toMatchObject({ swaps: 2 });
    expect(Math.abs(loopWork(fieldOf('ranknet', query), scores, loop).work)).toBeLessThan(1e-12);
  });

  it('do the work that adding up small steps gives, for LambdaRank', () => {
    const field = fieldOf('lambdarank(ndcg)', query);
    const { work } = loopWork(field, scores, loop);
    expect(Math.abs(work)).toBeGreaterThan(0.005);
    expect(work).toBeCloseTo(
      bySmallSteps(at => atOnce(field(at))),
      4,
    );
  });
});

describe('lambdaField', () => {
  it('looks at given scores, ties set apart', () => {
    const scores = new Float64Array(data.rows).map((_, i) => (i % 3) / 2);
    const found = lookAt('lambdarank(ndcg)', { scores, queries: 2 });
    expect(found.points.map(({ query }) => query)).toEqual([0, 1]);
    expect(found.points[0]!.scores[1]).toBeCloseTo(0.5, 5);
    expect(new Set(found.points[0]!.scores).size).toBe(9);
    expect(found.kind).toBe('gradient between swaps');
  });

  it('counts the pairs that pull', () => {
    const { points } = lookAt('lambdarank(p@1)', { queries: 1, points: 1 });
    const labels = data.label().subarray(0, 9);
    const differ = [...labels].flatMap((a, i) => [...labels].slice(0, i).filter(b => a !== b)).length;
    expect(points[0]!.pairs).toBe(differ);
    // Only a swap with the first rank changes P@1.
    expect(points[0]!.effective).toBeLessThan(9);
  });

  it('repeats with a seed and differs with another', () => {
    expect(lookAt('ranknet', { seed: 7, queries: 1 })).toEqual(lookAt('ranknet', { seed: 7, queries: 1 }));
    expect(lookAt('ranknet', { seed: 8, queries: 1 })).not.toEqual(lookAt('ranknet', { seed: 7, queries: 1 }));
  });

  it('passes over queries that are too long or all alike', () => {
    const alike: Query = { scores: [1, 2, 3], label: [1, 1, 1] };
    const set = datasetOf(alike, randomQuery(1, { n: 30 }), randomQuery(2, { n: 5 }));
    const found = lambdaField(parseObjective('ranknet'), set, { mostDocuments: 10, points: 1 });
    expect(found.points.map(({ query }) => query)).toEqual([2]);
    expect(() => lambdaField(parseObjective('ranknet'), datasetOf(alike))).toThrow(
      'no query of at most 100 documents has two with different labels (label)',
    );
  });

  it('says what it found in one sentence', () => {
    expect(fieldVerdict(lookAt('ranknet'))).toBe(
      'ranknet: the lambdas sum to zero and are the gradient of a cost, also across swaps; it is convex wherever looked at.',
    );
    expect(fieldVerdict(lookAt('lambdarank(ndcg)'))).toMatch(
      /^lambdarank\(ndcg\): the lambdas sum to zero and are a gradient between swaps \(of a convex cost there\), but not across them: .*, so no cost has these lambdas\.$/,
    );
    expect(fieldVerdict(lookAt('normalise(ranknet)'))).toMatch(/are not the gradient of any cost/);
  });
});

it('refuses a named query whose labels are all the same', () => {
  const data = datasetOf({ scores: [2, 1], label: [1, 1] });
  const query = data.queryIds[0]!;
  expect(() => lambdaField(parseObjective('ranknet'), data, { query })).toThrow(
    `no two documents of query "${query}" have different labels`,
  );
});
