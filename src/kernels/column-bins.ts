/** The kernel of bins (assembly/binning.ts) for one column after another, in a memory of its own. */
import { Arena, arraysOf, f32, u8 } from './arena.js';
import type { KernelExports } from './exports.js';
import { BINS } from './layouts/boosting.js';
import { loadKernel } from './load.js';

const COUNTS_BYTES = 4096;

export class ColumnBins {
  readonly #kernel: KernelExports['binning'];
  readonly #at: Readonly<Record<'values' | 'scratch' | 'counts' | 'edges' | 'bins', number>>;
  readonly #values: Float32Array;
  readonly #edges: Float32Array;
  readonly #bins: Uint8Array;

  /** For columns of at most so many values. */
  constructor(most: number) {
    const arena = new Arena();
    const regions = {
      values: f32(most),
      scratch: f32(most),
      counts: u8(COUNTS_BYTES),
      edges: f32(BINS),
      bins: u8(most),
    };
    this.#at = arena.takeAll(regions);
    const memory = arena.sharedMemory();
    this.#kernel = loadKernel('binning', memory);
    const { values, edges, bins } = arraysOf(regions, this.#at, memory.buffer);
    this.#values = values;
    this.#edges = edges;
    this.#bins = bins;
  }

  /** The values that `fill` writes, of which it returns the number, in ascending order; good until the next call. */
  sorted(fill: (out: Float32Array) => number): Float32Array {
    const present = fill(this.#values);
    this.#kernel.sortFloats(this.#at.values, present, this.#at.scratch, this.#at.counts);
    return this.#values.subarray(0, present);
  }

  /** How many edges are below each value, the last bin for missing ones; good until the next call. */
  bin(values: Float32Array, edges: Float32Array): Uint8Array {
    this.#values.set(values);
    this.#edges.fill(Infinity).set(edges);
    this.#kernel.binColumn(this.#at.values, values.length, this.#at.edges, this.#at.bins);
    return this.#bins.subarray(0, values.length);
  }
}
