import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatenate } from '#listwise/data/concatenate.js';
import type { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { kFold, letorFolds } from '#listwise/data/folds.js';
import { selectQueries, splitByQuery } from '#listwise/data/split.js';
import { ListwiseError } from '#listwise/errors.js';

/** Queries of the given sizes whose every value tells where it came from. */
function numbered(sizes: readonly number[], prefix = 'q', width = 3): Dataset {
  const builder = new DatasetBuilder({ absent: 0 });
  let row = 0;
  for (const [q, rows] of sizes.entries()) {
    const columns = new Float32Array(rows * width);
    const numbers = Float64Array.from({ length: rows }, (_, i) => row + i);
    for (let f = 0; f < width; f++) for (let i = 0; i < rows; i++) columns[f * rows + i] = 1000 * f + row + i;
    builder.append({
      rows,
      width,
      stride: rows,
      columns,
      labels: { label: numbers, clicks: numbers.map(n => n / 2) },
      queries: [{ id: `${prefix}${q}`, rows }],
      documentIds: Array.from(numbers, n => `${prefix}-d${n}`),
      rowWeights: numbers.map(n => n + 0.5),
      positions: numbers.map(n => n + 1),
      initialScores: numbers.map(n => -n),
    });
    row += rows;
  }
  const data = builder.finish();
  const offsets = Uint32Array.from({ length: data.queries + 1 }, (_, q) => 2 * q);
  return data.with({
    queryWeights: Float64Array.from(sizes, (_, q) => q + 1),
    unranked: new Map([
      ['label', { offsets, values: Float64Array.from({ length: 2 * data.queries }, (_, i) => i + 0.25) }],
    ]),
  });
}

/** Everything there is to know about each query, by its id. */
function contents(data: Dataset): Map<string, unknown> {
  return new Map(
    data.queryIds.map((id, q) => {
      const rows = Array.from({ length: data.offsets[q + 1]! - data.offsets[q]! }, (_, i) => data.offsets[q]! + i);
      const unranked = data.unranked?.get('label');
      return [
        id,
        {
          weight: data.queryWeights?.[q],
          unranked: unranked && [...unranked.values.subarray(unranked.offsets[q], unranked.offsets[q + 1])],
          rows: rows.map(row => ({
            features: data.featureNames.map((_, f) => data.feature(row, f)),
            labels: [...data.labels].map(([name, values]) => [name, values[row]]),
            id: data.documentId(row),
            weight: data.rowWeights?.[row],
            position: data.positions?.[row],
            initial: data.initialScores?.[row],
            input: data.inputRows?.[row] ?? row,
          })),
        },
      ];
    }),
  );
}

/** Blocks must be whole queries, in order, without gaps. */
function expectSound(data: Dataset): void {
  let row = 0;
  for (const block of data.blocks) {
    expect(block.start).toBe(row);
    expect([...data.offsets]).toContain(block.start + block.rows);
    row += block.rows;
  }
  expect(row).toBe(data.rows);
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 6, maxLength: 40 });

describe('splitByQuery', () => {
  it('gives disjoint, complete parts whose rows are intact', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 1e9 }), (sizes, seed) => {
        const data = numbered(sizes);
        const parts = splitByQuery(data, [0.5, 0.25, 0.25], seed);
        const whole = contents(data);
        const seen = new Map<string, unknown>();
        for (const part of parts) {
          expectSound(part);
          for (const [id, content] of contents(part)) {
            expect(seen.has(id)).toBe(false);
            expect(content).toEqual(whole.get(id));
            seen.set(id, content);
          }
        }
        expect(seen.size).toBe(data.queries);
      }),
      { numRuns: 50 },
    );
  });

  it('depends on the seed and the ids, not on the order of the queries', () => {
    const data = numbered(new Array(40).fill(2));
    const ids = (seed: number, of = data) => splitByQuery(of, [0.5, 0.5], seed).map(part => part.queryIds);
    expect(ids(1)).toEqual(ids(1));
    expect(ids(1)).not.toEqual(ids(2));
    const reversed = selectQueries(
      data,
      Array.from({ length: 40 }, (_, q) => 39 - q),
    );
    expect(ids(1, reversed).map(part => [...part].sort())).toEqual(ids(1).map(part => [...part].sort()));
  });

  it('refuses shares that do not sum to 1, and parts without a query', () => {
    const data = numbered([1, 1]);
    expect(() => splitByQuery(data, [0.5, 0.4], 1)).toThrowError(/sum to 1, found 0.5,0.4 \(sum 0.9\)/);
    expect(() => splitByQuery(data, [1.5, -0.5], 1)).toThrowError(ListwiseError);
    expect(() => splitByQuery(data, [0.4, 0.3, 0.3], 1)).toThrowError(/too few/);
  });
});

