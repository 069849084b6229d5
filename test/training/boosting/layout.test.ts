/** What fits into the one memory of a run, and what is said where it does not. */
import { describe, expect, it } from 'vitest';
import { ListwiseError } from '#listwise/errors.js';
import { type LayoutSizes, planLayout } from '#listwise/training/boosting/memory/layout.js';

const sizes = (rows: number, more: Partial<LayoutSizes> = {}): LayoutSizes => ({
  rows,
  validationRows: 0,
  features: 136,
  leaves: 31,
  queries: Math.ceil(rows / 100),
  longest: 500,
  parts: Math.ceil(rows / 4000),
  threads: 2,
  sections: 8,
  sample: 200_000,
  wide: 0,
  widest: 0,
  setWords: 0,
  ...more,
});

describe('memory of a boosting run', () => {
  it('holds 13 million documents of 136 features', () => {
    expect(planLayout(sizes(13_000_000)).pages).toBeLessThanOrEqual(65536);
  });

  it('keeps a copy of the bins by column where there is room', () => {
    expect(planLayout(sizes(8_000_000)).byColumn).toBe(true);
    expect(planLayout(sizes(12_000_000)).byColumn).toBe(false);
  });

  it('holds 19 million documents of 860 features on 8 hosts with two ranks each, as docs/several-machines.md says', () => {
    const share = (ranks: number, threads: number) => sizes(Math.ceil(19_000_000 / ranks), { features: 860, threads });
    expect(errorOf(share(8, 16)).message).toContain('860 features need 4.3 GiB');
    const { pages, byColumn } = planLayout(share(16, 8));
    expect([((65536 * pages) / 2 ** 30).toFixed(1), byColumn]).toEqual(['3.2', true]);
  });

  it('lays out regions one after the other, each on a cache line', () => {
    const layout = planLayout(sizes(1000));
    const starts = Object.values(layout.at).toSorted((a, b) => a - b);
    expect(starts.every(start => start % 64 === 0)).toBe(true);
    expect(new Set(starts).size).toBe(starts.length);
    expect(starts.at(-1)! + 2 * layout.threadBytes).toBeLessThanOrEqual(65536 * layout.pages);
  });

  it.each([
    ['too many documents', sizes(14_000_000)],
    ['too many documents that select', sizes(1_000_000, { validationRows: 30_000_000 })],
  ])('says how many fit: %s', (_, asked) => {
    const error = errorOf(asked);
    expect(error).toMatchObject({ code: 'data-too-large' });
    const most = Number(/about ([0-9,]+) such documents/.exec(error.message)![1]!.replaceAll(',', ''));
    const share = most / (asked.rows + asked.validationRows);
    const scaled = (factor: number) => {
      const of = (n: number) => Math.floor(n * share * factor);
      const { rows, validationRows, queries, parts } = asked;
      return { ...asked, rows: of(rows), validationRows: of(validationRows), queries: of(queries), parts: of(parts) };
    };
    expect(planLayout(scaled(0.999)).pages).toBeLessThanOrEqual(65536);
    expect(errorOf(scaled(1.001))).toMatchObject({ code: 'data-too-large' });
  });

  it('says that no document fits beside too many leaves', () => {
    expect(errorOf(sizes(1000, { leaves: 32_767 })).message).toContain(
      '32,767 leaves; one memory holds at most 4 GiB, and so many leaves alone take more',
    );
  });
});

function errorOf(asked: LayoutSizes): ListwiseError {
  try {
    planLayout(asked);
  } catch (error) {
    if (error instanceof ListwiseError) return error;
    throw error;
  }
  throw new Error('it fits');
}
