/** Tasks that build histograms of nodes and find the best split of each feature. */
import {
  BLOCK_ROWS,
  CELL,
  COLUMN_BYTES,
  MISSING_BIN,
  SPLIT,
  TILE_BYTES,
  TILE_COLUMNS,
} from '../../../kernels/layouts/boosting.js';
import { hash32 } from '../../../numeric/random.js';
import { shareOf } from '../binning/columns.js';
import type { NodeSums, Sums } from '../growth/grower.js';
import type { TaskThread } from './task-thread.js';

/** Parts that all rows of a tile are cut into, so that threads end at the same time whatever the number of tiles. */
export const TILE_PARTS = 4;

/** What is the same for all splits that a task looks for. */
interface Limits {
  readonly leastDocuments: number;
  readonly leastHessian: number;
  readonly leastGain: number;
}

/** Sums of the root's rows, which every tile's histogram tells. */
export function rootSums({ kernels, memory, scratch }: TaskThread, tile: number): Sums {
  kernels.histogram.sumCells(memory.at.histograms + tile * TILE_BYTES, scratch);
  const { lambda, hessian, documents } = CELL.view(memory.memory.buffer, scratch);
  return { lambda, hessian, documents };
}

export function histogramTasks(thread: TaskThread) {
  const { scratch, memory } = thread;
  const { histogram, splitter } = thread.kernels;
  const { at, layout, arrays, tree, children, splits } = memory;
  const { bins, mask } = arrays;
  const { monotone } = thread.job;

  const slotAt = (number: number) => at.histograms + number * thread.columns.tiles * TILE_BYTES;

  /** Where a thread adds up the rows that come its way; nothing between rounds. */
  const partAt = (number: number) => at.partial + number * thread.columns.tiles * TILE_BYTES;

  const addTo = () => (children.direct ? slotAt(children.slot) : partAt(thread.job.thread));

  /** Adds `n` rows of the index, from one on, to the histograms of tiles `first` to `last`. */
  const addRows = (from: number, n: number, first: number, last: number, out: number) => {
    const index = at.index + 4 * from;
    const { rowTiles, rowStride } = thread.columns;
    const tileBytes = TILE_COLUMNS * layout.rows;
    const { rows, tiles, records } = at;
    histogram.addRows(rows, rowStride, rowTiles, tiles, tileBytes, first, last, index, n, records, out, scratch);
  };

  /** Cells of a column that can be other than 0: the first ones, and that of missing values. */
  const cellsOf = (column: number) => {
    const own = thread.columns.features[column]!;
    return own.length === 1 ? bins[own[0]!]! : MISSING_BIN;
  };

  /** The histogram of a tile in the node's slot, from what all threads have added up. */
  const takeParts = (tile: number): void => {
    const out = slotAt(children.slot);
    const last = Math.min(TILE_COLUMNS * (tile + 1), thread.columns.features.length);
    histogram.clearTiles(out + tile * TILE_BYTES, 1);
    for (let column = TILE_COLUMNS * tile; column < last; column++) {
      const from = column * COLUMN_BYTES;
      for (let number = 0; number < layout.threads; number++) {
        histogram.takeColumn(out + from, partAt(number) + from, cellsOf(column));
      }
    }
  };

  const limitsOf = (): Limits => {
    thread.beginSplits();
    const { leastDocuments, leastHessian, leastGain } = tree;
    return { leastDocuments, leastHessian, leastGain };
  };

  /** Best split of a feature from the histogram in a slot, to side 0 or 1 of the splits. */
  const split = (feature: number, slot: number, side: number, sums: NodeSums, limits: Limits) => {
    const { column, step, states, features } = thread.columns;
    const number = side * layout.features + feature;
    if (mask[number] === 0 || sums.documents < 2 * limits.leastDocuments) {
      splits.at(number).gain = 0;
      return;
    }
    let cells = slotAt(slot) + column[feature]! * COLUMN_BYTES;
    if (features[column[feature]!]!.length > 1) {
      histogram.cellsOfFeature(cells, step[feature]!, states[feature]!, scratch);
      cells = scratch;
    }
    const category = thread.category(feature);
    if (category !== undefined) {
      thread.bestLevels(category, side, sums, cells, scratch + COLUMN_BYTES, at.splits + number * SPLIT.bytes);
      return;
    }
    if (monotone !== undefined) {
      splitter.bestBounded(
        cells,
        bins[feature]!,
        states[feature]! - 1,
        at.splits + number * SPLIT.bytes,
        sums.lambda,
        sums.hessian,
        sums.documents,
        limits.leastDocuments,
        limits.leastHessian,
        limits.leastGain,
        monotone[feature]!,
      );
      return;
    }
    splitter.bestSplit(
      cells,
      bins[feature]!,
      states[feature]! - 1,
      at.splits + number * SPLIT.bytes,
      sums.lambda,
      sums.hessian,
      sums.documents,
      sums.step,
      tree.randomThresholds,
      tree.randomThresholds === 0 ? 0 : hash32(sums.key, feature),
      limits.leastDocuments,
      limits.leastHessian,
      limits.leastGain,
    );
  };

  return {
    takeParts,

    /** Adds a part of all rows to the histogram of a tile. */
    tileRows(task: number): void {
      const { rows } = layout;
      const tile = Math.floor(task / TILE_PARTS);
      const cut = (part: number) => Math.floor((part * rows) / TILE_PARTS);
      const first = cut(task % TILE_PARTS);
      const n = cut((task % TILE_PARTS) + 1) - first;
      const from = at.tiles + TILE_COLUMNS * (tile * rows + first);
      histogram.addTile(from, at.records + 8 * first, n, addTo() + tile * TILE_BYTES);
    },

    /** Best splits of all rows, by tile. */
    root(task: number): void {
      const tile = children.firstTile + task;
      if (!children.summed) takeParts(tile);
      const all = rootSums(thread, tile);
      const sums = { ...all, step: thread.stepOf(all, undefined), key: children.key };
      splitter.setBounds(-Infinity, Infinity);
      const limits = limitsOf();
      const first = TILE_COLUMNS * tile;
      for (const f of thread.columns.features.slice(first, first + TILE_COLUMNS).flat()) split(f, 0, 0, sums, limits);
    },

    /** Adds a block of a node's rows to the histograms of all tiles. */
    nodeRows(block: number): void {
      const { start, rows } = children;
      const from = BLOCK_ROWS * block;
      const n = Math.min(BLOCK_ROWS, rows - from);
      addRows(start + from, n, 0, thread.columns.tiles, addTo());
    },

    /** Histograms and best splits of two children, by share of the tiles. */
    children(share: number): void {
      const { byRows, shares, slot, largeSlot, lambda, hessian, documents, step, key } = children;
      const small: NodeSums = { lambda, hessian, documents, step, key };
      const large: NodeSums = {
        lambda: children.largeLambda,
        hessian: children.largeHessian,
        documents: children.largeDocuments,
        step: children.largeStep,
        key: children.largeKey,
      };
      const { features } = thread.columns;
      const tile = children.firstTile + share;
      const [first, last] = byRows ? [tile, tile + 1] : shareOf(thread.columns, share, shares);
      const [built, parent] = [slotAt(slot), slotAt(largeSlot)];
      if (!byRows) {
        histogram.clearTiles(built + first * TILE_BYTES, last - first);
        addRows(children.start, children.rows, first, last, built);
      } else if (!children.summed) takeParts(tile);
      const limits = limitsOf();
      // Column by column, so that its cells are still near when they are scanned.
      for (let column = TILE_COLUMNS * first; column < Math.min(TILE_COLUMNS * last, features.length); column++) {
        const own = features[column]!;
        const from = column * COLUMN_BYTES;
        histogram.subtractColumn(parent + from, built + from, cellsOf(column));
        for (const f of own) {
          if (monotone !== undefined) splitter.setBounds(children.least, children.most);
          split(f, slot, 0, small, limits);
          if (monotone !== undefined) splitter.setBounds(children.largeLeast, children.largeMost);
          split(f, largeSlot, 1, large, limits);
        }
      }
    },
  };
}
