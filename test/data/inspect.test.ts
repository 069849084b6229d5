import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLabels, inspectDataset } from '#listwise/data/inspect.js';
import { datasetOf, datasets } from './datasets.js';

describe('inspect', () => {
  it('counts and summarises', () => {
    const data = datasetOf(
      [
        ['a', 0, 1, 5, Number.NaN, Number.NaN],
        ['a', 2, -1, 5, Number.NaN, 1],
        ['a', 0, 1, 5, Number.NaN, Number.NaN],
        ['b', 0, 1, 5, Number.NaN, Number.NaN],
        ['b', -1, 0, 5, Number.NaN, 1],
        ['b', 0, -0, 5, Number.NaN, 1],
      ],
      ['w', 'x', 'y', 'z'],
    );
    expect(inspectDataset(data)).toEqual({
      queries: 2,
      documents: 6,
      perQuery: { min: 3, mean: 3, max: 3 },
      labels: {
        label: [
          { value: -1, count: 1 },
          { value: 0, count: 4 },
          { value: 2, count: 1 },
        ],
      },
      features: [
        { name: 'w', min: -1, max: 1, missing: 0, constant: false },
        { name: 'x', min: 5, max: 5, missing: 0, constant: true },
        { name: 'y', min: Number.NaN, max: Number.NaN, missing: 6, constant: true },
        { name: 'z', min: 1, max: 1, missing: 3, constant: false },
      ],
      emptyQueries: 1,
      duplicateRows: 2, // the third row, and the last: -0 equals 0
    });
  });

  it('counts many distinct labels in ranges, and documents without a label', () => {
    const values = Float64Array.from({ length: 1000 }, (_, i) => (i < 100 ? Number.NaN : i / 1000));
    const counts = countLabels(values);
    expect(counts.length).toBe(21);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
    expect(counts[0]).toMatchObject({ value: 0.1, count: 45 });
    expect(counts[19]!.to).toBe(0.999);
    expect(counts[20]).toEqual({ value: Number.NaN, count: 100 });
  });

  it('counts every label once, whatever the numbers', () => {
    const numbers = fc.array(fc.double({ noDefaultInfinity: true }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(numbers, values => {
        const counts = countLabels(Float64Array.from(values));
        expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      }),
      { numRuns: 200 },
    );
  });

  it('finds as many repeated rows as comparing all pairs', () => {
    fc.assert(
      fc.property(datasets({ id: fc.stringMatching(/^[ab]$/), bothWeights: false }), data => {
        let expected = 0;
        const row = (r: number) => JSON.stringify(data.featureNames.map((_, f) => String(data.feature(r, f) + 0)));
        for (let q = 0; q < data.queries; q++) {
          const seen = new Set<string>();
          for (let r = data.offsets[q]!; r < data.offsets[q + 1]!; r++) {
            if (seen.has(row(r))) expected++;
            seen.add(row(r));
          }
        }
        expect(inspectDataset(data).duplicateRows).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('features that are no use by themselves', () => {
  const data = datasetOf(
    [
      ['a', 1, 7, 3, 3, 1],
      ['a', 0, 7, 5, 5, 1],
      ['b', 1, 9, 4, 4, 1],
      ['b', 0, 9, 2, 2, 1],
    ],
    ['user', 'price', 'again', 'one'],
  );
  const { features } = inspectDataset(data);
  const named = (name: string) => features.find(feature => feature.name === name)!;

  it('are those that are the same within every query', () => {
    expect(features.filter(({ constantInQueries }) => constantInQueries).map(({ name }) => name)).toEqual(['user']);
  });

  it('are those that repeat another', () => {
    expect(named('again').sameAs).toBe('price');
    expect(named('price').sameAs).toBeUndefined();
  });

  it('are said to be constant only where they are', () => {
    expect(named('one')).toMatchObject({ constant: true });
    expect(named('one').sameAs).toBeUndefined();
  });
});
