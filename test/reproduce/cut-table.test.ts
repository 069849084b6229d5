import { describe, expect, it } from 'vitest';
import {
  aboveFrom,
  cutDifference,
  cuts,
  cutValues,
  differenceInWords,
  differencesTable,
  equivalent,
  valuesTable,
} from '#listwise/reproduce/cut-table.js';

/** Four data sets of four queries at every cut-off; `lift` says by how much each cut-off is raised. */
function samples(lift: (k: number) => number) {
  const two = (k: number) => [
    { values: [0.1, 0.2, 0.3, 0.4].map((value, q) => value + lift(k) * (1 + 0.1 * q)) },
    { values: [0.5, 0.4, 0.3, 0.2].map((value, q) => value + lift(k) * (1 - 0.1 * q)) },
  ];
  return cuts.map(k => [...two(k), ...two(k)]);
}
const base = samples(() => 0);

describe('values at cut-offs', () => {
  it('are means over the queries of all data sets', () => {
    const values = cutValues(base);
    expect(values).toHaveLength(10);
    expect(values[0]!.mean).toBeCloseTo(0.3, 12);
    const [low, high] = values[0]!.interval;
    expect(low).toBeLessThan(0.3);
    expect(high).toBeGreaterThan(0.3);
  });

  it('stand below those of the paper', () => {
    const paper = cuts.map(k => (60 + k).toFixed(2)).join(' ');
    const { rows } = valuesTable('t', [{ name: 'm', paper, here: cutValues(base) }]);
    expect(rows.map(row => row.slice(0, 4))).toEqual([
      ['m', 'paper', '61.00', '62.00'],
      ['m', 'here', '30.00', '30.00'],
    ]);
  });

  it('are compared over queries, from a cut-off on', () => {
    const raised = cutDifference(
      'raised',
      samples(k => (k < 3 ? 0 : 0.01)),
      base,
    );
    const [fromThree, fromOne] = [3, 1].map(first => aboveFrom(first, 'claim', 'paper', raised));
    expect(fromThree).toMatchObject({ claim: 'claim', paper: 'paper', verdict: 'holds' });
    expect(fromThree!.p).toBeLessThan(0.05);
    expect(fromOne).toMatchObject({ verdict: 'cannot tell' });
    expect(fromOne!.p).toBeGreaterThan(0.05);
    expect([true, false].map(higherToo => equivalent('', '', raised, { higherToo }).verdict)).toEqual([
      'contradicted',
      'holds',
    ]);
    expect(differenceInWords(raised)).toBe(
      '+0.00 at 1, +1.00 at 3, +1.00 at 10; significantly higher at 3, 4, 5, 6, 7, 8, 9, 10',
    );
    const lowered = cutDifference(
      'lowered',
      samples(k => (k === 1 ? -0.02 : 0)),
      base,
    );
    expect(differenceInWords(lowered)).toBe('−2.00 at 1, +0.00 at 3, +0.00 at 10; significantly lower at 1');
    expect(equivalent('', '', lowered, { higherToo: false })).toMatchObject({ verdict: 'contradicted' });
    expect(differencesTable('t', [lowered]).rows[0]!.slice(0, 2)).toEqual([
      'lowered',
      { value: '−2.00', note: 'p < 0.0001' },
    ]);
    expect(differenceInWords(cutDifference('same', base, base))).toMatch(/nowhere significant$/);
  });
});
