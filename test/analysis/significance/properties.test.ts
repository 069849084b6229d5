import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm } from '#listwise/analysis/significance/holm.js';
import { pairedComparison, type TestName } from '#listwise/analysis/significance/paired.js';
import { randomisationTest } from '#listwise/analysis/significance/randomisation.js';
import { signTest } from '#listwise/analysis/significance/sign-test.js';
import { effectSize, meanInterval, tTest } from '#listwise/analysis/significance/t-test.js';
import { wilcoxonTest } from '#listwise/analysis/significance/wilcoxon.js';
import { Random } from '#listwise/numeric/random.js';

const names: readonly TestName[] = ['t', 'wilcoxon', 'sign', 'randomisation'];
const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 18 });

describe('paired tests', () => {
  it('are symmetric: trading the systems keeps p and turns the sign of everything else', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const n = Math.min(a.length, b.length);
        const there = pairedComparison(a.slice(0, n), b.slice(0, n));
        const back = pairedComparison(b.slice(0, n), a.slice(0, n));
        for (const name of names) expect(back.tests[name].p).toBeCloseTo(there.tests[name].p, 12);
        expect(back.difference).toBeCloseTo(-there.difference, 12);
        expect([back.wins, back.ties, back.losses]).toEqual([there.losses, there.ties, there.wins]);
        expect(back.interval[0]).toBeCloseTo(-there.interval[1], 10);
      }),
    );
  });

  it('do not change with the scale of the values (a power of two, so that ties stay ties)', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: -40, max: 40 }), (d, power) => {
        const zero = d.map(() => 0);
        const plain = pairedComparison(d, zero);
        const scaled = pairedComparison(
          d.map(value => value * 2 ** power),
          zero,
        );
        for (const name of names) expect(scaled.tests[name].p).toBeCloseTo(plain.tests[name].p, 12);
      }),
    );
  });

  it('find no difference in what only rounding tells apart', () => {
    const value = 0.1 + 0.2;
    const { wins, ties, losses, difference, tests } = pairedComparison(Array(20).fill(value), Array(20).fill(0.3));
    expect([wins, ties, losses, difference]).toEqual([0, 20, 0, 0]);
    for (const name of names) expect(tests[name].p).toBe(1);
  });

  it('do not change with the order of the queries', () => {
    fc.assert(
      fc.property(values, d => {
        const zero = d.map(() => 0);
        const turned = pairedComparison(d.toReversed(), zero);
        for (const name of names) expect(turned.tests[name].p).toBeCloseTo(pairedComparison(d, zero).tests[name].p, 12);
      }),
    );
  });

  it('give p-values from 0 to 1', () => {
    fc.assert(
      fc.property(values, d => {
        const result = pairedComparison(
          d,
          d.map(() => 0),
        );
        for (const name of names) {
          expect(result.tests[name].p).toBeGreaterThanOrEqual(0);
          expect(result.tests[name].p).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('refuse values that cannot be compared', () => {
    expect(() => pairedComparison([1, 2], [1])).toThrow('2 values against 1');
    expect(() => pairedComparison([1, Number.NaN], [1, 1])).toThrow('pair 2');
  });
});

describe('degenerate cases', () => {
  it('all differences zero: p = 1, effect 0, interval [0, 0]', () => {
    const result = pairedComparison([0.5, 0.25, 1], [0.5, 0.25, 1]);
    for (const name of names) expect(result.tests[name].p).toBe(1);
    expect(result.effect).toBe(0);
    expect(result.interval).toEqual([0, 0]);
  });

  it('one query: the t-test is NaN and says why, the others give 1', () => {
    const result = pairedComparison([0.5], [0.25]);
    expect(result.tests.t.p).toBeNaN();
    expect(result.tests.t.note).toContain('at least two queries');
    expect(result.interval).toEqual([Number.NaN, Number.NaN]);
    expect([result.tests.wilcoxon.p, result.tests.sign.p, result.tests.randomisation.p]).toEqual([1, 1, 1]);
  });

  it('no query: every test is NaN and says why', () => {
    const result = pairedComparison([], []);
    for (const name of names) {
      expect(result.tests[name].p).toBeNaN();
      expect(result.tests[name].note).toContain('there are none');
    }
  });

  it('the same difference everywhere: p = 0 by t, since nothing varies', () => {
    const d = Float64Array.from({ length: 30 }, () => 0.1);
    expect(tTest(d).p).toBe(0);
    expect(meanInterval(d, 0.05)).toEqual([0.1, 0.1]);
    expect(effectSize(d)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('under the null hypothesis', () => {
  // 2000 seeded simulations of 30 differences around zero: the share of p <= level has a standard error of at most
  // 0.011.
  const random = new Random(42, 'null simulation');
  const rounds = 2000;
  const found: Record<TestName, number[]> = { t: [], wilcoxon: [], sign: [], randomisation: [] };
  for (let round = 0; round < rounds; round++) {
    const d = Float64Array.from({ length: 30 }, () => random.gaussian());
    found.t.push(tTest(d).p);
    found.wilcoxon.push(wilcoxonTest(d).p);
    found.sign.push(signTest(d).p);
    found.randomisation.push(randomisationTest(d, { seed: round, flips: 999 }).p);
  }

  it.each(['t', 'wilcoxon', 'randomisation'] as const)('p-values of %s are uniform', name => {
    for (const level of [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9]) {
      const share = found[name].filter(p => p <= level).length / rounds;
      expect(Math.abs(share - level)).toBeLessThan(0.045);
    }
  });

  it('the sign test never rejects more often than its level', () => {
    for (const level of [0.01, 0.05, 0.1]) {
      expect(found.sign.filter(p => p <= level).length / rounds).toBeLessThan(level + 0.02);
    }
  });
});

describe('randomisation test', () => {
  it('random flips agree with all flips', () => {
    const random = new Random(3, 'agree');
    for (let round = 0; round < 5; round++) {
      const d = Float64Array.from({ length: 20 }, () => random.gaussian() + 0.3);
      const exact = randomisationTest(d).p;
      // 12 more differences that are nearly zero lambda random flips without moving the answer.
      const padded = Float64Array.from({ length: 32 }, (_, i) => d[i] ?? 1e-13);
      const sampled = randomisationTest(padded);
      expect(sampled.method).toContain('random sign flips');
      expect(Math.abs(sampled.p - exact)).toBeLessThan(5 * Math.sqrt((exact * (1 - exact)) / 100_000) + 2e-5);
    }
  });

  it('depends on nothing but the seed', () => {
    const d = Float64Array.from({ length: 40 }, (_, i) => Math.sin(i) + 0.2);
    expect(randomisationTest(d, { seed: 5 }).p).toBe(randomisationTest(d, { seed: 5 }).p);
    expect(randomisationTest(d, { seed: 5 }).p).not.toBe(randomisationTest(d, { seed: 6 }).p);
  });
});

describe('holm', () => {
  it('gives the textbook example', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
  });

  it('leaves NaN out of the family', () => {
    expect(holm([0.01, Number.NaN, 0.02])).toEqual([0.02, Number.NaN, 0.02]);
  });

  it('never lowers a p-value, keeps their order, stays within Bonferroni', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), p => {
        const adjusted = holm(p);
        for (let i = 0; i < p.length; i++) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p[i]!);
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, p.length * p[i]!));
          for (let j = 0; j < p.length; j++) if (p[i]! < p[j]!) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!);
        }
      }),
    );
  });
});

it.each([
  ['t', tTest],
  ['Wilcoxon', wilcoxonTest],
  ['sign', signTest],
  ['randomisation', randomisationTest],
])('a difference that is not a number is refused by the %s test', (_, test) => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => test(Float64Array.of(0.1, bad, 0.3))).toThrow(
      expect.objectContaining({ code: 'value-invalid', message: expect.stringContaining(`difference 2 is ${bad}`) }),
    );
  }
});
