/** Tasks that build histograms of nodes and find the best split of each feature. */
import {
  BINS,
  CELL,
  COLUMN_BYTES,
  LIST,
  MISSING_BIN,
  SMALL_TILE_BYTES,
  SPLIT,
  TILE_BYTES,
  TILE_COLUMNS,
} from '../../../kernels/layouts/boosting.js';
import { hash32 } from '../../../numeric/random.js';
import type { NodeSums, Sums } from '../growth/grower.js';
import type { RunMemory } from '../memory/run-memory.js';
import type { TaskThread } from './task-thread.js';

/** What is the same for all splits that a task looks for. */
interface Limits {
  readonly leastDocuments: number;
  readonly leastHessian: number;
  readonly leastGain: number;
}

/** The best split that a task has found of a node so far. */
interface Found {
  feature: number;
  gain: number;
}

/** Numbers from one split's gain to the next. */
export const GAINS_APART = SPLIT.bytes / 8;

/** The gains of splits, of each feature on each side, and what else is written there between. */
export function gainsOf({ memory, at, layout }: RunMemory): Float64Array {
  return new Float64Array(memory.buffer, at.splits, 2 * layout.features * GAINS_APART);
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
  const gains = gainsOf(memory);

  const slotAt = (number: number) => at.histograms + number * thread.columns.tiles * TILE_BYTES;

  const own = thread.job.thread;

  /** Cells of a column that can be other than 0: the first ones, and that of missing values. */
  const cellsOf = (column: number) => {
    const own = thread.columns.features[column]!;
    return own.length === 1 ? bins[own[0]!]! : MISSING_BIN;
  };

  /** The histogram of a column in the node's slot, from what threads have added up. */
  const takeColumn = (column: number): void => {
    const { slot, whole } = children;
    const place = arrays.place[column]!;
    // Of the first tiles, what the commonest byte's cell holds follows from the rest.
    const tiles = whole ? arrays.listed[0]! : 2 * arrays.shortPairs[0]!;
    histogram.takeColumn(
      slotAt(slot) + column * COLUMN_BYTES,
      place,
      cellsOf(column),
      whole ? at.counts + 4 * BINS * column : 0,
      place < TILE_COLUMNS * tiles ? arrays.commonest[column]! : -1,
    );
  };

  const takeParts = (tile: number): void => {
    thread.setThreads();
    const last = Math.min(TILE_COLUMNS * (tile + 1), thread.columns.features.length);
    for (let column = TILE_COLUMNS * tile; column < last; column++) takeColumn(column);
  };

  const nothingFound = (): Found => ({ feature: -1, gain: 0 });

  const limitsOf = (): Limits => {
    thread.beginSplits();
    const { leastDocuments, leastHessian, leastGain } = tree;
    return { leastDocuments, leastHessian, leastGain };
  };

  /**
   * Best split of a feature from the histogram in a slot, to side 0 or 1 of the splits, where it is better than what
   * was found before; of equals the lower feature is.
   */
  const split = (feature: number, slot: number, side: number, sums: NodeSums, limits: Limits, found: Found) => {
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
      found.gain,
      Number(feature < found.feature),
    );
    const gain = gains[number * GAINS_APART]!;
    if (gain > 0) {
      found.gain = gain;
      found.feature = feature;
    }
  };

  return {
    takeParts: (tile: number): void => takeParts(tile),

    /** Documents of all rows by bin of a column. */
    counts(column: number): void {
      const { bytes, apart } = thread.bytesOf(column);
      histogram.countBytes(bytes, apart, layout.rows, at.counts + 4 * BINS * column);
    },

    /** Adds all rows of a section to the thread's cells of a tile; tiles of a section come one after the other. */
    sectionRows(task: number): void {
      const { tiles, recordBytes } = thread.columns;
      const tile = task % tiles;
      const section = Math.floor(task / tiles);
      const { firstRow, lastRow } = thread.job.sections[section]!;
      const rows = lastRow - firstRow;
      const records = at.records + recordBytes * firstRow;
      histogram.beginCells(tiles, thread.smallAt(own), thread.held);
      const cells = thread.smallAt(own) + tile * SMALL_TILE_BYTES;
      if (tile === 0 && arrays.listed[0]! > 0) histogram.holdAll(records, recordBytes, rows, thread.held);
      if (tile < arrays.listed[0]!) histogram.addList(at.lists + LIST.bytes * (section * tiles + tile), records, cells);
      else
        histogram.addTile(at.tiles + TILE_COLUMNS * (tile * layout.rows + firstRow), records, recordBytes, rows, cells);
    },

    /** Best splits of all rows, by tile. */
    root(task: number): void {
      const tile = children.firstTile + task;
      if (!children.summed) takeParts(tile);
      const all = rootSums(thread, tile);
      const sums = { ...all, step: thread.stepOf(all, undefined), key: children.key };
      splitter.setBounds(-Infinity, Infinity);
      const limits = limitsOf();
      const found = nothingFound();
      const first = TILE_COLUMNS * tile;
      for (const f of thread.columns.features.slice(first, first + TILE_COLUMNS).flat())
        split(f, 0, 0, sums, limits, found);
    },

    /** Histograms and best splits of two children, by tile. */
    children(task: number): void {
      const { slot, largeSlot, lambda, hessian, documents, step, key } = children;
      const small: NodeSums = { lambda, hessian, documents, step, key };
      const large: NodeSums = {
        lambda: children.largeLambda,
        hessian: children.largeHessian,
        documents: children.largeDocuments,
        step: children.largeStep,
        key: children.largeKey,
      };
      const { features } = thread.columns;
      const tile = children.firstTile + task;
      const [built, parent] = [slotAt(slot), slotAt(largeSlot)];
      const isTaken = children.summed === 1;
      if (!isTaken) thread.setThreads();
      const limits = limitsOf();
      const [ofSmall, ofLarge] = [nothingFound(), nothingFound()];
      // Column by column, so that its cells are still near when they are scanned.
      const last = Math.min(TILE_COLUMNS * (tile + 1), features.length);
      for (let column = TILE_COLUMNS * tile; column < last; column++) {
        const from = column * COLUMN_BYTES;
        if (!isTaken) takeColumn(column);
        histogram.subtractColumn(parent + from, built + from, cellsOf(column));
        for (const f of features[column]!) {
          if (monotone !== undefined) splitter.setBounds(children.least, children.most);
          split(f, slot, 0, small, limits, ofSmall);
          if (monotone !== undefined) splitter.setBounds(children.largeLeast, children.largeMost);
          split(f, largeSlot, 1, large, limits, ofLarge);
        }
      }
    },
  };
}
