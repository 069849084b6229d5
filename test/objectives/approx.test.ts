import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMeasure } from '#listwise/measures/parse.js';
import { SigmoidRanking } from '#listwise/objectives/approx/sigmoid-ranking.js';
import { sigmoids } from '#listwise/objectives/approx/sigmoids.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { datasetOf, lambdasOf, type Query, randomQuery, viewOf } from './queries.js';

function rankingOf(scores: readonly number[], alpha: number, beta = 10) {
  const ranking = new SigmoidRanking({ alpha, beta, cutBeta: beta, sigmoid: sigmoids.logistic, beyond: 0 });
  return ranking.rank({ n: scores.length, scores: Float64Array.from(scores) });
}

/** Lists of distinct scores and binary labels, at least one of them 1. */
const lists: fc.Arbitrary<Query> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 200 })), { minLength: 2, maxLength: 12 })
  .filter(rows => rows.some(([label]) => label === 1))
  .map(rows => {
    let at = 0;
    return { label: rows.map(([label]) => label), scores: rows.map(([, gap]) => (at -= gap / 100)) };
  });
const alphas = fc.constantFrom(1, 5, 10, 20, 50, 100, 300);

/** Scores fall from document to document, so document i has rank i + 1. */
function worstPosition({ scores }: Query, alpha: number): number {
  const ranking = rankingOf(scores, alpha);
  return Math.max(...scores.map((_, i) => Math.abs(ranking.position(i) - (i + 1))));
}

const approximated = (spec: string, query: Query, parameters: string) =>
  -parseObjective(`approx(${spec},${parameters})`).start(datasetOf(query)).cost!(viewOf(query));
const ROUNDING = 1e-12;

describe('positions', () => {
  it('are those of Qin et al. 2010, Table 1', () => {
    const ranking = rankingOf([4.20074, 3.12378, 4.40918, 1.55258, 4.1333], 100);
    expect([0, 1, 2, 3, 4].map(x => ranking.position(x).toFixed(5))).toEqual([
      '2.00118',
      '4.00000',
      '1.00000',
      '5.00000',
      '2.99882',
    ]);
  });

  it('are within the bound of Theorem 3', () => {
    fc.assert(
      fc.property(lists, alphas, ({ scores }, alpha) => {
        const ranking = rankingOf(scores, alpha);
        for (const [x, score] of scores.entries()) {
          const gap = Math.min(...scores.filter((_, y) => y !== x).map(other => Math.abs(other - score)));
          const bound = (scores.length - 1) / (Math.exp(gap * alpha) + 1);
          expect(Math.abs(ranking.position(x) - (x + 1))).toBeLessThanOrEqual(bound + ROUNDING);
        }
      }),
    );
  });

  it('sum to n (n + 1) / 2 for every sigmoid', () => {
    const { scores } = randomQuery(1, { n: 30 });
    for (const sigmoid of Object.values(sigmoids)) {
      const ranking = new SigmoidRanking({ alpha: 3, beta: 1, cutBeta: 1, sigmoid, beyond: 0 });
      ranking.rank({ n: 30, scores: Float64Array.from(scores) });
      expect(scores.reduce((sum, _, x) => sum + ranking.position(x), 0)).toBeCloseTo(465, 9);
    }
  });
});

describe('sigmoids', () => {
  it.each(Object.entries(sigmoids))(
    '%s is symmetric, of slope 1/4 at 0, and its slope is its derivative',
    (_, sigmoid) => {
      expect(sigmoid.value(0)).toBeCloseTo(0.5, 15);
      expect(sigmoid.slope(0)).toBeCloseTo(0.25, 15);
      for (const x of [-7, -2, -0.3, 0.1, 1, 5]) {
        expect(sigmoid.value(x) + sigmoid.value(-x)).toBeCloseTo(1, 14);
        expect(sigmoid.slope(x)).toBeCloseTo((sigmoid.value(x + 1e-5) - sigmoid.value(x - 1e-5)) / 2e-5, 8);
      }
    },
  );
});

