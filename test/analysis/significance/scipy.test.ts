/**
 * p-values against SciPy 1.10.1 (values recorded in scipy.json). With d the differences, the calls were
 *
 *     t              scipy.stats.ttest_1samp(d, 0.0)
 *     ci             scipy.stats.t.interval(0.95, n - 1, loc=d.mean(), scale=scipy.stats.sem(d)), also 0.99
 *     wilcoxon       scipy.stats.wilcoxon(d, zero_method='wilcox', correction=False, method=M), M = 'exact' for n <= 50
 *                    without ties and zeros, else 'approx' (its own 'auto' would take 'exact' with ties too)
 *     sign           scipy.stats.binomtest((d > 0).sum(), (d != 0).sum(), 0.5)
 *     randomisation  scipy.stats.permutation_test((d,), numpy.mean, permutation_type='samples', n_resamples=numpy.inf)
 *     functions      scipy.special.stdtr, erfc, betainc, gammaln, betaln; scipy.stats.binom.cdf
 *
 * A case gives its differences, or a formula that both sides compute alike: with x = ((i m) mod M)/M - 0.5 for i =
 * 1..n, cubed where it says so, d = x scale + shift. Critical values of t are good to about 3e-9 in SciPy 1.10, and its
 * betaln(0.5, 2500) to 3e-12 (ours was checked with 60 digits), so those two are held to less.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pairedComparison } from '#listwise/analysis/significance/paired.js';
import { meanInterval } from '#listwise/analysis/significance/t-test.js';
import {
  binomialLowerTail,
  erfc,
  incompleteBeta,
  logBeta,
  logGamma,
  studentCritical,
  studentTwoSided,
} from '#listwise/numeric/special-functions.js';

interface Formula {
  n: number;
  m: number;
  M: number;
  shift: number;
  scale: number;
  cube: boolean;
}

interface Case {
  name: string;
  values?: number[];
  formula?: Formula;
  scipy: {
    t: number;
    statistic: number;
    ci: [number, number];
    ci99: [number, number];
    wilcoxonMethod: 'exact' | 'approx';
    wilcoxon: number;
    sign: number;
    randomisation?: number;
  };
}

interface Fixture {
  scipy: string;
  cases: Case[];
  functions: Record<'student' | 'erfc' | 'binomial' | 'beta' | 'logGamma' | 'logBeta', number[][]>;
}

const fixture = JSON.parse(readFileSync(new URL('./scipy.json', import.meta.url), 'utf8')) as Fixture;

function differences({ values, formula }: Case): number[] {
  if (formula === undefined) return values!;
  const { n, m, M, shift, scale, cube } = formula;
  return Array.from({ length: n }, (_, i) => {
    const x = (((i + 1) * m) % M) / M - 0.5;
    return (cube ? x * x * x : x) * scale + shift;
  });
}

/** Equal to a relative error; both may be zero. */
function close(found: number, expected: number, relative: number, what: string): void {
  const error = found === expected ? 0 : Math.abs(found - expected) / Math.abs(expected);
  expect(error, `${what}: ${found} against ${expected}`).toBeLessThanOrEqual(relative);
}

describe(`SciPy ${fixture.scipy}`, () => {
  it('is the version named above, with cases down to the smallest p-values', () => {
    expect(fixture.scipy).toBe('1.10.1');
    const smallest = Math.min(...fixture.cases.map(({ scipy }) => scipy.t).filter(p => p > 0));
    expect(smallest).toBeLessThan(1e-280);
  });

  it.each(fixture.cases.map(c => [c.name, c] as const))('%s', (_, c) => {
    const d = differences(c);
    const result = pairedComparison(d, new Float64Array(d.length));
    const { t, wilcoxon, sign, randomisation } = result.tests;
    close(t.p, c.scipy.t, 1e-9, 't');
    close(t.statistic, c.scipy.statistic, 1e-9, 'statistic');
    close(wilcoxon.p, c.scipy.wilcoxon, 1e-9, 'wilcoxon');
    expect(wilcoxon.method.includes('exact')).toBe(c.scipy.wilcoxonMethod === 'exact');
    close(sign.p, c.scipy.sign, 1e-9, 'sign');
    if (c.scipy.randomisation !== undefined) close(randomisation.p, c.scipy.randomisation, 1e-9, 'randomisation');
    const scale = Math.abs(c.scipy.ci[1] - c.scipy.ci[0]);
    for (const end of [0, 1] as const) {
      expect(Math.abs(result.interval[end] - c.scipy.ci[end])).toBeLessThan(1e-8 * scale);
      expect(Math.abs(meanInterval(Float64Array.from(d), 0.01)[end] - c.scipy.ci99[end])).toBeLessThan(1e-8 * scale);
    }
  });
});

describe('special functions', () => {
  const { functions } = fixture;

  it.each(functions.student)('P(|T| >= %d) with %d degrees of freedom', (t, df, p) => {
    close(studentTwoSided(t!, df!), p!, 1e-11, 'student');
  });

  it.each(functions.erfc)('erfc(%d)', (x, value) => close(erfc(x!), value!, 1e-12, 'erfc'));

  it.each(functions.binomial)('P(X <= %d), X ~ binomial(%d, 1/2)', (k, n, p) => {
    close(binomialLowerTail(k!, n!), p!, 1e-11, 'binomial');
  });

  it.each(functions.beta)('I_%d(%d, %d)', (x, a, b, value) => {
    close(incompleteBeta(x!, 1 - x!, a!, b!), value!, 1e-11, 'beta');
  });

  it.each(functions.logGamma)('ln gamma(%d)', (x, value) => {
    expect(Math.abs(logGamma(x!) - value!)).toBeLessThan(1e-13 * Math.max(1, Math.abs(value!)));
  });

  it.each(functions.logBeta)('ln beta(%d, %d)', (a, b, value) => {
    expect(Math.abs(logBeta(a!, b!) - value!)).toBeLessThan(1e-11);
  });

  it('ln beta(0.5, 2500), computed with 60 digits', () =>
    expect(logBeta(0.5, 2500)).toBeCloseTo(-3.339608062503779, 13));

  it('critical values lead back to their level', () => {
    for (const df of [1, 2, 5, 30, 999, 100_000]) {
      for (const alpha of [0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12]) {
        close(studentTwoSided(studentCritical(alpha, df), df), alpha, 1e-12, `alpha ${alpha}, df ${df}`);
      }
    }
  });
});
