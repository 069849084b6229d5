import { describe, expect, it } from 'vitest';
import { parseMeasure } from '#listwise/measures/parse.js';
import { density, normal } from '#listwise/numeric/normal.js';
import { Random } from '#listwise/numeric/random.js';
import { erfc } from '#listwise/numeric/special-functions.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { RankDistributions } from '#listwise/objectives/soft/rank-distributions.js';
import { expectedDiscountForward } from './forward-derivative.js';
import { datasetOf, lambdasOf, randomQuery, viewOf } from './queries.js';

const random = new Random(1, 'softrank');
const gaussians = (n: number, spread: number) => Float64Array.from({ length: n }, () => spread * random.gaussian());

describe('normal distribution', () => {
  it('equals the error function to 1e-15', () => {
    for (let x = -10; x <= 10; x += 0.00731) {
      expect(Math.abs(normal(x) - erfc(-x / Math.SQRT2) / 2)).toBeLessThan(1e-15);
    }
    expect([normal(0), normal(-40), normal(40)]).toEqual([0.5, 0, 1]);
    expect(density(0)).toBeCloseTo(0.3989422804014327, 15);
  });

  it('never leaves [0, 1]', () => {
    for (let x = 7; x < 9; x += 0.0013) expect(normal(x) <= 1 && normal(-x) >= 0).toBe(true);
  });
});

describe('rank distributions', () => {
  /** P(j has r documents above it), over all outcomes of independent wins. */
  function enumerated(scores: Float64Array, j: number, sigma: number): number[] {
    const n = scores.length;
    const rivals = Array.from(scores.keys()).filter(i => i !== j);
    const p = new Array<number>(n).fill(0);
    for (let outcome = 0; outcome < 2 ** rivals.length; outcome++) {
      let chance = 1;
      let above = 0;
      for (const [bit, i] of rivals.entries()) {
        const win = erfc((scores[j]! - scores[i]!) / (2 * sigma)) / 2;
        const won = (outcome >> bit) & 1;
        chance *= won ? win : 1 - win;
        above += won;
      }
      p[above]! += chance;
    }
    return p;
  }

  it.each([0.05, 0.3, 1, 10])('equal enumerated independent wins, sigma %d', sigma => {
    for (const n of [1, 2, 3, 6, 9]) {
      const scores = gaussians(n, 1);
      const ranks = new RankDistributions(sigma);
      for (let j = 0; j < n; j++) {
        const p = enumerated(scores, j, sigma);
        expect(p.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12);
        for (let r = 0; r < n; r++) {
          const discount = new Float64Array(n);
          discount[r] = 1;
          expect(ranks.expectedDiscount(j, scores, n, discount, r + 1, 1, undefined)).toBeCloseTo(p[r]!, 12);
        }
      }
    }
  });

  // Sizes of 1 and 20 store little and repeat the recursion block by block.
  it.each([1, 20, 1 << 20])('equal the forward derivatives, %d probabilities stored', stored => {
    for (const [n, depth] of [
      [1, 1],
      [2, 1],
      [7, 3],
      [20, 20],
      [31, 10],
    ] as const) {
      for (const sigma of [0.02, 0.5, 2]) {
        const scores = gaussians(n, 1);
        const discount = gaussians(n, 1);
        for (let j = 0; j < n; j++) {
          const adjoint = new Float64Array(n);
          const forward = new Float64Array(n);
          const value = new RankDistributions(sigma, stored).expectedDiscount(
            j,
            scores,
            n,
            discount,
            depth,
            1.5,
            adjoint,
          );
          expect(value).toBeCloseTo(expectedDiscountForward(sigma, j, scores, n, discount, depth, 1.5, forward), 12);
          for (let i = 0; i < n; i++) expect(adjoint[i]).toBeCloseTo(forward[i]!, 11);
        }
      }
    }
  });
});

