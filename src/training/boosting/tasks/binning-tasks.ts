/** Tasks that turn features into bins: edges from a sample, bins by tiles and columns, and a copy by rows. */
import type { Dataset } from '../../../data/dataset.js';
import { binEdges } from '../binning/bin-edges.js';
import { BIN_ROWS } from '../memory/layout.js';
import type { TaskThread } from './task-thread.js';

/** to[i] = values[from + order[first + i]] */
function gather(values: Float32Array, from: number, order: Uint32Array, first: number, to: Float32Array): void {
  for (let i = 0; i < to.length; i++) to[i] = values[from + order[first + i]!]!;
}

export class BinningTasks {
  readonly #thread: TaskThread;

  constructor(thread: TaskThread) {
    this.#thread = thread;
  }

  edges(feature: number): void {
    const { data, layout, bins, memory, sampleRows } = this.#thread.job;
    const sample = new Float32Array(memory.buffer, this.#thread.own, layout.sample);
    let n = 0;
    let next = 0;
    for (const block of data.blocks) {
      const from = feature * block.stride - block.start;
      const end = block.start + block.rows;
      for (; next < sampleRows.length && sampleRows[next]! < end; next++) {
        const value = block.data[from + sampleRows[next]!]!;
        if (!Number.isNaN(value)) sample[n++] = value;
      }
    }
    const counts = this.#thread.own + 8 * layout.sample;
    this.#thread.kernels.binning.sortFloats(this.#thread.own, n, this.#thread.own + 4 * layout.sample, counts);
    const edges = binEdges(sample.subarray(0, n), bins);
    const out = new Float32Array(memory.buffer, layout.at.edges + 1024 * feature, 256);
    out.fill(Infinity);
    out.set(edges);
    this.#thread.bins[feature] = edges.length + 1;
  }

  bin(tile: number): void {
    const { data, validation, layout, tieOrder, memory } = this.#thread.job;
    const { at, features } = layout;
    const missing = new Int32Array(memory.buffer, at.missing, features);
    this.#binTile({ data, order: tieOrder, tile, out: at.tiles + tile * 8 * layout.rows, stride: 8, missing });
    if (validation === undefined) return;
    const [out, { stride }] = [at.validation + 8 * tile, this.#thread.columns];
    this.#binTile({ data: validation, order: undefined, tile, out, stride, missing: new Int32Array(features) });
  }

  /**
   * Bins of a tile's columns, every row's eight bytes `stride` from the last one's. Where rows are in order, those of
   * training, the columns are kept too if there is room. Adds the missing values of each feature to `missing`.
   */
  #binTile(work: {
    data: Dataset;
    order: Uint32Array | undefined;
    tile: number;
    out: number;
    stride: number;
    missing: Int32Array;
  }): void {
    const { data, order, tile, out, stride, missing } = work;
    const { at, rows, byColumn } = this.#thread.job.layout;
    const keep = byColumn && order !== undefined;
    const apart = keep ? rows : BIN_ROWS;
    for (const block of data.blocks) {
      for (let i = 0; i < block.rows; i += BIN_ROWS) {
        const n = Math.min(BIN_ROWS, block.rows - i);
        const first = block.start + i;
        const columns = keep ? at.columns + 8 * tile * rows + first : this.#thread.own + 5 * BIN_ROWS;
        this.#thread.columns.features.slice(8 * tile, 8 * tile + 8).forEach((features, k) => {
          for (const feature of features) {
            const from = feature * block.stride;
            const to = this.#thread.floats.subarray(this.#thread.own / 4, this.#thread.own / 4 + n);
            if (order === undefined) to.set(block.data.subarray(from + i, from + i + n));
            else gather(block.data, from - block.start, order, first, to);
            missing[feature]! += this.#binFeature(feature, n, columns + k * apart);
          }
        });
        this.#thread.kernels.binning.rowsOfColumns(columns, apart, n, out + first * stride, stride);
      }
    }
  }

  /** Bins of n values, at the start of this thread's scratch, into a column, or added to those of others there. */
  #binFeature(feature: number, n: number, column: number): number {
    const { features, step, states, column: columnOf } = this.#thread.columns;
    const { binning } = this.#thread.kernels;
    const edges = this.#thread.job.layout.at.edges + 1024 * feature;
    if (features[columnOf[feature]!]!.length === 1) return binning.binColumn(this.#thread.own, n, edges, column);
    const bytes = this.#thread.own + 4 * BIN_ROWS;
    const missing = binning.binColumn(this.#thread.own, n, edges, bytes);
    binning.addBins(bytes, n, step[feature]!, states[feature]!, column);
    return missing;
  }

  rows(part: number): void {
    const { layout, parts } = this.#thread.job;
    const { firstRow, lastRow } = parts[part]!;
    const { tiles, stride } = this.#thread.columns;
    const { at, rows } = layout;
    this.#thread.kernels.binning.rowsOfTiles(at.tiles, 8 * rows, tiles, firstRow, lastRow, at.rows, stride);
  }
}
