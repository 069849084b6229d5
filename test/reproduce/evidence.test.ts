import { describe, expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import {
  above,
  alike,
  byValues,
  type Evidence,
  type Tested,
  testedBySign,
  testedOver,
  testedWith,
  together,
  undecided,
} from '#listwise/reproduce/evidence.js';

const tested = (difference: number, error: number, p: number, n = 10): Tested => ({
  unit: 'data sets',
  n,
  difference,
  error,
  p,
});

describe('verdicts are three', () => {
  it.each([
    [[tested(1, 0.1, 0.001)], 'holds'],
    [[tested(-1, 0.1, 0.001)], 'contradicted'],
    [[tested(1, 1, 0.3)], 'cannot tell'],
    [[tested(-1, 1, 0.3)], 'cannot tell'],
    // Queries and data sets must agree.
    [[tested(1, 0.1, 0.001), tested(1, 1, 0.3)], 'cannot tell'],
    [[tested(1, 0.1, 0.001), tested(-1, 0.1, 0.001)], 'cannot tell'],
    // A sample of one decides nothing, neither beside another nor alone.
    [[tested(1, 0.1, 0.001), tested(-1, Number.NaN, Number.NaN, 1)], 'holds'],
    [[tested(1, Number.NaN, Number.NaN, 1)], 'cannot tell'],
    [[], 'cannot tell'],
  ])('above: %j', (tests, verdict) => expect(above(...tests).verdict).toBe(verdict));

  it.each([
    [tested(0.001, 0.001, 0.3), 'holds'],
    // Significant, and yet too small to speak of.
    [tested(0.001, 0.0001, 0.0001), 'holds'],
    [tested(0.02, 0.001, 0.0001), 'contradicted'],
    [tested(0.001, 0.01, 0.9), 'cannot tell'],
    [tested(0.006, 0.001, 0.001), 'cannot tell'],
  ])('alike: %j', (one, verdict) => expect(alike({}, one).verdict).toBe(verdict));

  it('what only rises counts as alike where asked for', () => {
    expect(alike({ higherToo: false }, tested(0.02, 0.001, 0.0001)).verdict).toBe('holds');
    expect(alike({ higherToo: false }, tested(-0.02, 0.001, 0.0001)).verdict).toBe('contradicted');
  });

  it('of several claims in one, a contradiction decides, then what cannot be told', () => {
    const [yes, no, open] = [tested(1, 0.1, 0.001), tested(-1, 0.1, 0.001), tested(1, 1, 0.3)].map(one => above(one));
    expect(together([yes!, open!, no!]).verdict).toBe('contradicted');
    expect(together([yes!, open!]).verdict).toBe('cannot tell');
    expect(together([yes!, yes!]).verdict).toBe('holds');
    expect(together([byValues(true), yes!]).verdict).toBe('holds');
    expect(together([byValues(true), byValues(false)]).verdict).toBe('contradicted');
  });
});

describe('p of sameness', () => {
  // Student's t with 9 degrees of freedom: P(|T| >= 4) = 0.0031, P(|T| >= 2.262) = 0.05.
  it.each([
    ['to the upper edge', {}, tested(0.001, 0.001, 0.3), 0.0031],
    ['to the lower edge', {}, tested(-0.001, 0.001, 0.3), 0.0031],
    ['beyond the edge', {}, tested(0.009, 0.001, 0.0001), 0.0031],
    ['of another margin', { margin: 0.003 }, tested(0.001, 0.0005, 0.3), 0.0031],
    ['where only what falls counts', { higherToo: false }, tested(0.015, 0.005, 0.01), 0.0031],
  ])('is of the distance %s', (_, options, one, p) => expect(alike(options, one).p).toBeCloseTo(p, 4));

  it('is below 0.05 where the 95 % interval is clear of the edge, and only there', () => {
    const random = new Random(3);
    const found = Array.from({ length: 300 }, () => {
      const one = tested(0.008 * random.gaussian(), 0.002 * random.uniform(), 0.5, 3 + random.below(20));
      return [{}, { higherToo: false }].map(options => alike(options, one));
    }).flat();
    expect(new Set(found.map(({ verdict }) => verdict)).size).toBe(3);
    for (const { verdict, p } of found) expect(p < 0.05).toBe(verdict !== 'cannot tell');
  });

  it('is none of a sample of one, and 0 or 1 where nothing varies', () => {
    expect(alike({}, tested(0.001, Number.NaN, Number.NaN, 1)).p).toBeNaN();
    expect(alike({}, tested(0.001, 0, 0))).toMatchObject({ verdict: 'holds', p: 0 });
    expect(alike({}, tested(0.005, 0, 0))).toMatchObject({ verdict: 'cannot tell', p: 1 });
  });

  it('a mean with its interval has the p of its differences', () => {
    const differences = [0.1, 0.3, -0.2, 0.25, 0.05];
    const { n, difference, p } = testedOver('folds', differences);
    const reach = 2.7764451052 * testedOver('folds', differences).error;
    const interval = [difference - reach, difference + reach] as const;
    expect(testedWith('folds', { n, difference, interval }).p).toBeCloseTo(p, 8);
  });
});

it('yes and no are tested exactly', () => {
  const answers = (yes: number, no: number) => [...Array(yes).fill(true), ...Array(no).fill(false)];
  // 2 · (1 + 10) / 2^10, and 2 / 2^2: two of two are no evidence.
  expect(above(testedBySign('data sets', answers(9, 1)))).toMatchObject({ verdict: 'holds', p: 22 / 1024 });
  expect(above(testedBySign('data sets', answers(1, 9)))).toMatchObject({ verdict: 'contradicted', p: 22 / 1024 });
  expect(above(testedBySign('data sets', answers(2, 0)))).toMatchObject({ verdict: 'cannot tell', p: 0.5 });
});

describe('what it would take', () => {
  const sizeIn = (words: string) => Number(/about ([\d,]+)/.exec(words)![1]!.replace(',', ''));

  it('so many data sets tell a difference of the size seen about four times in five', () => {
    const random = new Random(5);
    const draw = (n: number) => Array.from({ length: n }, () => 0.4 + random.gaussian());
    const seen = above(tested(0.4, 1 / Math.sqrt(8), 0.3, 8));
    if (seen.verdict !== 'cannot tell') throw new Error(seen.verdict);
    const size = sizeIn(seen.needed);
    const told = Array.from({ length: 500 }, () => above(testedOver('data sets', draw(size))).verdict === 'holds');
    const share = told.filter(Boolean).length / told.length;
    expect(share).toBeGreaterThan(0.74);
    expect(share).toBeLessThan(0.88);
  });

  it('names every unit that cannot tell, and no number where there is no difference', () => {
    const queries = { ...tested(0.01, 0.01, 0.3, 1000), unit: 'queries' };
    expect(above(queries, tested(0.01, 0.01, 0.3))).toMatchObject({
      needed: expect.stringMatching(/^about 7,900 queries and about 8\d data sets$/),
    });
    // More than there were, however near.
    expect(above(tested(0.01, 0.0009, 0.06, 2))).toMatchObject({ needed: 'about 3 data sets' });
    expect(above(tested(0, 0.01, 1))).toMatchObject({ needed: expect.stringContaining('no difference is seen') });
    expect(above(tested(1, Number.NaN, Number.NaN, 1))).toMatchObject({ needed: 'two data sets at least' });
  });

  it('where only what falls counts, the effect is the distance from the lower edge alone', () => {
    const needed = (difference: number) => alike({ higherToo: false }, tested(difference, 0.004, 0.5, 5));
    // Near the upper edge, which does not count: (2.2 + 0.84)² · 0.004² · 5 / 0.01² is 7 to 8.
    expect(needed(0.0049)).toMatchObject({ needed: expect.stringMatching(/^about [789] data sets$/) });
    expect(needed(-0.0049)).toMatchObject({ needed: expect.stringMatching(/^about [\d,]{5,} data sets$/) });
  });

  it('of several the hardest to tell speaks for all, which for sameness is not the one with the largest p', () => {
    const wide = alike({}, tested(0.004, 0.002, 0.9));
    const near = alike({}, tested(0.0049, 0.001, 0.1));
    const parts = [wide, near, { ...wide, p: 0.99 }] as const;
    expect(together(parts)).toBe(near);
    expect(together([...parts].reverse())).toBe(near);
    // No number of them is harder than any number; of equals the largest p-value.
    const none = above(tested(0, 0.01, 1));
    expect(together([near, none])).toBe(none);
    const [weak, weaker] = [0.06, 0.07].map(p => above(tested(0.01, 0.0045, p))) as [Evidence, Evidence];
    expect(together([weaker, weak])).toBe(weaker);
    expect(together([weak, weaker])).toBe(weaker);
  });

  it('tests that contradict each other are named, and a sample that is missing where there is none', () => {
    const queries = { ...tested(1, 0.1, 0.001, 1000), unit: 'queries' };
    expect(above(queries, tested(-1, 0.1, 0.001))).toMatchObject({
      needed: 'no larger sample: the tests over queries and data sets contradict each other',
    });
    expect(undecided('several folds')).toMatchObject({ verdict: 'cannot tell', needed: 'several folds', tests: [] });
  });

  it('is the same from an interval as from the differences', () => {
    const differences = [0.1, 0.3, -0.2, 0.25, 0.05];
    const one = testedOver('folds', differences);
    expect(one.difference).toBeCloseTo(0.1, 12);
    expect(testedWith('folds', { ...one, interval: [-0.1444, 0.3444] }).error).toBeCloseTo(one.error, 3);
  });
});
