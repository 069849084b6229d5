/**
 * Which byte of a row each feature's bin is kept in. Two features of few bins share a byte, four bits each: histograms are built
 * over bytes, and cost as much for a byte of two features as for one. Follows from the bins alone, so every thread plans the same.
 */

/** Bins of a feature that half a byte holds, beside the one for missing values. */
const HALF_BINS = 15;

export interface Columns {
  /** Features of each column: one, or two, of which the first has the lower half of the byte. */
  readonly features: readonly (readonly number[])[];
  /** By feature: its column, and its bits there, (byte >> shift) & mask. The bin of a missing value is the mask. */
  readonly column: Int32Array;
  readonly shift: Uint8Array;
  readonly mask: Uint8Array;
  /** Groups of eight columns. */
  readonly tiles: number;
  /** Bytes of a row. */
  readonly stride: number;
}

export function planColumns(bins: ArrayLike<number>): Columns {
  const features: number[][] = [];
  const column = new Int32Array(bins.length);
  const shift = new Uint8Array(bins.length);
  const mask = new Uint8Array(bins.length).fill(255);
  let shared: number[] | undefined;
  for (let f = 0; f < bins.length; f++) {
    if (bins[f]! <= HALF_BINS && shared !== undefined) {
      const [first] = shared;
      shared.push(f);
      column[f] = column[first!]!;
      shift[f] = 4;
      mask[first!] = mask[f] = 15;
      shared = undefined;
      continue;
    }
    const own = [f];
    column[f] = features.push(own) - 1;
    if (bins[f]! <= HALF_BINS) shared = own;
  }
  const tiles = Math.ceil(features.length / 8);
  return { features, column, shift, mask, tiles, stride: 8 * tiles };
}