describe('approximated measures', () => {
  it('ApproxNDCG is within the bound of Theorem 6', () => {
    fc.assert(
      fc.property(lists, alphas, (query, alpha) => {
        const exact = parseMeasure('ndcg').value(viewOf(query));
        const bound = worstPosition(query, alpha) / (2 * Math.LN2);
        expect(Math.abs(approximated('ndcg', query, `alpha=${alpha}`) - exact)).toBeLessThanOrEqual(bound + ROUNDING);
      }),
    );
  });

  it('ApproxAP is within the bound of Theorem 5', () => {
    let tested = 0;
    fc.assert(
      fc.property(lists, alphas, fc.constantFrom(1, 10, 50, 100), (query, alpha, beta) => {
        const eps = worstPosition(query, alpha);
        if (eps >= 0.5) return;
        tested++;
        const relevant = query.label.filter(label => label === 1).length;
        let first = 0;
        let second = 0;
        for (let i = 1; i <= relevant; i++) {
          first += 1 / (i - eps);
          second += 1 / (i * (i - eps));
        }
        const bound = first / (1 + Math.exp(beta * (1 - 2 * eps))) + 2 * eps * second;
        const exact = parseMeasure('ap').value(viewOf(query));
        const value = approximated('ap', query, `alpha=${alpha},beta=${beta}`);
        expect(Math.abs(value - exact)).toBeLessThanOrEqual(bound + ROUNDING);
      }),
      { numRuns: 300 },
    );
    expect(tested).toBeGreaterThan(50);
  });

  const names = [
    'ndcg',
    'ndcg@3',
    'ndcg(discount=letor)@5',
    'dcg',
    'ap',
    'ap@4',
    'rr',
    'rr@2',
    'success@2',
    'p@3',
    'recall@5',
  ];
  it.each([...names, 'rbp', 'wta', 'rprec', 'err', 'err@3', 'pairs', 'gamma', 'tau'])(
    'come to %s itself in the limit',
    spec => {
      for (const seed of [1, 2, 3, 4]) {
        const query = randomQuery(seed, { n: 12 });
        const spaced = { ...query, scores: query.scores.map(score => 100 * score) };
        const exact = parseMeasure(spec).value(viewOf(spaced));
        expect(approximated(spec, spaced, 'alpha=300,beta=100,cut=k+1/2')).toBeCloseTo(exact, 9);
      }
    },
  );

  it('half a rank more puts the document at rank k inside', () => {
    const query = { scores: [30, 20, 10], label: [0, 1, 0] };
    expect(approximated('p@2', query, 'beta=100')).toBeCloseTo(0.25, 9);
    expect(approximated('p@2', query, 'beta=100,cut=k+1/2')).toBeCloseTo(0.5, 9);
  });

  it.each(['ndcg', 'ndcg@3', 'ap', 'rr', 'tau', 'p@3'])('%s neither overflows nor gives NaN at alpha = 300', spec => {
    for (const spread of [1e-3, 1, 1e4]) {
      const query = randomQuery(5, { n: 40, spread });
      const run = parseObjective(`approx(${spec},alpha=300,beta=100)`).start(datasetOf(query));
      expect(lambdasOf(run, query).lambda.every(Number.isFinite)).toBe(true);
      expect(Number.isFinite(run.cost!(viewOf(query)))).toBe(true);
    }
  });

  it('cut-offs are gentle by default, so that documents far below them feel something; comparisons are steep', () => {
    const n = 100;
    const scores = Array.from({ length: n }, (_, i) => (n - i) / 20);
    const query = { scores, label: scores.map((_, i) => (i === 60 ? 1 : 0)) };
    const felt = (spec: string) => lambdasOf(parseObjective(spec).start(datasetOf(query)), query).lambda[60]!;
    expect(felt('approx(ndcg@10)')).toBe(felt('approx(ndcg@10,beta=0.3)'));
    expect(felt('approx(ndcg@10)')).toBeGreaterThan(1e-8);
    expect(felt('approx(ndcg@10,beta=10)')).toBeLessThan(1e-100);
    expect(felt('approx(ap)')).toBe(felt('approx(ap,beta=10)'));
  });
});
