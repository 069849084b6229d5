/** The kernels of SoftRank and of smooth positions against the plain recursion and the plain loops. */
import { describe, expect, it } from 'vitest';
import { parseMeasure } from '#listwise/measures/parse.js';
import { density, normal } from '#listwise/numeric/normal.js';
import { Random } from '#listwise/numeric/random.js';
import { SigmoidRanking } from '#listwise/objectives/approx/sigmoid-ranking.js';
import { sigmoids } from '#listwise/objectives/approx/sigmoids.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { discountSteps, discountTerms } from '#listwise/objectives/soft/discount-terms.js';
import { RankDistributions } from '#listwise/objectives/soft/rank-distributions.js';
import { atOnce } from '#listwise/steps.js';
import { datasetOf, lambdasOf, type Query, viewOf } from './queries.js';

const random = new Random(5, 'smooth kernels');

/** The first document is relevant; of a long list the first 20 alone may be. */
function queryOf(n: number): Query {
  return {
    label: Array.from({ length: n }, (_, i) =>
      i === 0 ? 2 : i < 20 || n < 500 ? Math.floor(5 * random.uniform() ** 2) : 0,
    ),
    scores: Array.from({ length: n }, () => random.gaussian()),
  };
}

/** Lambdas and the value climbed, by the objective. */
function climbed(objective: string, query: Query) {
  const run = parseObjective(objective).start(datasetOf(query));
  return { lambda: lambdasOf(run, query).lambda, value: -run.cost!(viewOf(query)) };
}

/** The soft value and its gradient by the plain recursion. */
function positional(spec: string, query: Query, sigma: number) {
  const form = parseMeasure(spec).soft!;
  const n = query.scores.length;
  const [gain, discount, gradient] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  if (form.form !== 'positional') throw new Error(spec);
  const norm = form.fill(viewOf(query), { gain, upper: discount });
  const ranks = new RankDistributions(sigma);
  let value = 0;
  for (let j = 0; j < n; j++) {
    if (gain[j] === 0) continue;
    value += ranks.expectedDiscount(j, Float64Array.from(query.scores), n, discount, n, norm * gain[j]!, gradient);
  }
  return { value, gradient };
}

/** norm sum over relevant j of (1 + sum over i of rel_i pi_ij) / (1 + sum over i of pi_ij). */
function precision(spec: string, query: Query, sigma: number) {
  const form = parseMeasure(spec).soft!;
  const { scores } = query;
  const n = scores.length;
  const [relevant, gradient] = [new Float64Array(n), new Float64Array(n)];
  if (form.form !== 'precision') throw new Error(spec);
  const norm = form.fill(viewOf(query), relevant);
  const spread = Math.SQRT2 * sigma;
  let value = 0;
  for (let j = 0; j < n; j++) {
    if (relevant[j] === 0) continue;
    const apart = scores.map(score => (score - scores[j]!) / spread);
    const win = apart.map((x, i) => (i === j ? 0 : normal(x)));
    const position = 1 + win.reduce((sum, p) => sum + p, 0);
    const hits = 1 + win.reduce((sum, p, i) => sum + relevant[i]! * p, 0);
    value += (norm * hits) / position;
    for (let i = 0; i < n; i++) {
      if (i === j) continue;
      const lambda = ((norm * (relevant[i]! - hits / position)) / position) * (density(apart[i]!) / spread);
      gradient[i]! += lambda;
      gradient[j]! -= lambda;
    }
  }
  return { value, gradient };
}

function expectNear(actual: ArrayLike<number>, expected: Float64Array, digits: number): void {
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (const [i, value] of expected.entries())
    expect(Math.abs(actual[i]! - value)).toBeLessThan(digits * largest + 1e-13);
}

