/** Tasks that build histograms of nodes and find the best split of each feature. */
import { CELL, COLUMN_BYTES, MISSING_BIN, SPLIT, TILE_BYTES, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
import { hash32 } from '../../../numeric/random.js';
import { shareOf } from '../binning/columns.js';
import type { NodeSums, Sums } from '../growth/grower.js';
import type { TaskThread } from './task-thread.js';

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

  /** Where the histogram of a share of the smaller child's rows is built; the first share's is where the sum goes. */
  const partAt = (share: number) =>
    share === 0 ? slotAt(children.slot) : at.partial + (share - 1) * thread.columns.tiles * TILE_BYTES;

  /** Histogram of tiles `first` to `last` over rows `from` to `to` of the smaller child. */
  const build = (first: number, last: number, from: number, to: number, out: number) => {
    const index = at.index + 4 * (children.start + from);
    histogram.clearTiles(out + first * TILE_BYTES, last - first);
    histogram.addRows(at.rows, thread.columns.stride, first, last, index, to - from, at.records, out, scratch);
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

  /** Histogram of all rows, by tile. */
  const rootRows = (tile: number): void => {
    const out = at.histograms + tile * TILE_BYTES;
    const { rows } = tree;
    histogram.clearTiles(out, 1);
    if (rows === layout.rows) histogram.addTile(at.tiles + tile * 8 * rows, at.records, rows, out);
    else {
      const { stride } = thread.columns;
      histogram.addRows(at.rows, stride, tile, tile + 1, at.index, rows, at.records, at.histograms, scratch);
    }
  };

  return {
    rootRows,

    /** The same, unless it is there, and best splits. */
    root(tile: number): void {
      if (!tree.summed) rootRows(tile);
      const all = rootSums(thread, tile);
      const sums = { ...all, step: thread.stepOf(all, undefined), key: children.key };
      splitter.setBounds(-Infinity, Infinity);
      const limits = limitsOf();
      const first = TILE_COLUMNS * tile;
      for (const f of thread.columns.features.slice(first, first + TILE_COLUMNS).flat()) split(f, 0, 0, sums, limits);
    },

    /** Histogram of a share of the smaller child's rows, all tiles. */
    childRows(share: number): void {
      const { rows, shares } = children;
      const cut = (n: number) => Math.floor((n * rows) / shares);
      build(0, thread.columns.tiles, cut(share), cut(share + 1), partAt(share));
    },

    /** Histogram of the smaller child, by share of the tiles. */
    childTiles(share: number): void {
      build(...shareOf(thread.columns, share, children.shares), 0, children.rows, slotAt(children.slot));
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
      const [first, last] = byRows ? [share, share + 1] : shareOf(thread.columns, share, shares);
      const [built, parent] = [slotAt(slot), slotAt(largeSlot)];
      if (!byRows) build(first, last, 0, children.rows, built);
      const limits = limitsOf();
      // Column by column, so that its cells are still near when they are scanned.
      for (let column = TILE_COLUMNS * first; column < Math.min(TILE_COLUMNS * last, features.length); column++) {
        const own = features[column]!;
        const from = column * COLUMN_BYTES;
        const used = own.length === 1 ? bins[own[0]!]! : MISSING_BIN;
        if (byRows) {
          for (let part = 1; part < shares; part++) histogram.addColumn(built + from, partAt(part) + from, used);
        }
        histogram.subtractColumn(parent + from, built + from, used);
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
