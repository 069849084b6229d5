/**
 * Which byte of a row each feature's bin is kept in. Features of few bins share a byte: histograms are built over bytes, and cost
 * as much for a byte of three features as for one. Follows from the bins alone, so every thread plans the same.
 */
import { MISSING_BIN } from './layout.js';

/** Values of a byte. */
const BYTE = 256;

export interface Columns {
  /** Features of each column. */
  readonly features: readonly (readonly number[])[];
  /**
   * By feature: its column, and how to find its bin in the column's byte: floor(byte / step) % states. The last of the states is
   * the bin of a missing value.
   */
  readonly column: Int32Array;
  readonly step: Int32Array;
  readonly states: Int32Array;
  /** Groups of eight columns. */
  readonly tiles: number;
  /** Bytes of a row. */
  readonly stride: number;
}

/** Features with the most bins first, each into the first column with room: its bins and one for missing values multiply. */
export function planColumns(bins: ArrayLike<number>): Columns {
  const features: number[][] = [];
  const used: number[] = [];
  const column = new Int32Array(bins.length);
  const step = new Int32Array(bins.length).fill(1);
  const states = Int32Array.from(bins, count => count + 1);
  const byStates = [...states.keys()].sort((a, b) => states[b]! - states[a]! || a - b);
  for (const f of byStates) {
    // With thousands of features, looking for room where there can be none would take its time.
    const shared = 2 * states[f]! > BYTE ? -1 : used.findIndex(before => before * states[f]! <= BYTE);
    column[f] = shared >= 0 ? shared : features.push([]) - 1;
    step[f] = used[column[f]!] ?? 1;
    features[column[f]!]!.push(f);
    used[column[f]!] = step[f]! * states[f]!;
  }
  for (const [first, ...others] of features) if (others.length === 0) states[first!] = BYTE;
  const tiles = Math.ceil(features.length / 8);
  return { features, column, step, states, tiles, stride: 8 * tiles };
}

/** The bin of a feature in its column's byte. */
export function binInByte({ step, states }: Columns, feature: number, byte: number): number {
  const bin = Math.floor(byte / step[feature]!) % states[feature]!;
  return bin === states[feature]! - 1 ? MISSING_BIN : bin;
}

/** By byte of the feature's column: 1 where a row goes left. */
export function fillSides(
  sides: Uint8Array,
  columns: Columns,
  split: { readonly feature: number; readonly bin: number; readonly missingLeft: boolean },
): void {
  for (let byte = 0; byte < BYTE; byte++) {
    const bin = binInByte(columns, split.feature, byte);
    sides[byte] = Number(bin === MISSING_BIN ? split.missingLeft : bin <= split.bin);
  }
}
