/**
 * Which rows are short: they have few bytes that are not the commonest ones in the first pairs of tiles, and name their
 * cells there (MOST_SHORT_PAIRS in kernels/layouts/boosting.ts says how). Where a node is split by rows, fewer cells
 * are all that helps. Rows that take names in as many pairs lie side by side in each section, the others behind them,
 * so that no row of a node needs to be looked at to tell.
 */
import { BINS, MOST_SHORT_PAIRS, NAMES_A_PAIR, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
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
  const most = Math.min(Math.floor(tiles / 2), MOST_SHORT_PAIRS);
  arrays.shortPairs[0] = most;
  threads.play('others', layout.sections);
  arrays.shortPairs[0] = bestPairs(threads, most);
  if (arrays.shortPairs[0] > 0) threads.play('sortByNames', layout.sections);
}

/**
 * In how many of the first pairs of tiles short rows take least time, from the other bytes that each row has in them.
 */
function bestPairs({ memory, thread }: TreeThreads, most: number): number {
  const { at, layout } = memory;
  const rowsOf = new Uint32Array(memory.memory.buffer, thread.scratch, BINS);
  let best = 0;
  let mostSaved = 0;
  for (let pairs = 1; pairs <= most; pairs++) {
    thread.kernels.histogram.countBytes(at.tiles + (pairs - 1) * layout.rows, 1, layout.rows, thread.scratch);
    let saved = 0;
    for (let others = 0; others <= NAMES_A_PAIR * pairs; others++) {
      const names = NAMES_A_PAIR * Math.ceil(others / NAMES_A_PAIR);
      saved += rowsOf[others]! * (CELLS_A_PAIR * pairs - TIME_OF_NAME * names);
    }
    if (saved > mostSaved) {
      best = pairs;
      mostSaved = saved;
    }
  }
  return best;
}
