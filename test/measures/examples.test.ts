/** Worked examples: small lists whose values can be followed by hand. */

import { describe, expect, it } from 'vitest';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { datasetOf, type List, ranked, viewOf } from './lists.js';

const value = (spec: string, list: List) => parseMeasure(spec).value(viewOf(list));
const log2 = Math.log2;

describe('graded labels 3 0 2 1, best first 3 2 1 0', () => {
  const list = ranked([3, 0, 2, 1]);
  const dcg = 7 + 3 / 2 + 1 / log2(5);
  const ideal = 7 + 3 / log2(3) + 1 / 2;

  it.each([
    ['dcg', dcg],
    ['ndcg', dcg / ideal],
    ['ndcg@1', 1],
    ['ndcg@2', 7 / (7 + 3 / log2(3))],
    ['ndcg(gain=linear)', (3 + 2 / 2 + 1 / log2(5)) / (3 + 2 / log2(3) + 1 / 2)],
    ['ndcg(discount=letor)', (7 + 3 / log2(3) + 1 / 2) / (7 + 3 + 1 / log2(3))],
    ['ndcg(gain=0/3/7/15)@1', 1],
    ['dcg(gain=0/3/7/15)@3', 15 + 7 / 2],
    ['err', 7 / 16 + (9 / 16) * (3 / 16 / 3) + (9 / 16) * (13 / 16) * (1 / 16 / 4)],
    ['err(max=3)@1', 7 / 8],
    ['pairs', 4 / 6],
    ['gamma', 2 / 6],
    ['tau', 2 / 6],
    ['ap', (1 / 1 + 2 / 3 + 3 / 4) / 3],
    ['ap(rel=2)', (1 / 1 + 2 / 3) / 2],
    ['ap@2', 1 / 3],
    ['ap(divisor=cut)@2', 1 / 2],
    ['rbp', 0.2 * (1 + 0.64 + 0.512)],
    ['rbp(p=0.5,grades=graded)', 0.5 * (1 + (2 / 3) * 0.25 + (1 / 3) * 0.125)],
  ])('%s is %f', (spec, expected) => expect(value(spec, list)).toBeCloseTo(expected, 14));
});

describe('relevance 0 1 - 0 1 0 with one relevant and one other document outside', () => {
  const list = ranked([0, 1, Number.NaN, 0, 1, 0], [1, 0]); // R = 3, N = 4

  it.each([
    ['p@2', 1 / 2],
    ['p@10', 2 / 10],
    ['recall@5', 2 / 3],
    ['recall(ideal=list)@5', 1],
    ['success@1', 0],
    ['success@2', 1],
    ['rprec', 1 / 3],
    ['f1@5', 4 / 8],
    ['f1', 4 / 9],
    ['wta', 0],
    ['rr', 1 / 2],
    ['rr@1', 0],
    ['ap', (1 / 2 + 2 / 5) / 3],
    // One judged other document above the first, two above the second; m = min(3, 4).
    ['bpref', (1 - 1 / 3 + (1 - 2 / 3)) / 3],
    ['bpref(ideal=list)', (1 - 1 / 2 + 0) / 2],
    ['pairs', 3 / 6],
    ['iprec', 1 / 2],
    ['iprec(recall=0.67)', 2 / 5],
    ['iprec(recall=1)', 0],
    ['iprec(recall=0.4)', 1 / 2],
    ['iprec(recall=0.4,rounding=up)', 2 / 5],
    // Documents wanted: 0 0 1 1 1 2 2 2 2 3 3.
    ['11pt', (5 * (1 / 2) + 4 * (2 / 5)) / 11],
    ['judged@3', 2 / 3],
    ['judged@10', 5 / 10],
  ])('%s is %f', (spec, expected) => expect(value(spec, list)).toBeCloseTo(expected, 14));
});

it('cndcg has gains 2^(4c) - 1', () => {
  const list = ranked([0.25, 1]);
  expect(value('cndcg', list)).toBeCloseTo((1 + 15 / log2(3)) / (15 + 1 / log2(3)), 14);
});

it('ties in score count half a pair, and leave tau-b by its own rule', () => {
  // Pairs with different labels: (2, 1) right, (2, 0) right, (1, 0) tied.
  const list: List = { labels: [2, 1, 0], scores: [5, 3, 3], outside: [] };
  expect(value('pairs', list)).toBeCloseTo(2.5 / 3, 14);
  expect(value('gamma', list)).toBeCloseTo(2 / 3, 14);
  expect(value('tau', list)).toBeCloseTo(2 / Math.sqrt(3 * 2), 14);
  expect(value('tau', { ...list, scores: [1, 1, 1] })).toBe(0);
});

it('a query without judged non-relevant documents has bpref 1', () => {
  expect(value('bpref', ranked([1, Number.NaN, 1]))).toBe(1);
});

describe('undefined values', () => {
  const none = ranked([0, 0, Number.NaN]);
  const specs = ['ndcg', 'dcg', 'ap', 'gmap', 'rr', 'p@1', 'recall', 'success@1', 'rprec', 'f1', 'wta', 'err', 'rbp'];

  it.each([...specs, 'bpref', 'pairs', 'gamma', 'tau', 'iprec', '11pt'])('%s has none', spec => {
    expect(value(spec, none)).toBeNaN();
  });

  it('count what `empty` says, and are counted', () => {
    const specs = ['ndcg', 'ndcg(empty=1)', 'ndcg(empty=skip)'];
    const results = evaluate(
      datasetOf(none),
      none.scores,
      specs.map(spec => parseMeasure(spec)),
    );
    expect(results.map(({ mean, queries, empty }) => [mean, queries, empty])).toEqual([
      [0, 1, 1],
      [1, 1, 1],
      [Number.NaN, 0, 1],
    ]);
  });

  it('gmap is the geometric mean of AP, floored', () => {
    const list = ranked([0, 1]);
    const [result] = evaluate(datasetOf(list), list.scores, [parseMeasure('gmap')]);
    expect(result!.mean).toBeCloseTo(0.5, 14);
    const missed = ranked([0, 0], [1]);
    const [floored] = evaluate(datasetOf(missed), missed.scores, [parseMeasure('gmap')]);
    expect(floored!.values[0]).toBe(0);
    expect(floored!.mean).toBeCloseTo(0.00001, 14);
  });
});

describe('labels that a measure cannot take', () => {
  it.each([
    ['err', [5], 'label 5 is above the largest grade of err, 4; set it as in err(max=5)'],
    ['err', [5, 19, 7], 'label 19 is above the largest grade of err, 4; set it as in err(max=19)'],
    ['err', [60], 'label 60 is above the largest grade of err, 4; it can be 50 at most: map labels to grades first'],
    ['ndcg(gain=0/1/3)', [3], 'label 3 has no gain in the table 0/1/3; the table covers grades 0 to 2'],
    ['ndcg(gain=0/1/3)', [0.5], 'label 0.5 has no gain in the table 0/1/3; the table covers grades 0 to 2'],
    [
      'ndcg',
      [2000],
      'label 2000 is too large for gain=exp, which takes labels up to 900; write gain=linear or a table of gains in measures and objective',
    ],
    ['cndcg', [2], 'cndcg takes click labels from 0 to 1, found 2; name their source, as in cndcg(labels=clicks)'],
  ])('%s of %j', (spec, labels, message) => expect(() => value(spec, ranked(labels))).toThrow(message));
});
