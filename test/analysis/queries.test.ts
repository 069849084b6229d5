import { describe, expect, it } from 'vitest';
import { queryRows } from '#listwise/analysis/queries.js';
import type { System } from '#listwise/analysis/system.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure, parseMeasures } from '#listwise/measures/parse.js';
import { Random } from '#listwise/numeric/random.js';
import { separable } from '../training/small-data.js';

const whole = separable(20, 8, 3);
/** The first query has no relevant document. */
const data = whole.with({ labels: new Map([['label', whole.label().map((label, i) => (i < 8 ? 0 : label))]]) });
const random = new Random(9);
const systems: [System, System] = [
  { name: 'a', data, scores: data.label().map(label => label + random.gaussian()) },
  { name: 'b', data, scores: data.label().map(label => label + random.gaussian()) },
];
const measures = parseMeasures('ndcg@3,ap').map(({ measure }) => measure);

describe('query by query', () => {
  const rows = queryRows(systems, measures);

  it('tells the values of evaluation and their differences', () => {
    const evaluated = systems.map(system => evaluate(data, system.scores, measures));
    for (const row of rows) {
      const q = data.queryIds.indexOf(row.query);
      expect(row.values).toEqual(measures.map((_, m) => evaluated.map(results => results[m]!.values[q])));
      expect(row.differences).toEqual(row.values.map(([a, b]) => b! - a!));
      expect(row.documents).toBe(8);
    }
    expect(new Set(rows.map(({ query }) => query)).size).toBe(20);
  });

  it('counts labels, the highest first', () => {
    for (const { query, labels } of rows) {
      const q = data.queryIds.indexOf(query);
      const own = [...data.label().subarray(data.offsets[q]!, data.offsets[q + 1]!)];
      const expected = [2, 1, 0].map(label => ({ label, count: own.filter(value => value === label).length }));
      expect(labels).toEqual(expected.filter(({ count }) => count > 0));
    }
  });

  it.each([
    ['loss', (row: (typeof rows)[0]) => row.differences[0]!],
    ['gain', (row: (typeof rows)[0]) => -row.differences[0]!],
    ['worst', (row: (typeof rows)[0]) => row.values[0]![1]!],
    ['best', (row: (typeof rows)[0]) => -row.values[0]![1]!],
  ] as const)('sorts by %s', (sort, key) => {
    const found = queryRows(systems, measures, { sort });
    const last = sort === 'worst' || sort === 'best';
    if (last) expect(found.at(-1)).toMatchObject({ query: 'q0', empty: true });
    const keys = (last ? found.slice(0, -1) : found).map(key);
    expect(keys).toEqual(keys.toSorted((a, b) => a - b));
  });

  it('marks queries for which the measure is undefined; skipped ones come last', () => {
    expect(rows.filter(({ empty }) => empty).map(({ query }) => query)).toEqual(['q0']);
    const skipping = queryRows(systems, [parseMeasure('ndcg(empty=skip)@3')]);
    expect(skipping.at(-1)).toMatchObject({ query: 'q0', differences: [Number.NaN] });
  });

  it('finds the same for a system whose queries are in another order', () => {
    const turned = data.with({
      offsets: data.offsets,
      queryIds: data.queryIds.toReversed(),
      labels: new Map([['label', data.label().toReversed()]]),
    });
    const other: System = { name: 'b', data: turned, scores: Float64Array.from(systems[1].scores).reverse() };
    expect(queryRows([systems[0], other], measures, { sort: 'query' })).toEqual(
      queryRows(systems, measures, { sort: 'query' }),
    );
  });

  it('one system alone is sorted by its worst; three are refused', () => {
    const alone = queryRows([systems[0]], measures);
    expect(alone[0]!.differences).toEqual([Number.NaN, Number.NaN]);
    const values = alone.slice(0, -1).map(row => row.values[0]![0]!);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(() => queryRows([...systems, { ...systems[0], name: 'c' }], measures)).toThrow('found 3');
  });
});
