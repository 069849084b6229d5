/** What a rank is worth: as a table for whole ranks, and as a smooth function for positions in between. */

export interface RankDiscount {
  /** The discount of ranks 1..n at indices 0..n-1; the array is shared between calls and possibly longer than n. */
  table(n: number): Float64Array;
  /** The discount of a position, a real number from 1. */
  at(position: number): number;
  /** Its derivative. */
  slope(position: number): number;
}

/** The table is made once and grown when a longer list comes along. */
export function rankDiscount({ at, slope }: Pick<RankDiscount, 'at' | 'slope'>): RankDiscount {
  let table = new Float64Array(0);
  return {
    at,
    slope,
    table(n) {
      if (table.length < n) {
        table = Float64Array.from({ length: Math.max(n, 2 * table.length, 128) }, (_, r) => at(r + 1));
      }
      return table;
    },
  };
}

/** Every rank is worth the same. */
export const noDiscount = rankDiscount({ at: () => 1, slope: () => 0 });

/** 1 / rank. */
export const reciprocalDiscount = rankDiscount({ at: rank => 1 / rank, slope: rank => -1 / (rank * rank) });
