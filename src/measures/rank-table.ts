/** Tables of one number a rank, made once and grown when a longer list comes along. */

/** Gives of(1)..of(n) at indices 0..n-1; the array is shared between calls and possibly longer than n. */
export function rankTable(of: (rank: number) => number): (n: number) => Float64Array {
  let table = new Float64Array(0);
  return n => {
    if (table.length < n) {
      table = Float64Array.from({ length: Math.max(n, 2 * table.length, 128) }, (_, r) => of(r + 1));
    }
    return table;
  };
}

/** Every rank is worth the same. */
export const equalWorth = rankTable(() => 1);
