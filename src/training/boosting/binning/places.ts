/**
 * Where the columns of training rows are held while histograms are built: in tiles of eight. In many tables a column
 * has the same byte, that of zero, in most rows. To add up the others, and to take the rest from the sum of all rows,
 * is less work: the first tiles have columns of that kind, and are held as lists where all rows are added up (LIST in
 * kernels/layouts/boosting.ts). Rows of nodes name their cells in some of these (rows/short-rows.ts).
 */
import { BINS, type LIST, LIST_APART, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';

/** Of the eight cells that a row has in a tile. With more, lists gain little, and take much more memory than tiles. */
const MOST_CELLS = 5;

export interface Places {
  /** By column. */
  readonly place: Uint32Array;
  /** By column, its commonest byte. */
  readonly commonest: Uint8Array;
  /** How many of the first tiles gain from being lists. */
  readonly listable: number;
}

/** From the rows by byte of each column; at most so many lists. */
export function planPlaces(counts: Uint32Array, columns: number, rows: number, mostLists: number): Places {
  const commonest = new Uint8Array(columns);
  const others = Array.from({ length: columns }, (_, column) => {
    const own = counts.subarray(BINS * column, BINS * (column + 1));
    const largest = own.reduce((a, b) => Math.max(a, b), 0);
    commonest[column] = own.indexOf(largest);
    return rows - largest;
  });
  const byOthers = [...others.keys()].sort((a, b) => others[a]! - others[b]! || a - b);
  const cellsOf = (tile: number) =>
    byOthers.slice(TILE_COLUMNS * tile, TILE_COLUMNS * (tile + 1)).reduce((sum, column) => sum + others[column]!, 0);
  const most = Math.min(mostLists, Math.floor(columns / TILE_COLUMNS));
  let listable = 0;
  while (listable < most && cellsOf(listable) <= MOST_CELLS * rows) listable++;
  const inLists = byOthers.slice(0, TILE_COLUMNS * listable);
  const isListed = new Set(inLists);
  const inTiles = [...others.keys()].filter(column => !isListed.has(column));
  const place = new Uint32Array(columns);
  [...inLists, ...inTiles].forEach((column, own) => {
    place[column] = own;
  });
  return { place, commonest, listable };
}

/** By mask of eight bits: twice the numbers of those that are set, a byte each. */
export const PACKING_BYTES = 8 * 256;

export function fillPacking(packing: Uint8Array): void {
  for (let mask = 0; mask < 256; mask++) {
    let at = 8 * mask;
    for (let bit = 0; bit < 8; bit++) if ((mask >> bit) & 1) packing[at++] = 2 * bit;
  }
}

/** Rows with one cell, with two, and so on. */
function kindRows({ one, two, three, four, five, six, seven, eight }: ListSizes): number[] {
  return [one, two, three, four, five, six, seven, eight];
}

/** Where the rows of each kind begin in a list, and, last, where it ends. */
export function kindStarts(list: ListSizes): number[] {
  const starts = [list.start];
  kindRows(list).forEach((rows, kind) => {
    starts.push(starts.at(-1)! + rows * (4 + 2 * (kind + 1)) + LIST_APART);
  });
  return starts;
}

type ListSizes = ReturnType<ReturnType<typeof LIST.view>['read']>;
