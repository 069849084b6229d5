/** Lambdas against values worked out by hand, one objective after the other. */
import { describe, expect, it } from 'vitest';
import { parseObjective } from '#listwise/objectives/parse.js';
import { datasetOf, lambdasOf, type Query, randomQuery } from './queries.js';

const felt = (spec: string, query: Query) => lambdasOf(parseObjective(spec).start(datasetOf(query)), query);

function expectClose(found: readonly number[], expected: readonly number[], digits = 6): void {
  expect(found.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, digits);
}

const sigma = (x: number) => 1 / (1 + Math.exp(-x));

describe('pair constructions', () => {
  // Ranked 0, 1, 2 with labels 0, 1, 2; discounts 1, 0.63, 0.5.
  const query: Query = { scores: [1, 0.5, -0.25], label: [0, 1, 2] };
  const discount = (rank: number) => 1 / Math.log2(1 + rank);
  const ideal = 3 * discount(1) + discount(2);

  it('localcost: neighbours only', () => {
    const upper = ((discount(1) - discount(2)) / ideal) * sigma(0.5);
    const lower = ((2 * (discount(2) - discount(3))) / ideal) * sigma(0.75);
    const { lambda, count } = felt('localcost(ndcg)', query);
    expectClose(lambda, [-upper, upper - lower, lower]);
    expect(count).toBe(2);
  });

  it('localgradient: the gain over the distance', () => {
    const upper = (discount(1) - discount(2)) / ideal / (0.5 + 2);
    const lower = (2 * (discount(2) - discount(3))) / ideal / (0.75 + 2);
    expectClose(felt('localgradient(ndcg,margin=2)', query).lambda, [-upper, upper - lower, lower], 12);
  });

  it('springsmooth: a pair weighs at least 1', () => {
    // DCG changes: 0.37, 1.5 and 0.26: only that of the outer pair is above 1.
    const outer = 3 * (discount(1) - discount(3)) * sigma(1.25);
    expectClose(felt('springsmooth(dcg)', query).lambda, [
      -sigma(0.5) - outer,
      sigma(0.5) - sigma(0.75),
      sigma(0.75) + outer,
    ]);
    const { lambda } = felt('springsmooth(ndcg)', query);
    expectClose(lambda, felt('ranknet', query).lambda);
  });

  it('sigmoid: largest at o = -mu', () => {
    const lambda = (o: number, mu: number) =>
      felt(`sigmoid(ndcg,mu=${mu})`, { scores: [o, 0], label: [1, 0] }).lambda[0]!;
    const weight = 1 - discount(2);
    expect(lambda(0, 0)).toBeCloseTo(weight / 4, 6);
    expect(lambda(-1.5, 1.5)).toBeCloseTo(weight / 4, 6);
    expect(lambda(1, 0.5)).toBeCloseTo((weight * Math.exp(1.5)) / (1 + Math.exp(1.5)) ** 2, 6);
    expect(lambda(20, 0)).toBeLessThan(1e-7);
  });

  it('hinge: every pair within the margin pulls with 1', () => {
    const { lambda, count } = felt('hinge', { scores: [3, 2.5, 0], label: [2, 1, 0] });
    expectClose(lambda, [1, -1, 0]);
    expect(count).toBe(1);
  });

  it('lambdarank counts effective pairs: those with a document in the top k', () => {
    const long: Query = { scores: [5, 4, 3, 2, 1], label: [0, 1, 0, 1, 0] };
    expect(felt('lambdarank(ndcg)', long).count).toBe(6);
    expect(felt('lambdarank(ndcg@1)', long).count).toBe(2);
    expect(felt('lambdarank(rr)', long).count).toBe(4);
    // Eq. 11 of Donmez et al. leaves out the loss of the top relevant document.
    expect(felt('lambdarank(rr,pairs=misranked)', long).count).toBe(2);
  });

  it('lambdarank(…,top=k): pairs with a document in the top k, weighed as without a cut-off', () => {
    // By the cut-off it is all the same how far down the other one is.
    const upper = ((discount(1) - discount(2)) / ideal) * sigma(0.5);
    const outer = ((3 * (discount(1) - discount(3))) / ideal) * sigma(1.25);
    const { lambda, count } = felt('lambdarank(ndcg,top=1)', query);
    expectClose(lambda, [-upper - outer, upper, outer]);
    expect(count).toBe(2);
    for (const top of [3, 100])
      expect(felt(`lambdarank(ndcg,top=${top})`, query)).toEqual(felt('lambdarank(ndcg)', query));
  });

  it('lambdarank(ndcg,top=k,factor=close): pair by pair', () => {
    const { scores, label } = randomQuery(3, { n: 30 });
    const ranked = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!);
    const gain = label.map(grade => 2 ** grade - 1);
    const most = [...gain].sort((a, b) => b - a).reduce((sum, own, r) => sum + own * discount(r + 1), 0);
    const lambda = scores.map(() => 0);
    for (const [a, i] of ranked.entries()) {
      for (const [b, j] of ranked.entries()) {
        if (label[i]! <= label[j]! || Math.min(a, b) >= 5) continue;
        const change = ((gain[i]! - gain[j]!) * Math.abs(discount(a + 1) - discount(b + 1))) / most;
        const o = scores[i]! - scores[j]!;
        const own = (change * sigma(-o)) / (0.01 + Math.abs(o));
        lambda[i]! += own;
        lambda[j]! -= own;
      }
    }
    expectClose(felt('lambdarank(ndcg,top=5,factor=close)', { scores, label }).lambda, lambda, 5);
  });
});

