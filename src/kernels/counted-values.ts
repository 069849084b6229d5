/** The kernel of measures by counting over a small memory of its own. Not shared: each thread has one. */
import { evenArrays, growTo } from './arena.js';
import { COUNTED_REGION } from './layouts/counted-values.js';
import { loadKernel } from './load.js';

const START = 1024;

export class CountedKernel {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel = loadKernel('counted-values', this.#memory);
  /** Filled by the caller: scores, gain, discounts, moments, first, norm. Results: value. */
  readonly arrays: Record<(typeof COUNTED_REGION)[number], Float64Array>;

  /** For so many documents and queries at a time. */
  constructor(documents: number, queries: number) {
    const length = documents + queries + 16;
    growTo(this.#memory, START + 8 * length * COUNTED_REGION.length);
    this.#kernel.layOut(START, 8 * length);
    this.arrays = evenArrays(COUNTED_REGION, this.#memory.buffer, START, length);
  }

  values(queries: number, precision: boolean): void {
    this.#kernel.values(queries, precision);
  }
}
