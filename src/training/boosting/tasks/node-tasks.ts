/** Tasks that split nodes: histograms and best splits of a node's features, and its rows to its children. */

import { COLUMN_BYTES, SPLIT, TILE_BYTES } from '../../../kernels/layouts/boosting.js';
import { shareOf } from '../binning/columns.js';
import type { Sums } from '../growth/grower.js';
import { CHUNK_ROWS } from '../memory/layout.js';
import { REAL, WHOLE } from '../memory/task-numbers.js';
import type { TaskThread } from './task-thread.js';

export class NodeTasks {
  readonly #thread: TaskThread;
  /** Whether this tree may use each feature. */
  readonly #mask: Uint8Array;

  constructor(thread: TaskThread) {
    const { memory, layout } = thread.job;
    this.#thread = thread;
    this.#mask = new Uint8Array(memory.buffer, layout.at.mask, layout.features);
  }

  root(tile: number): void {
    const { layout, numbers } = this.#thread.job;
    const { at } = layout;
    const { whole } = numbers;
    const histogram = at.histograms + tile * TILE_BYTES;
    this.#thread.kernels.histogram.clearTiles(histogram, 1);
    if (whole[WHOLE.rows] === layout.rows) {
      this.#thread.kernels.histogram.addTile(at.tiles + tile * 8 * layout.rows, at.records, layout.rows, histogram);
    } else {
      this.#thread.kernels.histogram.addRows(
        at.rows,
        this.#thread.columns.stride,
        tile,
        tile + 1,
        at.index,
        whole[WHOLE.rows]!,
        at.records,
        at.histograms,
        this.#thread.own,
      );
    }
    const { lambda, hessian, documents } = this.rootSums(tile);
    this.#setUnits();
    for (const f of this.#thread.columns.features.slice(8 * tile, 8 * tile + 8).flat()) {
      this.#split(f, 0, 0, lambda, hessian, documents);
    }
  }

  /** Sums of the root's rows, which every tile's histogram tells. */
  rootSums(tile: number): Sums {
    const { layout, memory } = this.#thread.job;
    this.#thread.kernels.histogram.sumCells(layout.at.histograms + tile * TILE_BYTES, this.#thread.own);
    const [lambda, hessian, documents] = new Int32Array(memory.buffer, this.#thread.own, 3);
    return { lambda: lambda!, hessian: hessian!, documents: documents! };
  }

  #setUnits(): void {
    const { real, whole } = this.#thread.job.numbers;
    this.#thread.kernels.splitter.setUnits(
      1 / real[REAL.lambdaScale]!,
      1 / real[REAL.hessianScale]!,
      real[REAL.l2]!,
      whole[WHOLE.squares]!,
    );
  }

  /** The histogram in a slot. */
  #slot(number: number): number {
    return this.#thread.job.layout.at.histograms + number * this.#thread.columns.tiles * TILE_BYTES;
  }

  /**
   * Where the histogram of a share of the smaller child's rows is built; that of the first share is where the whole
   * will be.
   */
  #part(share: number): number {
    const { layout, numbers } = this.#thread.job;
    if (share === 0) return this.#slot(numbers.whole[WHOLE.smallSlot]!);
    return layout.at.partial + (share - 1) * this.#thread.columns.tiles * TILE_BYTES;
  }

  /** Histogram of tiles `first` to `last` over rows `from` to `to` of the smaller child. */
  #build(first: number, last: number, from: number, to: number, histogram: number): void {
    const { layout, numbers } = this.#thread.job;
    const { at } = layout;
    const index = at.index + 4 * (numbers.whole[WHOLE.start]! + from);
    const { kernels, columns, own } = this.#thread;
    kernels.histogram.clearTiles(histogram + first * TILE_BYTES, last - first);
    kernels.histogram.addRows(at.rows, columns.stride, first, last, index, to - from, at.records, histogram, own);
  }

  childRows(share: number): void {
    const { whole } = this.#thread.job.numbers;
    const cut = (n: number) => Math.floor((n * whole[WHOLE.documents]!) / whole[WHOLE.shares]!);
    this.#build(0, this.#thread.columns.tiles, cut(share), cut(share + 1), this.#part(share));
  }

  children(share: number): void {
    const { whole } = this.#thread.job.numbers;
    const { features } = this.#thread.columns;
    const byRows = whole[WHOLE.byRows] === 1;
    const shares = whole[WHOLE.shares]!;
    const [first, last] = byRows ? [share, share + 1] : shareOf(this.#thread.columns, share, shares);
    const small = this.#slot(whole[WHOLE.smallSlot]!);
    const parent = this.#slot(whole[WHOLE.parentSlot]!);
    if (!byRows) this.#build(first, last, 0, whole[WHOLE.documents]!, small);
    this.#setUnits();
    const lambda = whole[WHOLE.lambda]!;
    const hessian = whole[WHOLE.hessian]!;
    const count = whole[WHOLE.count]!;
    const otherLambda = whole[WHOLE.otherLambda]!;
    const otherHessian = whole[WHOLE.otherHessian]!;
    const otherCount = whole[WHOLE.otherCount]!;
    // Column by column, so that its cells are still near when they are scanned.
    for (let column = 8 * first; column < Math.min(8 * last, features.length); column++) {
      const own = features[column]!;
      const from = column * COLUMN_BYTES;
      const bins = own.length === 1 ? this.#thread.bins[own[0]!]! : 255;
      if (byRows) {
        for (let part = 1; part < shares; part++) {
          this.#thread.kernels.histogram.addColumn(small + from, this.#part(part) + from, bins);
        }
      }
      this.#thread.kernels.histogram.subtractColumn(parent + from, small + from, bins);
      for (const f of own) {
        this.#split(f, whole[WHOLE.smallSlot]!, 0, lambda, hessian, count);
        this.#split(f, whole[WHOLE.parentSlot]!, 1, otherLambda, otherHessian, otherCount);
      }
    }
  }

  /** Best split of a feature from the histogram in a slot, to side 0 or 1 of the splits. */
  #split(feature: number, slot: number, side: number, lambda: number, hessian: number, count: number): void {
    const { layout, numbers } = this.#thread.job;
    const { at, features } = layout;
    const { column, step, states, tiles, features: byColumn } = this.#thread.columns;
    const { real, whole } = numbers;
    const out = at.splits + (side * features + feature) * SPLIT.bytes;
    if (this.#mask[feature] === 0 || count < 2 * whole[WHOLE.leastDocuments]!) {
      this.#thread.floats.fill(0, out / 4, out / 4 + 2);
      return;
    }
    let cells = at.histograms + slot * tiles * TILE_BYTES + column[feature]! * COLUMN_BYTES;
    if (byColumn[column[feature]!]!.length > 1) {
      this.#thread.kernels.histogram.cellsOfFeature(cells, step[feature]!, states[feature]!, this.#thread.own);
      cells = this.#thread.own;
    }
    this.#thread.kernels.splitter.bestSplit(
      cells,
      this.#thread.bins[feature]!,
      states[feature]! - 1,
      out,
      lambda,
      hessian,
      count,
      whole[WHOLE.leastDocuments]!,
      real[REAL.leastHessian]!,
      real[REAL.leastGain]!,
    );
  }

  /** A chunk of the node's rows, and where it is kept until it has its places. */
  #chunk(number: number): { first: number; documents: number; index: number; kept: number; lefts: Int32Array } {
    const { layout, numbers, memory } = this.#thread.job;
    const { at } = layout;
    const { whole } = numbers;
    const first = CHUNK_ROWS * number;
    const from = 4 * (whole[WHOLE.start]! + first);
    return {
      first,
      documents: Math.min(CHUNK_ROWS, whole[WHOLE.documents]! - first),
      index: at.index + from,
      kept: at.scratch + from,
      lefts: new Int32Array(memory.buffer, at.lefts + 8 * number, 2),
    };
  }

  partition(number: number): void {
    const { at } = this.#thread.job.layout;
    const { whole } = this.#thread.job.numbers;
    const { index, documents, kept, lefts } = this.#chunk(number);
    const bins = whole[WHOLE.bins]! >>> 0;
    const shift = whole[WHOLE.binsShift]!;
    lefts[0] = this.#thread.kernels.partition.partitionChunk(bins, shift, at.goesLeft, index, documents, kept);
  }

  place(number: number): void {
    const { at } = this.#thread.job.layout;
    const { whole } = this.#thread.job.numbers;
    const { first, documents, kept, lefts } = this.#chunk(number);
    const left = at.index + 4 * (whole[WHOLE.start]! + lefts[1]!);
    const right = at.index + 4 * (whole[WHOLE.start]! + whole[WHOLE.count]! + first - lefts[1]!);
    this.#thread.kernels.partition.placeChunk(kept, documents, lefts[0]!, left, right);
  }
}
