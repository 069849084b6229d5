/**
 * Which rows are short: they have few bytes that are not the commonest ones in the first pairs of tiles, and name their
 * cells there (MOST_SHORT_PAIRS in kernels/layouts/boosting.ts says how). Where a node is split by rows, fewer cells
 * are all that helps. Rows that take names in as many pairs lie side by side in each section, the others behind them,
 * so that no row of a node needs to be looked at to tell.
 */
import { MOST_SHORT_PAIRS, NAMES_A_PAIR, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
import type { TreeThreads } from '../tree-threads.js';

/** Cells of a row in a pair of tiles. */
const CELLS_A_PAIR = 2 * TILE_COLUMNS;
/** A cell by name takes a quarter more time than one of a tile: names are of more columns than a cache holds. */
const TIME_OF_NAME = 1.25;

/** Numbers of a section among the starts. */
export const STARTS_APART = MOST_SHORT_PAIRS + 1;

/**
 * Plans short rows once all rows are in the index, section by section, and puts them in their order there; otherwise
 * rows stay in the order that they have. The first `tiles` may gain from it. Their memory is written over.
 */
export function orderByNames(threads: TreeThreads, tiles: number): void {
  const { arrays, layout } = threads.memory;
  const { sections } = threads.thread.job;
  const { index, tiles: others, shortStarts } = arrays;
  const { rows } = layout;
  const most = Math.min(Math.floor(tiles / 2), MOST_SHORT_PAIRS);
  threads.play('others', most);
  const pairs = bestPairs(others, rows, most);
  arrays.shortPairs[0] = pairs;
  if (pairs === 0) return;
  const taken = pairsTaken(others, rows, pairs);
  const before = index.slice();
  sections.forEach(({ firstRow, lastRow }, section) => {
    const next = new Uint32Array(pairs + 2);
    for (let i = firstRow; i < lastRow; i++) next[taken[before[i]!]! + 1]!++;
    next[0] = firstRow;
    for (let p = 0; p <= pairs; p++) {
      next[p + 1]! += next[p]!;
      shortStarts[STARTS_APART * section + p] = next[p + 1]!;
    }
    for (let i = firstRow; i < lastRow; i++) index[next[taken[before[i]!]!]!++] = before[i]!;
  });
}

/** In how many of the first pairs of tiles short rows take least time, from the other bytes of each row and pair. */
function bestPairs(others: Uint8Array, rows: number, most: number): number {
  const sums = new Uint8Array(rows);
  let best = 0;
  let mostSaved = 0;
  for (let pair = 0; pair < most; pair++) {
    const room = NAMES_A_PAIR * (pair + 1);
    let saved = 0;
    for (let row = 0; row < rows; row++) {
      const sum = (sums[row]! += others[pair * rows + row]!);
      if (sum <= room) saved += CELLS_A_PAIR * (pair + 1) - TIME_OF_NAME * NAMES_A_PAIR * Math.ceil(sum / NAMES_A_PAIR);
    }
    if (saved > mostSaved) {
      best = pair + 1;
      mostSaved = saved;
    }
  }
  return best;
}

/** By row, the pairs of tiles that its names take; one more than there are where the row is not short. */
function pairsTaken(others: Uint8Array, rows: number, pairs: number): Uint8Array {
  const taken = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let pair = 0; pair < pairs; pair++) sum += others[pair * rows + row]!;
    taken[row] = Math.min(Math.ceil(sum / NAMES_A_PAIR), pairs + 1);
  }
  return taken;
}
