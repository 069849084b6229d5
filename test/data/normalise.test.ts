import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { findNormalisation, normalisations, normalise } from '#listwise/data/normalise.js';
import { datasetOf, datasets, plain } from './datasets.js';

const any = datasets({ id: fc.stringMatching(/^[a-z]{1,3}$/), bothWeights: true });

/** The values of each feature of each query, missing ones left out. */
function groups(data: Dataset): number[][] {
  const result: number[][] = [];
  for (let q = 0; q < data.queries; q++) {
    for (let f = 0; f < data.features; f++) {
      const values: number[] = [];
      for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) values.push(data.feature(row, f));
      result.push(values.filter(value => !Number.isNaN(value)));
    }
  }
  return result;
}

const missing = (data: Dataset) =>
  Array.from({ length: data.rows }, (_, row) => data.featureNames.map((_, f) => Number.isNaN(data.feature(row, f))));

describe('query-level normalisation', () => {
  const data = datasetOf([
    ['a', 0, 1, 5, -2],
    ['a', 0, 3, 5, Number.NaN],
    ['a', 0, 8, 5, 2],
    ['b', 0, 7, 0, 4],
  ]);
  const column = (name: keyof typeof normalisations, f: number) => [...normalise(data, normalisations[name]).column(f)];
  const f32 = (...values: number[]) => values.map(Math.fround);

  it('sum divides by the sum of absolute values', () => {
    expect(column('sum', 0)).toEqual(f32(1 / 12, 3 / 12, 8 / 12, 1));
    expect(column('sum', 2)).toEqual(f32(-0.5, Number.NaN, 0.5, 1));
    expect(column('sum', 1)).toEqual(f32(1 / 3, 1 / 3, 1 / 3, 0));
  });

  it('zscore subtracts the mean and divides by the deviation with n - 1', () => {
    const deviation = Math.sqrt((9 + 1 + 16) / 2);
    expect(column('zscore', 0)).toEqual(f32(-3 / deviation, -1 / deviation, 4 / deviation, 0));
    expect(column('zscore', 1)).toEqual([0, 0, 0, 0]);
    expect(column('zscore', 2)).toEqual(f32(-2 / Math.sqrt(8), Number.NaN, 2 / Math.sqrt(8), 0));
  });

  it('linear maps the range to 0 and 1', () => {
    expect(column('linear', 0)).toEqual(f32(0, 2 / 7, 1, 0));
    expect(column('linear', 1)).toEqual([0, 0, 0, 0]);
  });

  it('keeps everything but the features, and what is missing', () => {
    fc.assert(
      fc.property(any, fc.constantFrom(...Object.values(normalisations)), (before, how) => {
        const after = normalise(before, how);
        expect({ ...(plain(after) as object), rows: 0 }).toEqual({ ...(plain(before) as object), rows: 0 });
        expect(missing(after)).toEqual(missing(before));
      }),
      { numRuns: 100 },
    );
  });

  it('sum: absolute values sum to 1 or are all 0', () => {
    fc.assert(
      fc.property(any, before => {
        for (const values of groups(normalise(before, normalisations.sum))) {
          const sum = values.reduce((total, value) => total + Math.abs(value), 0);
          expect(sum === 0 || Math.abs(sum - 1) < 1e-5).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('linear: the ends are 0 and 1, or all is 0; the order stays', () => {
    fc.assert(
      fc.property(any, before => {
        const original = groups(before);
        for (const [g, values] of groups(normalise(before, normalisations.linear)).entries()) {
          if (values.length === 0) continue;
          const distinct = new Set(original[g]!.map(value => value + 0)).size;
          expect([Math.min(...values) + 0, Math.max(...values) + 0]).toEqual(distinct > 1 ? [0, 1] : [0, 0]);
          const order = original[g]!.map((value, i) => [value, values[i]!] as const).sort((a, b) => a[0] - b[0]);
          for (let i = 1; i < order.length; i++) expect(order[i]![1]).toBeGreaterThanOrEqual(order[i - 1]![1]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('zscore: shifting and stretching by powers of two changes nothing', () => {
    const small = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        small,
        fc.integer({ min: -1000, max: 1000 }),
        fc.constantFrom(0.25, 2, 64),
        (values, shift, stretch) => {
          const score = (of: (value: number) => number) => [
            ...normalise(datasetOf(values.map(value => ['q', 0, of(value)])), normalisations.zscore).column(0),
          ];
          const moved = score(value => (value + shift) * stretch);
          for (const [i, value] of score(value => value).entries()) expect(moved[i]!).toBeCloseTo(value, 5);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('names what there is', () => {
    expect(() => findNormalisation('zscor')).toThrow(/did you mean "zscore"\? It is one of sum, zscore, linear/);
    expect(() => findNormalisation('toString')).toThrow(/there is no normalisation/);
  });
});