describe('selectQueries', () => {
  it('shares the memory of a range and copies any other choice', () => {
    const data = numbered([3, 1, 4, 1, 5]);
    const range = selectQueries(data, [1, 2, 3]);
    const choice = selectQueries(data, [4, 0]);
    expect(range.blocks[0]!.data.buffer).toBe(data.blocks[0]!.data.buffer);
    expect(choice.blocks[0]!.data.buffer).not.toBe(data.blocks[0]!.data.buffer);
    const whole = contents(data);
    for (const part of [range, choice]) {
      expectSound(part);
      for (const [id, content] of contents(part)) expect(content).toEqual(whole.get(id));
    }
    expect(choice.queryIds).toEqual(['q4', 'q0']);
    expect([...range.column(1)]).toEqual([1003, 1004, 1005, 1006, 1007, 1008]);
  });
});

describe('concatenate', () => {
  it('puts parts together again', () => {
    const data = numbered([3, 1, 4, 1, 5, 9, 2, 6]);
    const joined = concatenate(splitByQuery(data, [0.5, 0.5], 7));
    expectSound(joined);
    expect(contents(joined).size).toBe(8);
    for (const [id, content] of contents(joined)) expect(content).toEqual(contents(data).get(id));
  });

  it('matches features by name and fills what a part lacks', () => {
    const wide = numbered([2], 'a', 3);
    const narrow = numbered([2], 'b', 2).with({ rowWeights: undefined, labels: new Map() });
    const joined = concatenate([narrow, wide], Number.NaN);
    expect(joined.featureNames).toEqual(['1', '2', '3']);
    expect([...joined.column(2)]).toEqual([Number.NaN, Number.NaN, 2000, 2001]);
    expect([...joined.column(0)]).toEqual([0, 1, 0, 1]);
    expect([...joined.label('clicks')]).toEqual([Number.NaN, Number.NaN, 0, 0.5]);
    expect([...joined.rowWeights!]).toEqual([1, 1, 0.5, 1.5]);
  });

  it('refuses a query that is in two parts', () => {
    const data = numbered([2]);
    expect(() => concatenate([data, data])).toThrowError(/query "q0" is in two/);
  });
});

describe('folds', () => {
  it("rotate LETOR's five parts", () => {
    const parts = [1, 2, 3, 4, 5].map(k => numbered([k], `S${k}-`));
    const ids = letorFolds(parts).map(({ train, validate, test }) => [train, validate!, test].map(d => d.queryIds));
    expect(ids[0]).toEqual([['S1-0', 'S2-0', 'S3-0'], ['S4-0'], ['S5-0']]);
    expect(ids[3]).toEqual([['S4-0', 'S5-0', 'S1-0'], ['S2-0'], ['S3-0']]);
    expect(() => letorFolds(parts.slice(1))).toThrowError(/5 parts, found 4/);
  });

  it('rotate two parts to train on, two to validate and one to test', () => {
    const parts = [1, 2, 3, 4, 5].map(k => numbered([k], `S${k}-`));
    const [first] = letorFolds(parts, { validate: 2 });
    expect([first!.train, first!.validate!, first!.test].map(({ queryIds }) => queryIds)).toEqual([
      ['S1-0', 'S2-0'],
      ['S3-0', 'S4-0'],
      ['S5-0'],
    ]);
    for (const { train, validate, test } of kFold(numbered([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), 5, 3, { validate: 2 })) {
      expect([train.queries, validate!.queries, test.queries]).toEqual([4, 4, 2]);
    }
    expect(() => letorFolds(parts, { validate: 4 })).toThrowError(/cannot give 0 to training, 4 to validation/);
  });

  it('test every query once, never one that they train or validate on', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 2, max: 6 }), fc.constantFrom(false, true, 2), (sizes, k, validate) => {
        fc.pre(k > 1 + Number(validate));
        const data = numbered(sizes);
        const folds = kFold(data, k, 5, { validate });
        expect(folds).toHaveLength(k);
        expect(folds.flatMap(fold => fold.test.queryIds).sort()).toEqual([...data.queryIds].sort());
        for (const { train, validate, test } of folds) {
          const ids = [train, validate, test].flatMap(part => part?.queryIds ?? []);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.length).toBe(data.queries);
        }
      }),
      { numRuns: 30 },
    );
    expect(() => kFold(numbered([1, 1]), 3, 1)).toThrowError(/from 2 to the number of queries \(2\), found 3/);
  });
});
