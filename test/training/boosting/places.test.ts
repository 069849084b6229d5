/** Which columns lists are made of. */
import { describe, expect, it } from 'vitest';
import { BINS } from '#listwise/kernels/layouts/boosting.js';
import { planPlaces } from '#listwise/training/boosting/binning/places.js';

const ROWS = 1000;

/** Rows by byte, from the share of rows with the commonest byte, which is the column's number. */
function countsOf(shares: readonly number[]): Uint32Array {
  const counts = new Uint32Array(BINS * shares.length);
  shares.forEach((share, column) => {
    counts[BINS * column + column] = Math.round(share * ROWS);
    const others = ROWS - Math.round(share * ROWS);
    for (let i = 0; i < others; i++) counts[BINS * column + 200 + (i % 10)]!++;
  });
  return counts;
}

describe('places of columns', () => {
  it('are those of lists first, with the most rows of one byte before others', () => {
    const shares = Array.from({ length: 20 }, (_, column) => (column % 2 === 0 ? 0.6 + column / 100 : 0.51));
    const { place, commonest, listable } = planPlaces(countsOf(shares), 20, ROWS, 3);
    expect([...commonest]).toEqual(Array.from({ length: 20 }, (_, column) => column));
    expect(listable).toBe(2);
    expect([...place.slice(0, 20)].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect([18, 16, 14, 12, 10, 8, 6, 4].map(column => place[column])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([2, 0, 1, 3, 5, 7, 9, 11].map(column => place[column])).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    // Columns that are not in lists are in order.
    expect([13, 15, 17, 19].map(column => place[column])).toEqual([16, 17, 18, 19]);
  });

  it('are the columns themselves where there are no lists', () => {
    const inOrder = Array.from({ length: 20 }, (_, column) => column);
    const rare = planPlaces(countsOf(Array.from({ length: 20 }, () => 0.3)), 20, ROWS, 3);
    expect(rare.listable).toBe(0);
    expect([...rare.place]).toEqual(inOrder);
    const none = planPlaces(countsOf(Array.from({ length: 20 }, () => 0.9)), 20, ROWS, 0);
    expect(none.listable).toBe(0);
    expect([...none.place]).toEqual(inOrder);
  });
});
