import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { criterionOf, parseCriterion } from '#listwise/measures/criterion.js';
import { parseMeasure } from '#listwise/measures/parse.js';

const graded = 'graded(ndcg@10,cndcg(labels=clicks)@10,tolerance=0.001)';

describe('a graded criterion', () => {
  const criterion = parseCriterion(' graded( ndcg@10, cndcg(labels = clicks)@10, tolerance=1e-3 )');

  it('prints a string that parses back to itself', () => {
    expect(criterion.spec).toBe(graded);
    expect(parseCriterion(criterion.spec).spec).toBe(graded);
    expect(criterion.measures.map(({ spec, labels }) => [spec, labels])).toEqual([
      ['ndcg@10', 'label'],
      ['cndcg(labels=clicks)@10', 'clicks'],
    ]);
  });

  it.each([
    ['the first decides', [0.5, 0.1], [0.49, 0.9], 1],
    ['the second decides within the tolerance', [0.5, 0.1], [0.4995, 0.9], -1],
    ['the last decides by any difference', [0.5, 0.1], [0.5, 0.1000001], -1],
    ['equal', [0.5, 0.1], [0.5, 0.1], 0],
    ['undefined is worst', [Number.NaN, 0.9], [0, 0], -1],
    ['undefined on both sides is equal', [Number.NaN, 0.9], [Number.NaN, 0.1], 1],
  ])('%s', (_, a, b, sign) => {
    expect(Math.sign(criterion.compare(a, b))).toBe(sign);
    expect(Math.sign(criterion.compare(b, a)) + sign).toBe(0);
  });
});

it('a measure is a criterion: the larger value wins', () => {
  const criterion = parseCriterion('map');
  expect(criterion.spec).toBe('ap');
  expect(criterionOf(parseMeasure('ap')).spec).toBe('ap');
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
      expect(criterion.compare([a], [b]) > 0).toBe(a > b);
      expect(criterion.compare([a], [b]) < 0).toBe(a < b);
    }),
  );
});

it.each([
  ['graded(ndcg,ap)', 'graded needs a tolerance'],
  ['graded(ndcg,tolerance=0)', 'graded takes at least two measures, found 1'],
  ['graded(ndcg,ap,tolerance=-1)', 'tolerance=-1 is not allowed'],
  ['graded(ndcg,ap,tolerance=0)@10', 'graded has no cut-off of its own'],
  ['graded(ap,map,tolerance=0)', 'graded names "ap" twice'],
  ['graded(ndcg,nothing,tolerance=0)', 'there is no measure "nothing"'],
])('%s is refused', (text, message) => expect(() => parseCriterion(text)).toThrow(message));
