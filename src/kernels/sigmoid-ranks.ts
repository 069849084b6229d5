/** The kernel of smooth positions over a small memory of its own. Not shared: each thread has one. */
import { evenArrays, growTo } from './arena.js';
import { NORMAL_TABLE, SIGMOID_KIND, SIGMOID_REGION } from './layouts/smooth-ranks.js';
import { loadKernel } from './load.js';
import { normalTable } from './normal-table.js';

const START = NORMAL_TABLE + normalTable.byteLength;

export type SigmoidKind = (typeof SIGMOID_KIND)[number];

export class SigmoidRanks {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel = loadKernel('sigmoid-ranks', this.#memory);
  readonly #alpha: number;
  readonly #kind: number;
  #capacity = 0;
  /** Filled by the caller: scores, listed. Results: positions. Added to: byPosition, byListed, gradient. */
  readonly arrays = {} as Record<(typeof SIGMOID_REGION)[number], Float64Array>;

  constructor(kind: SigmoidKind, alpha: number) {
    this.#kind = SIGMOID_KIND.indexOf(kind);
    this.#alpha = alpha;
  }

  /** Makes room for n documents; arrays taken before may be of no use then. */
  reserve(n: number): void {
    if (n <= this.#capacity) return;
    this.#capacity = Math.max(256, 2 * n);
    const length = this.#capacity + 16;
    growTo(this.#memory, START + 8 * length * SIGMOID_REGION.length);
    const { buffer } = this.#memory;
    new Float64Array(buffer, NORMAL_TABLE, normalTable.length).set(normalTable);
    this.#kernel.layOut(START, 8 * length);
    Object.assign(this.arrays, evenArrays(SIGMOID_REGION, buffer, START, length));
  }

  /** With scores filled: positions are 1 so far. */
  begin(n: number): void {
    this.#kernel.begin(n, this.#alpha, this.#kind);
  }

  /** Adds to the positions what comes of pairs with documents `first` to `last` and later ones. */
  addPositions(first: number, last: number, n: number): void {
    this.#kernel.addPositions(first, last, n, this.#alpha, this.#kind);
  }

  /** How many of the `count` listed documents are before y, y itself counted as a half. */
  countBefore(count: number, y: number, beta: number): number {
    return this.#kernel.countBefore(count, y, beta, this.#kind);
  }

  /** The derivatives of `scale` over beta times the count taken last. */
  addCountBefore(count: number, y: number, scale: number): void {
    this.#kernel.addCountBefore(count, y, scale, this.#kind);
  }

  /** Adds to the gradient what comes of pairs with documents `first` to `last` and later ones. */
  addGradient(first: number, last: number, n: number): void {
    this.#kernel.addGradient(first, last, n, this.#alpha, this.#kind);
  }
}