describe('long lists', () => {
  // 400 documents close together: of the ranks some 300 are within likelihood.
  const n = 400;
  const scores = gaussians(n, 0.1);

  it('leave out ranks beyond likelihood without a difference', () => {
    const discounts = Float64Array.from({ length: n }, (_, r) => 1 / Math.log2(2 + r));
    const forward = new Float64Array(n);
    const expected = expectedDiscountForward(0.3, 7, scores, n, discounts, n, 1, forward);
    for (const stored of [1, 1 << 20]) {
      const adjoint = new Float64Array(n);
      const value = new RankDistributions(0.3, stored).expectedDiscount(7, scores, n, discounts, n, 1, adjoint);
      expect(Math.abs(value / expected - 1)).toBeLessThan(1e-13);
      for (let i = 0; i < n; i++) expect(Math.abs(adjoint[i]! / forward[i]! - 1)).toBeLessThan(1e-11);
    }
  });

  it('are gone through in steps within one document', () => {
    const many = 5000;
    const close = gaussians(many, 0.1);
    const discount = new Float64Array(many).fill(1, 0, 2000);
    const ranks = new RankDistributions(0.3);
    const steps = ranks.discountSteps(7, close, many, discount, 2000, 1, new Float64Array(many));
    let taken = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next(), taken++) expect(step.value).toSatisfy(share => share >= 0 && share <= 1);
    expect(step.value).toBe(ranks.expectedDiscount(7, close, many, discount, 2000, 1, undefined));
    // Forward and back, some 8,000,000 probabilities each.
    expect(taken).toBeGreaterThan(6);
  });

  it('keep rare ranks where only those are worth anything', () => {
    const last = scores.indexOf(Math.min(...scores));
    const discount = new Float64Array(n).fill(1, 0, 10);
    const chance = new RankDistributions(0.3).expectedDiscount(last, scores, n, discount, 10, 1, undefined);
    const expected = expectedDiscountForward(0.3, last, scores, n, discount, 10, 1, new Float64Array(n));
    expect(chance).toBeGreaterThan(0);
    expect(chance).toBeLessThan(1e-100);
    expect(Math.abs(chance / expected - 1)).toBeLessThan(1e-11);
  });
});

describe('soft values', () => {
  const costOf = (spec: string, query: Parameters<typeof viewOf>[0]) =>
    parseObjective(spec).start(datasetOf(query)).cost!(viewOf(query));

  it.each(['ndcg', 'ndcg@3', 'dcg@5', 'p@3', 'ap', 'rbp', 'recall@4', 'wta', 'rprec'])(
    'come to %s itself as sigma vanishes',
    spec => {
      for (const seed of [1, 2, 3]) {
        const query = randomQuery(seed, { n: 12 });
        const exact = parseMeasure(spec).value(viewOf(query));
        expect(-costOf(`softrank(${spec},sigma=0.00001)`, query)).toBeCloseTo(exact, 9);
      }
    },
  );

  it('equal hand-computed values for two documents', () => {
    // Equal scores: each is first with probability 1/2.
    const query = { scores: [0, 0], label: [1, 0] };
    expect(-costOf('softrank(ndcg)', query)).toBeCloseTo((1 + 1 / Math.log2(3)) / 2, 14);
    expect(-costOf('softrank(ap)', query)).toBeCloseTo(1 / 1.5, 14);
    expect(-costOf('softrank(p@1)', query)).toBeCloseTo(0.5, 14);
  });

  it('take a query of more documents than a function takes arguments', () => {
    const n = 150_000;
    const scores = Array.from({ length: n }, (_, i) => (i % 1000) / 1000);
    const query = { scores, label: scores.map((_, i) => (i === 999 ? 1 : 0)) };
    const { lambda, count } = lambdasOf(
      parseObjective(`softrank(rbp(p=0.99999)@${n - 10})`).start(datasetOf(query)),
      query,
    );
    expect(count).toBe(n);
    expect(lambda[999]).toBeGreaterThan(0);
  });
});
