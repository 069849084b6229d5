/** SoftRank's kernel over a small memory of its own. Not shared: each thread has one. */
import { evenArrays, growTo } from './arena.js';
import { NORMAL_ENTRIES, NORMAL_TABLE, SOFT_REGION } from './layouts/smooth-ranks.js';
import { loadKernel } from './load.js';
import { normalTable } from './normal-table.js';

const START = NORMAL_TABLE + normalTable.byteLength;

/**
 * Odds of a rival that is divided out of the distribution of a rank, at most; and to the power of the number of ranks,
 * where they are many: 4^9 leaves 10 of 16 digits.
 */
const ODDS = 4;
const RANKS = 9;

/**
 * Discounts as the kernel takes them: a constant, the sum over terms of weight (1 - fall)^rank, more for the first
 * ranks, and more for the last ones.
 */
export interface DiscountTerms {
  /** As many as a multiple of four. */
  readonly fall: Float64Array;
  readonly weight: Float64Array;
  readonly head: Float64Array;
  /** From the last rank on. */
  readonly foot: Float64Array;
  readonly constant: number;
}

export class SoftRanks {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel = loadKernel('soft-ranks', this.#memory);
  /** 1 over the deviation of a difference of scores, in distances between two entries of the table. */
  readonly #over: number;
  #capacity = 0;
  #rows = -1;
  #terms = 0;
  #head = 0;
  #foot = 0;
  #constant = 0;
  /** Filled by the caller: scores, relevant. Results are added to: gradient. By document. */
  readonly arrays = {} as Record<(typeof SOFT_REGION)[number], Float64Array>;

  constructor(sigma: number) {
    this.#over = NORMAL_ENTRIES / (Math.SQRT2 * sigma);
  }

  /** Makes room for n documents and the discounts of a query; arrays taken before may be of no use then. */
  reserve(n: number, { fall, weight, head, foot, constant }: DiscountTerms): void {
    const ranks = Math.max(head.length, foot.length);
    const rows = ranks === 0 ? 0 : n * (ranks + 1);
    if (Math.max(n, fall.length) > this.#capacity || rows > this.#rows) {
      this.#capacity = Math.max(256, fall.length, this.#capacity, n);
      this.#rows = Math.max(rows, this.#rows);
      const length = this.#capacity + 16;
      const end = START + 8 * length * SOFT_REGION.length;
      growTo(this.#memory, end + 8 * this.#rows);
      const { buffer } = this.#memory;
      new Float64Array(buffer, NORMAL_TABLE, normalTable.length).set(normalTable);
      this.#kernel.layOut(START, 8 * length, end);
      Object.assign(this.arrays, evenArrays(SOFT_REGION, buffer, START, length));
    }
    this.arrays.fall.set(fall);
    this.arrays.weight.set(weight);
    this.arrays.head.set(head);
    this.arrays.foot.set(foot);
    this.#terms = fall.length;
    this.#head = head.length;
    this.#foot = foot.length;
    this.#constant = constant;
    const odds = ODDS ** Math.min(1, RANKS / (ranks - 1));
    this.#kernel.beginQuery(n, head.length, foot.length, odds / (1 + odds), ODDS ** RANKS);
  }

  /** `scale` times the expected discount of document j. */
  expectedDiscount(j: number, n: number, scale: number): number {
    const above = this.#kernel.expectedDiscount(j, n, this.#over, this.#terms, this.#head, this.#foot, scale);
    return scale * this.#constant + above;
  }

  /** `norm` times the expected relevant documents down to j over the expected documents down to it. */
  expectedPrecision(j: number, n: number, norm: number): number {
    return this.#kernel.expectedPrecision(j, n, this.#over, norm);
  }
}
