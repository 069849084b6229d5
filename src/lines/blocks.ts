/**
 * Documents of a query whose lines are the same, and so tied all along, are a block: whatever happens to one happens to
 * all. Blocks are in the order of rank below every crossing: the slowest line is on top, of parallel ones the higher.
 * Nothing depends on the order of rows but the order within a block.
 */
import { orderByScore } from '../measures/order.js';

export class Blocks {
  /** Documents by rank, those of a block side by side. */
  readonly order: Uint32Array;
  /** Block b has ranks starts[b] to starts[b + 1]. */
  readonly starts: Uint32Array;
  count = 0;
  readonly #byStart: Uint32Array;
  readonly #scratch: Uint32Array;
  readonly #keys: Float64Array;

  /** For queries of at most so many documents. */
  constructor(longest: number) {
    this.order = new Uint32Array(longest);
    this.starts = new Uint32Array(longest + 1);
    this.#byStart = new Uint32Array(longest);
    this.#scratch = new Uint32Array(longest);
    this.#keys = new Float64Array(longest);
  }

  /** Those of a query, from the lines of its documents. */
  find(start: Float64Array, slope: Float64Array): this {
    const n = start.length;
    const { order, starts } = this;
    const byStart = this.#byStart;
    orderByScore(start, n, byStart, this.#scratch);
    for (let k = 0; k < n; k++) this.#keys[k] = -slope[byStart[k]!]!;
    orderByScore(this.#keys, n, order, this.#scratch);
    for (let r = 0; r < n; r++) order[r] = byStart[order[r]!]!;
    this.count = 0;
    for (let r = 0; r < n; r++) {
      const own = order[r]!;
      const above = order[r - 1];
      if (r === 0 || start[above!] !== start[own] || slope[above!] !== slope[own]) starts[this.count++] = r;
    }
    starts[this.count] = n;
    return this;
  }
}

/** Where the line of one document crosses that of another below it, which grows faster. */
export function crossing(startAbove: number, slopeAbove: number, startBelow: number, slopeBelow: number): number {
  return (startAbove - startBelow) / (slopeBelow - slopeAbove);
}