describe('the SoftRank kernel', () => {
  const specs = [
    'ndcg',
    'ndcg(discount=letor)',
    'ndcg@5',
    'ndcg@10',
    'ndcg@13',
    'ndcg@20',
    'ndcg@35',
    'ndcg@40',
    'ndcg@45',
    'ndcg@50',
    'ndcg@100',
    'p@10',
    'rbp',
    'dcg',
    'recall@20',
  ];
  for (const spec of specs) {
    it.each([0.05, 0.3, 2])(`equals the plain recursion: ${spec}, sigma %d`, sigma => {
      for (const n of [1, 2, 3, 12, 13, 14, 40, 61, 150]) {
        const query = queryOf(n);
        const expected = positional(spec, query, sigma);
        const { lambda, value } = climbed(`softrank(${spec},sigma=${sigma})`, query);
        expectNear(lambda, expected.gradient, 1e-6);
        expect(Math.abs(value - expected.value)).toBeLessThan(1e-7 * (1 + expected.value));
      }
    });
  }

  it('equals the plain recursion on a list of 1,000', () => {
    const query = queryOf(1000);
    for (const spec of ['ndcg', 'ndcg@10', 'p@25', 'ndcg@200', 'ndcg@900', 'p@900']) {
      const expected = positional(spec, query, 0.3);
      expectNear(climbed(`softrank(${spec},sigma=0.3)`, query).lambda, expected.gradient, 1e-6);
    }
  });

  it('equals the plain recursion where all that is relevant is far below the cut-off, or beside one document on top', () => {
    for (const n of [25, 60, 200]) {
      for (const tops of [[], [0]]) {
        const scores = Array.from({ length: n }, (_, i) => -0.1 * i + 0.02 * random.gaussian());
        const label = scores.map((_, i) => (tops.includes(i) ? 4 : i > 20 && i % 3 === 0 ? 1 : 0));
        // The one on top is sure of its place: it feels nothing, and others are not to be left out beside it.
        if (tops.length > 0) scores[0] = 50;
        for (const sigma of [0.2, 0.3, 1]) {
          for (const spec of ['ndcg@10', 'p@18', 'ndcg@18', `ndcg@${n - 4}`, `p@${n - 4}`]) {
            const expected = positional(spec, { label, scores }, sigma).gradient;
            const { lambda } = climbed(`softrank(${spec},sigma=${sigma})`, { label, scores });
            const largest = Math.max(...expected.map(Math.abs));
            expect(largest).toBeGreaterThan(0);
            for (const [i, value] of expected.entries())
              expect(Math.abs(lambda[i]! - value) / largest).toBeLessThan(1e-6);
          }
        }
      }
    }
  });

  it('equals the plain recursion where hundreds of rivals are as good, or nearly sure', () => {
    for (const width of [1e-3, 0.5, 5]) {
      const scores = Array.from({ length: 700 }, () => width * random.gaussian());
      const label = scores.map((_, i) => (i % 70 === 0 ? 1 : 0));
      for (const spec of ['ndcg@10', 'p@60']) {
        const expected = positional(spec, { label, scores }, 0.3);
        const { lambda } = climbed(`softrank(${spec},sigma=0.3)`, { label, scores });
        const largest = Math.max(...expected.gradient.map(Math.abs));
        for (const [i, value] of expected.gradient.entries())
          expect(Math.abs(lambda[i]! - value)).toBeLessThanOrEqual(1e-6 * largest);
      }
    }
  });

  it('equals the plain sums of average precision', () => {
    for (const n of [1, 2, 5, 60, 151]) {
      const query = queryOf(n);
      const expected = precision('ap', query, 0.3);
      const { lambda, value } = climbed('softrank(ap,sigma=0.3)', query);
      expectNear(lambda, expected.gradient, 1e-12);
      expect(value).toBeCloseTo(expected.value, 12);
    }
  });
});

