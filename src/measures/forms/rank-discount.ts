/**
 * What a rank is worth: as a table for whole ranks, and as a smooth function for positions in between.
 *
 * @example
 * import { rankDiscount, type RankDiscount } from 'listwise/measures';
 *
 * const discount: RankDiscount = rankDiscount({ at: position => 1 / position, slope: position => -1 / position ** 2 });
 */
export interface RankDiscount {
  /** The discount of ranks 1..n at indices 0..n-1; the array is shared between calls and possibly longer than n. */
  table(n: number): Float64Array;
  /** The discount of a position, a real number from 1. */
  at(position: number): number;
  /** Its derivative. */
  slope(position: number): number;
}

/**
 * The table is made once and grown when a longer list comes along.
 *
 * @example
 * import { rankDiscount } from 'listwise/measures';
 *
 * const squared = rankDiscount({ at: position => position ** -2, slope: position => -2 * position ** -3 });
 */
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

/**
 * Every rank is worth the same.
 *
 * @example
 * import { noDiscount, separable } from 'listwise/measures';
 *
 * const sum = separable({
 *   labels: 'label',
 *   gain: label => label,
 *   discount: noDiscount,
 *   depth: view => view.n,
 *   divisor: () => 1,
 * });
 */
export const noDiscount = rankDiscount({ at: () => 1, slope: () => 0 });

/**
 * 1 / rank.
 *
 * @example
 * import { reciprocalDiscount } from 'listwise/measures';
 *
 * console.log(reciprocalDiscount.at(2)); // 0.5
 */
export const reciprocalDiscount = rankDiscount({ at: rank => 1 / rank, slope: rank => -1 / (rank * rank) });
