/** How long a line is. */
import type { Dataset } from '../data/dataset.js';
import type { Part } from '../data/parts.js';
import { gatherNumbers } from '../ranks/gathered.js';
import type { Transport } from '../ranks/transport.js';
import type { Line } from './sweep.js';

export interface Span {
  /**
   * The step by which scores move about as much as they differ, in queries where they move at all; 1 where they do
   * neither. A power of 2: sums in another order, as rows may be, come to the same.
   */
  readonly typical: number;
  /** A step that is short for every query: the largest score over the fastest growth. Rounding is a share of it. */
  readonly least: number;
}

/** Of the line over the queries of all ranks, slice by slice. */
export function spanOf(
  { offsets }: Dataset,
  { start, slope, slices }: Line & { readonly slices: readonly Part[] },
  ranks: Transport,
): Span {
  const mosts = new Float64Array(2);
  const sums = new Float64Array(2 * slices.length);
  for (const [s, { firstQuery, lastQuery }] of slices.entries()) {
    for (let q = firstQuery; q < lastQuery; q++) {
      const [from, to] = [offsets[q]!, offsets[q + 1]!];
      let [lowest, highest] = [Infinity, -Infinity];
      let [slowest, fastest] = [Infinity, -Infinity];
      for (let i = from; i < to; i++) {
        const score = start[i]!;
        const growth = slope[i]!;
        if (score < lowest) lowest = score;
        if (score > highest) highest = score;
        if (growth < slowest) slowest = growth;
        if (growth > fastest) fastest = growth;
      }
      if (!(lowest <= highest && slowest <= fastest)) continue;
      mosts[0] = Math.max(mosts[0]!, -slowest, fastest);
      mosts[1] = Math.max(mosts[1]!, -lowest, highest);
      sums[2 * s]! += (fastest - slowest) * (highest - lowest);
      sums[2 * s + 1]! += (fastest - slowest) * (fastest - slowest);
    }
  }
  ranks.max(mosts);
  const all = gatherNumbers(ranks, sums);
  let product = 0;
  let square = 0;
  for (let i = 0; i < all.length; i += 2) {
    product += all[i]!;
    square += all[i + 1]!;
  }
  const ratio = product / square;
  return {
    typical: ratio > 0 && ratio < Infinity ? 2 ** Math.round(Math.log2(ratio)) : 1,
    least: mosts[0]! > 0 ? mosts[1]! / mosts[0]! : 0,
  };
}
