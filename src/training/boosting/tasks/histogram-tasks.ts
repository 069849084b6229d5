/** Tasks that build histograms of nodes and find the best split of each feature. */
import { BINS, LIST, SMALL_TILE_BYTES, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
import type { TaskThread } from './task-thread.js';

export function histogramTasks(thread: TaskThread) {
  const { memory, scratch } = thread;
  const { histogram, splitter } = thread.kernels;
  const { at, layout, arrays, children } = memory;

  const own = thread.job.thread;
  /** Sections of a stretch. */
  const each = layout.sections / layout.threads;

  /** Columns of a tile: the first one, and the first one behind. */
  const columnsOf = (tile: number): [first: number, last: number] => [
    TILE_COLUMNS * tile,
    Math.min(TILE_COLUMNS * (tile + 1), thread.columns.features.length),
  ];

  /** Of how many of the first places what the commonest byte's cell holds follows from the rest. */
  const filledPlaces = () => TILE_COLUMNS * (children.whole ? arrays.listed[0]! : 2 * arrays.shortPairs[0]!);

  return {
    /** Histogram of a node, by tile, from what the threads of this rank have added up. */
    takeParts(tile: number): void {
      thread.setCells();
      splitter.takeColumns(thread.slotAt(children.slot), ...columnsOf(tile), children.whole, filledPlaces());
    },

    /** Documents of all rows by bin of a column. */
    counts(column: number): void {
      const { bytes, apart } = thread.bytesOf(column);
      histogram.countBytes(bytes, apart, layout.rows, at.counts + 4 * BINS * column);
    },

    /**
     * Adds all rows of a section to the thread's cells of a tile; tiles of a section come one after the other. Lists
     * are of stretches, which are added with their first sections: longer ones are read faster.
     */
    sectionRows(task: number): void {
      const { tiles, recordBytes } = thread.columns;
      const tile = task % tiles;
      const section = Math.floor(task / tiles);
      const { firstRow, lastRow } = thread.job.sections[section]!;
      const rows = lastRow - firstRow;
      const records = at.records + recordBytes * firstRow;
      histogram.beginCells(tiles, thread.smallAt(own), thread.held);
      const cells = thread.smallAt(own) + tile * SMALL_TILE_BYTES;
      if (tile === 0) histogram.holdAll(records, recordBytes, rows, thread.held);
      if (tile < arrays.listed[0]!) {
        const list = at.lists + LIST.bytes * ((section / each) * tiles + tile);
        if (section % each === 0) histogram.addList(list, records, cells);
      } else
        histogram.addTile(at.tiles + TILE_COLUMNS * (tile * layout.rows + firstRow), records, recordBytes, rows, cells);
    },

    /** Histograms and best splits of the root or of two children, by tile. */
    children(task: number): void {
      const { two, summed, whole, firstTile } = children;
      thread.setCells();
      thread.beginSplits();
      splitter.splitColumns(at.sides, two, ...columnsOf(firstTile + task), summed, whole, filledPlaces(), scratch);
    },
  };
}
