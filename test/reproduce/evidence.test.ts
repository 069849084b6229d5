import { describe, expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import { above, alike, byValues, type Tested, testedOver, testedWith, together } from '#listwise/reproduce/evidence.js';

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

  it('is the same from an interval as from the differences', () => {
    const differences = [0.1, 0.3, -0.2, 0.25, 0.05];
    const one = testedOver('folds', differences);
    expect(one.difference).toBeCloseTo(0.1, 12);
    expect(testedWith('folds', { ...one, interval: [-0.1444, 0.3444] }).error).toBeCloseTo(one.error, 3);
  });
});
