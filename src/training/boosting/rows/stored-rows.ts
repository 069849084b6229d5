/** Rows as histograms are built from them: tiles, a row-major copy of these with short rows, and lists. */
import { TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
import { fillPacking, kindStarts, planPlaces } from '../binning/places.js';
import type { TreeThreads } from '../tree-threads.js';

/**
 * Finds a place for each column, once there are bins, and says so to all threads. Returns how many of the first tiles
 * have few enough other than commonest bytes.
 */
export function placeColumns(threads: TreeThreads): number {
  const { memory, thread } = threads;
  const { at, arrays, layout } = memory;
  const { rows, byColumn } = layout;
  const { features, rowTiles } = thread.columns;
  threads.play('counts', features.length);
  // Lists are made from columns. Tiles that the row-major copy leaves out are read for nodes, too, and stay tiles.
  const { place, commonest, listable } = planPlaces(arrays.counts, features.length, rows, byColumn ? rowTiles : 0);
  arrays.place.set(place);
  arrays.commonest.set(commonest);
  // Of places that no column has nobody looks at the cells.
  arrays.columnAt.fill(at.columns);
  place.forEach((own, column) => {
    arrays.columnAt[own] = at.columns + column * rows;
    arrays.commonestAt[own] = commonest[column]!;
  });
  threads.play('listSizes', listable);
  fillPacking(arrays.packing);
  arrays.listed[0] = placeLists(threads, listable);
  return listable;
}

/**
 * Finds room for lists in the memory of the tiles that they replace; returns how many of the first tiles that are. A
 * list takes as much in whatever order the rows of its stretch are.
 */
function placeLists({ memory, thread }: TreeThreads, listable: number): number {
  const { at, layout, lists } = memory;
  const { tiles } = thread.columns;
  let start = at.tiles;
  let end = start;
  let listed = 0;
  for (let tile = 0; tile < listable; tile++) {
    for (let stretch = 0; stretch < layout.threads; stretch++) {
      const list = lists.at(stretch * tiles + tile);
      list.start = start;
      start = kindStarts(list).at(-1)!;
    }
    end += TILE_COLUMNS * layout.rows;
    if (start <= end) listed = tile + 1;
  }
  return listed;
}

/** Holds rows anew, from their columns. */
export function storeRows(threads: TreeThreads): void {
  const { memory, thread, parts } = threads;
  if (memory.layout.byColumn) threads.play('tile', thread.columns.tiles);
  threads.play('rows', parts.length);
  if (memory.arrays.shortPairs[0]! > 0) threads.play('shorten', memory.layout.sections);
  threads.play('list', memory.arrays.listed[0]!);
}
