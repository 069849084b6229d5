/**
 * Which byte of a row each feature's bin is kept in. Features of few bins share a byte: histograms are built over
 * bytes, and cost as much for a byte of three features as for one. Follows from the bins alone, so every thread plans
 * the same.
 */
import { ListwiseError } from '../../../errors.js';
import { BINS, MISSING_BIN, RECORD_BYTES, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';

/** Nodes name their column in 16 bits. */
const MOST_COLUMNS = 65536;
/** Bytes that memory hands over at once. */
const LINE = 64;
const TILES_A_LINE = LINE / 8;

export interface Columns {
  /** Features of each column. */
  readonly features: readonly (readonly number[])[];
  /**
   * By feature: its column, and how to find its bin in the column's byte: floor(byte / step) % states. The last of the
   * states is the bin of a missing value.
   */
  readonly column: Int32Array;
  readonly step: Int32Array;
  readonly states: Int32Array;
  /** Groups of eight columns. */
  readonly tiles: number;
  /** Bytes of a row. */
  readonly stride: number;
  /**
   * Groups that the row-major copy has: all, or those that fill whole cache lines where one or two are left over, which
   * would take most rows one line more. Of these the first is held behind each row's record, which is fetched in any
   * case, where memory has room for it; the others are found in the tiles.
   */
  readonly rowTiles: number;
  /** Bytes of a row of that copy. */
  readonly rowStride: number;
  /** Bytes from one row's record to the next. */
  readonly recordBytes: number;
}

/** Bytes of a row of so many columns: whole cache lines where that takes little more, else groups of eight. */
export function strideOf(columns: number): number {
  const whole = LINE * Math.ceil(columns / LINE);
  return whole - columns <= columns / 8 ? whole : 8 * Math.ceil(columns / 8);
}

/**
 * Features with the most bins first, each into the first column with room: bins, and one for missing, multiply.
 * `behind`: whether there is room for a group behind each record.
 */
export function planColumns(bins: ArrayLike<number>, behind = true): Columns {
  const features: number[][] = [];
  const used: number[] = [];
  const column = new Int32Array(bins.length);
  const step = new Int32Array(bins.length).fill(1);
  const states = Int32Array.from(bins, count => count + 1);
  const byStates = [...states.keys()].sort((a, b) => states[b]! - states[a]! || a - b);
  for (const f of byStates) {
    // Wide categories are not among the bytes.
    if (bins[f] === 0) continue;
    // With thousands of features, looking for room where there can be none would take its time.
    const shared = 2 * states[f]! > BINS ? -1 : used.findIndex(before => before * states[f]! <= BINS);
    const own = shared >= 0 ? shared : features.push([]) - 1;
    column[f] = own;
    step[f] = used[own] ?? 1;
    features[own]!.push(f);
    used[own] = step[f]! * states[f]!;
  }
  // The sums of all rows are found with the first tile.
  if (features.length === 0) features.push([]);
  const dealt = dealToTiles(features);
  dealt.forEach((own, place) => {
    for (const f of own) column[f] = place;
  });
  if (features.length > MOST_COLUMNS) {
    const count = (n: number) => n.toLocaleString('en-GB');
    throw new ListwiseError(
      'data-too-large',
      `${count(bins.length)} features take ${count(features.length)} bytes a document; trees take at most ${count(MOST_COLUMNS)}. ` +
        'Train with fewer features or bins',
    );
  }
  for (const [first, ...others] of features) {
    if (first !== undefined && others.length === 0) states[first] = BINS;
  }
  const tiles = Math.ceil(features.length / 8);
  const stride = strideOf(features.length);
  const over = tiles % TILES_A_LINE;
  const isCut = tiles > TILES_A_LINE && (over === 1 || over === 2);
  const rowTiles = isCut ? tiles - over : tiles;
  const rowStride = isCut ? TILE_COLUMNS * rowTiles : stride;
  const recordBytes = isCut && behind ? RECORD_BYTES + TILE_COLUMNS : RECORD_BYTES;
  return { features: dealt, column, step, states, tiles, stride, rowTiles, rowStride, recordBytes };
}

/**
 * Columns of many bins and of few to every tile alike: the cells of eight columns of 255 bins alone would fill the
 * nearest cache, and shares of tiles take the same time.
 */
function dealToTiles(columns: readonly number[][]): number[][] {
  const places = [...columns.keys()].sort((a, b) => (a & 7) - (b & 7) || a - b);
  const dealt: number[][] = [];
  columns.forEach((own, i) => {
    dealt[places[i]!] = own;
  });
  return dealt;
}

/** The bin of a feature in its column's byte. */
export function binInByte({ step, states }: Columns, feature: number, byte: number): number {
  const bin = Math.floor(byte / step[feature]!) % states[feature]!;
  return bin === states[feature]! - 1 ? MISSING_BIN : bin;
}

/** A split in bins: those up to `bin` go left, or, of a category, the levels listed. */
export interface BinnedSplit {
  readonly feature: number;
  readonly bin: number;
  readonly missingLeft: boolean;
  readonly levels?: readonly number[] | undefined;
}

/** By byte of the feature's column: 1 where a row goes left. */
export function fillSides(sides: Uint8Array, columns: Columns, split: BinnedSplit): void {
  if (columns.states[split.feature] === BINS && split.levels === undefined) {
    // A column of its own.
    sides.fill(1, 0, split.bin + 1).fill(0, split.bin + 1);
    sides[MISSING_BIN] = Number(split.missingLeft);
    return;
  }
  const levels = split.levels && new Set(split.levels);
  for (let byte = 0; byte < BINS; byte++) {
    const bin = binInByte(columns, split.feature, byte);
    const left = levels === undefined ? bin <= split.bin : levels.has(bin);
    sides[byte] = Number(bin === MISSING_BIN ? split.missingLeft : left);
  }
}
