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

/** Of the queries of a slice, as numbers: the fastest growth, the largest score, and two sums for the typical step. */
export const EXTENTS = 4;

/** Those of a slice along a line: the reference of the kernel's (src/kernels/assembly/line-buckets.ts). */
export function extentsOf({ offsets }: Pick<Dataset, 'offsets'>, slice: Part, line: Line): Float64Array {
  const { start, slope } = line;
  const extents = new Float64Array(EXTENTS);
  for (let q = slice.firstQuery; q < slice.lastQuery; q++) {
    let [lowest, highest] = [Infinity, -Infinity];
    let [slowest, fastest] = [Infinity, -Infinity];
    for (let i = offsets[q]!; i < offsets[q + 1]!; i++) {
      const score = start[i]!;
      const growth = slope[i]!;
      if (score < lowest) lowest = score;
      if (score > highest) highest = score;
      if (growth < slowest) slowest = growth;
      if (growth > fastest) fastest = growth;
    }
    if (!(lowest <= highest && slowest <= fastest)) continue;
    extents[0] = Math.max(extents[0]!, -slowest, fastest);
    extents[1] = Math.max(extents[1]!, -lowest, highest);
    extents[2]! += (fastest - slowest) * (highest - lowest);
    extents[3]! += (fastest - slowest) * (fastest - slowest);
  }
  return extents;
}

/** Over the slices of all ranks, one after the other. */
export function spanOf(slices: readonly Float64Array[], ranks: Transport): Span {
  const own = new Float64Array(EXTENTS * slices.length);
  for (let s = 0; s < slices.length; s++) own.set(slices[s]!, EXTENTS * s);
  const all = gatherNumbers(ranks, own);
  let [growth, score, product, square] = [0, 0, 0, 0];
  for (let i = 0; i < all.length; i += EXTENTS) {
    growth = Math.max(growth, all[i]!);
    score = Math.max(score, all[i + 1]!);
    product += all[i + 2]!;
    square += all[i + 3]!;
  }
  const ratio = product / square;
  return {
    typical: ratio > 0 && ratio < Infinity ? 2 ** Math.round(Math.log2(ratio)) : 1,
    least: growth > 0 ? score / growth : 0,
  };
}