describe('discretebounded', () => {
  it('moves each document to its ideal place, one at a time', () => {
    // RR of the list 0 0 1 is 1/3. Moving the relevant one to the top: 2/3 more. Moving either other document down to
    // its nearest ideal place, the second rank or none: the first to rank 2 changes nothing, the second is in place.
    const { lambda, count } = felt('discretebounded(rr)', { scores: [3, 2, 1], label: [0, 0, 1] });
    expectClose(lambda, [-2 / 9, -2 / 9, 4 / 9], 12);
    expect(count).toBe(1);
  });

  it('signs the change by the direction of the move and clips it', () => {
    // DCG: both moves to the ideal place are the same swap of 0 and 31, discount 31 (1 - 1/log2(3)) > 1.
    const { lambda, count } = felt('discretebounded(dcg)', { scores: [2, 1], label: [0, 5] });
    expectClose(lambda, [-1, 1], 12);
    expect(count).toBe(2);
  });

  it('subtracts the mean over documents with a label', () => {
    const { lambda } = felt('discretebounded(ap)', randomQuery(5, { n: 15, unjudged: 0.3 }));
    expect(Math.abs(lambda.reduce((sum, lambda) => sum + lambda, 0))).toBeLessThan(1e-12);
    expect(Math.max(...lambda)).toBeGreaterThan(0);
  });
});

describe('list-wise costs', () => {
  const query: Query = { scores: [0.5, -1, 0.25, 3], label: [1, 0, 2, Number.NaN] };
  const powers = [0.5, -1, 0.25].map(Math.exp);
  const total = powers.reduce((sum, value) => sum + value, 0);

  it('listnet: softmax of labels less softmax of scores', () => {
    const target = [1, 0, 2].map(Math.exp);
    const whole = target.reduce((sum, value) => sum + value, 0);
    const { lambda, hessian } = felt('listnet', query);
    expectClose(lambda, [0, 1, 2].map(i => target[i]! / whole - powers[i]! / total).concat(0), 14);
    expectClose(hessian, [0, 1, 2].map(i => (powers[i]! / total) * (1 - powers[i]! / total)).concat(0), 14);
  });

  it('listmle: document by document down the ideal list 2, 0, 1', () => {
    const last = powers[0]! + powers[1]!;
    const chosen = [
      powers[0]! / total + powers[0]! / last,
      powers[1]! / total + powers[1]! / last + 1,
      powers[2]! / total,
    ];
    expectClose(felt('listmle', query).lambda, chosen.map(value => 1 - value).concat(0), 12);
  });

  it('listmle puts ties in an order that does not depend on the scores', () => {
    const label = [1, 1, 1];
    // At equal scores the document at place t feels 1 - sum over r up to t of 1/(3 - r), counted from 0.
    const drawn = felt('listmle', { scores: [0, 0, 0], label }).lambda;
    expectClose(
      drawn.toSorted((a, b) => b - a),
      [2 / 3, 1 / 6, -5 / 6],
      12,
    );
    const order = [0, 1, 2].sort((i, j) => drawn[j]! - drawn[i]!);
    for (const scores of [
      [3, 1, 2],
      [-1, 0.5, 2],
    ]) {
      const [first, second, third] = order.map(i => Math.exp(scores[i]!));
      const chosen = first! / (first! + second! + third!);
      expect(felt('listmle', { scores, label }).lambda[order[0]!]).toBeCloseTo(1 - chosen, 12);
    }
  });

  it('xendcg: targets 2^label - gamma', () => {
    const target = [2 - 0.5, 1 - 0.5, 4 - 0.5].map(value => value / 5.5);
    expectClose(
      felt('xendcg(gamma=half)', query).lambda,
      [0, 1, 2].map(i => target[i]! - powers[i]! / total).concat(0),
      14,
    );
  });

  it('xendcg draws anew for each iteration, query and seed, and the same again', () => {
    const draw = (spec: string, iteration: number) => {
      const run = parseObjective(spec).start(datasetOf(query));
      run.beginIteration!(iteration);
      return lambdasOf(run, query).lambda;
    };
    expect(draw('xendcg', 3)).toEqual(draw('xendcg', 3));
    expect(draw('xendcg', 3)).not.toEqual(draw('xendcg', 4));
    expect(draw('xendcg', 3)).not.toEqual(draw('xendcg(seed=2)', 3));
    expectClose(felt('xendcg', query).lambda, draw('xendcg', 1), 15);
    expect(felt('xendcg', { scores: [1, 2], label: [0, 0] }).count).toBe(0);
  });

  it('rankcosine: the angle between gains and scores', () => {
    const { scores, label } = { scores: [3, 4], label: [1, 0] };
    // cos = 3/5; lambda (g/|g| - cos s/|s|) / (2 |s|)
    expectClose(felt('rankcosine', { scores, label }).lambda, [(1 - 0.36) / 10, -0.48 / 10], 14);
    expectClose(felt('rankcosine', { scores: [0, 0], label }).lambda, [0.5, 0], 14);
  });

  it('squared: label less score', () => {
    const { lambda, hessian } = felt('squared', query);
    expectClose(lambda, [0.5, 1, 1.75, 0], 15);
    expect(hessian).toEqual([1, 1, 1, 0]);
  });
});
