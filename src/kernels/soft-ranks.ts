/** SoftRank's kernel over a small memory of its own. Not shared: each thread has one. */
import { evenArrays, growTo } from './arena.js';
import { SOFT_REGION } from './layouts/smooth-ranks.js';
import { loadKernel } from './load.js';
import { normalTable } from './normal-table.js';

/** Constants of the kernel lie before. */
const TABLE = 4096;
const START = TABLE + normalTable.byteLength;

/** Rows of probabilities have at least this length. */
const SHORT_HEAD = 10;

/**
 * Discounts as the kernel takes them: a constant, the sum over terms of weight (1 - fall)^rank, more for the first
 * ranks.
 */
export interface DiscountTerms {
  /** As many as a multiple of four. */
  readonly fall: Float64Array;
  readonly weight: Float64Array;
  readonly head: Float64Array;
  readonly constant: number;
}

export class SoftRanks {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel = loadKernel('soft-ranks', this.#memory);
  /** 1 over the deviation of a difference of scores. */
  readonly #over: number;
  #capacity = 0;
  #rows = -1;
  #terms = 0;
  #head = 0;
  #constant = 0;
  /** Filled by the caller: scores, relevant. Results are added to: gradient. By document. */
  readonly arrays = {} as Record<(typeof SOFT_REGION)[number], Float64Array>;

  constructor(sigma: number) {
    this.#over = 1 / (Math.SQRT2 * sigma);
  }

  /** Makes room for n documents and the discounts of a query; arrays taken before may be of no use then. */
  reserve(n: number, { fall, weight, head, constant }: DiscountTerms): void {
    const rows = head.length === 0 ? 0 : n * (Math.max(SHORT_HEAD, head.length) + 4);
    if (Math.max(n, fall.length) > this.#capacity || rows > this.#rows) {
      this.#capacity = Math.max(256, fall.length, this.#capacity, n);
      this.#rows = Math.max(rows, this.#rows);
      const length = this.#capacity + 16;
      const end = START + 8 * length * SOFT_REGION.length;
      growTo(this.#memory, end + 8 * this.#rows);
      const { buffer } = this.#memory;
      new Float64Array(buffer, TABLE, normalTable.length).set(normalTable);
      this.#kernel.layOut(START, 8 * length, TABLE, end);
      Object.assign(this.arrays, evenArrays(SOFT_REGION, buffer, START, length));
    }
    this.arrays.fall.set(fall);
    this.arrays.weight.set(weight);
    this.arrays.head.set(head);
    this.#terms = fall.length;
    this.#head = head.length;
    this.#constant = constant;
    this.#kernel.beginQuery();
  }

  /** `scale` times the expected discount of document j. */
  expectedDiscount(j: number, n: number, scale: number): number {
    const above = this.#kernel.expectedDiscount(j, n, this.#over, this.#terms, this.#head, scale);
    return scale * this.#constant + above;
  }

  /** `norm` times the expected relevant documents down to j over the expected documents down to it. */
  expectedPrecision(j: number, n: number, norm: number): number {
    return this.#kernel.expectedPrecision(j, n, this.#over, norm);
  }
}