describe('a sum of exponentials', () => {
  it.each([20, 150, 1000, 5000])('is the discount of NDCG at %d ranks', n => {
    const discount = Float64Array.from({ length: n }, (_, r) => 1 / Math.log2(r + 2));
    const { fall, weight, head, constant } = discountTerms(discount).terms;
    expect(fall.length % 4).toBe(0);
    expect(fall.length).toBeGreaterThan(0);
    expect(head.length).toBe(0);
    for (const [r, value] of discount.entries()) {
      const sum = fall.reduce((total, own, k) => total + weight[k]! * (1 - own) ** r, constant);
      expect(Math.abs(sum - value)).toBeLessThan(2e-8);
    }
  });

  it('is found in steps, of one term at most: of a long list a try takes seconds', () => {
    const steps = discountSteps(Float64Array.from({ length: 1000 }, (_, r) => 1 / Math.log2(r + 2)));
    let taken = 0;
    for (let step = steps.next(); ; step = steps.next(), taken++) {
      if (!step.done) continue;
      expect(taken).toBeGreaterThanOrEqual(step.value.terms.fall.length);
      break;
    }
  });

  it('is one term where discounts are geometric, none where they are all alike', () => {
    const geometric = discountTerms(Float64Array.from({ length: 100 }, (_, r) => 0.8 ** r)).terms;
    expect(geometric.fall.length).toBe(4);
    expect(Array.from(geometric.weight, value => Math.abs(value) > 1e-12)).toEqual([true, false, false, false]);
    const even = discountTerms(new Float64Array(100).fill(1)).terms;
    expect(even).toEqual({
      fall: new Float64Array(0),
      weight: new Float64Array(0),
      head: new Float64Array(0),
      foot: new Float64Array(0),
      constant: 1,
    });
  });

  it('leaves a cut-off to the first ranks', () => {
    const discount = Float64Array.from({ length: 50 }, (_, r) => (r < 20 ? 1 : 0));
    const { terms, byHead } = discountTerms(discount);
    expect(terms).toMatchObject({ fall: new Float64Array(0), head: new Float64Array(20).fill(1) });
    expect(byHead).toBeUndefined();
  });

  it.each([
    [60, 50],
    [61, 50],
    [150, 101],
    [1000, 900],
  ])('is taken away again beyond a cut-off near the end: %d ranks, %d that count', (n, cut) => {
    const discount = Float64Array.from({ length: n }, (_, r) => (r < cut ? 1 / Math.log2(r + 2) : 0));
    const { terms, byHead } = discountTerms(discount);
    const { fall, weight, head, foot, constant } = terms;
    expect(foot.length).toBe(n - cut);
    expect(head.length).toBe(0);
    for (const [r, value] of discount.entries()) {
      const sum = fall.reduce((total, own, k) => total + weight[k]! * (1 - own) ** r, constant);
      expect(Math.abs(sum + (r < cut ? 0 : foot[n - 1 - r]!) - value)).toBeLessThan(2e-8);
    }
    expect(byHead!.head).toEqual(discount.subarray(0, cut));
  });
});

describe('the kernel of smooth positions', () => {
  for (const name of ['logistic', 'normal'] as const) {
    it.each([0.5, 10, 300])(`equals the plain loops: ${name}, alpha %d`, alpha => {
      for (const n of [1, 2, 3, 8, 61, 150, 1000]) {
        const query = queryOf(n);
        const view = viewOf(query);
        for (const spec of ['ndcg', 'ndcg@10', 'ap', 'ap@5', 'rr']) {
          const [ours, plain] = [false, true].map(plain => {
            const options = { alpha, beta: 10, cutBeta: 0.3, sigmoid: sigmoids[name], beyond: 0, plain };
            const ranking = new SigmoidRanking(options);
            const gradient = new Float64Array(n);
            const value = parseMeasure(spec).approx!.value(view, ranking.rank(view));
            atOnce(ranking.addGradient(view, gradient));
            return { value, gradient, positions: Float64Array.from({ length: n }, (_, x) => ranking.position(x)) };
          });
          expectNear(ours!.positions, plain!.positions, 1e-12);
          expectNear(ours!.gradient, plain!.gradient, 1e-8);
          expect(ours!.value).toBeCloseTo(plain!.value, 9);
        }
      }
    });
  }
});
