/** The pair kernel over a small memory of its own: ranks and lambdas of one query. Not shared: each thread has one. */
import { evenArrays, growTo } from './arena.js';
import { REGION, WIDE_REGION } from './layouts/pair-lambdas.js';
import { loadKernel } from './load.js';

const START = 1024;

export interface PairLambdasOptions {
  /** Ranks from here on are the upper of no pair with a weight. */
  depth: number;
  /** Nor are ranks from here on, whatever the weight. */
  top: number;
  /** The change by a swap is norm (gain_b - gain_a) (upper_a - upper_b), or (upper_a - slope_a lower_b) instead. */
  separable: boolean;
  norm: number;
  floor: number;
  /** Whether pairs are within equal `tiers` only. */
  tiered: boolean;
  /** Whether documents of label 0 are in no pair. */
  withoutZeros: boolean;
  bell: boolean;
  shift: number;
  /** Each pair is divided by this and how far apart its scores are; 0: none is. */
  near: number;
}

export class PairKernel {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel = loadKernel('pair-lambdas', this.#memory);
  #capacity = 0;
  /**
   * Filled by the caller: scores, labels, gain by document, upper, slope, lower by rank. Results: lambda, hessian by
   * document.
   */
  readonly arrays = {} as Record<(typeof WIDE_REGION)[number], Float64Array>;
  /** By document, for tiered pairs; a document of tier NaN is in no pair. */
  tiers: Float32Array = new Float32Array(0);
  /** The document at each rank. */
  order: Uint32Array = new Uint32Array(0);

  /** Makes room for a query of n documents; arrays taken before may be of no use then. */
  reserve(n: number): void {
    if (n <= this.#capacity) return;
    const capacity = Math.max(256, 2 ** Math.ceil(Math.log2(n)));
    // 4 entries of padding, and 12 more so that regions do not lie a power of two apart.
    const length = capacity + 16;
    const stride = 8 * length;
    const at = (region: (typeof REGION)[number]) => START + stride * REGION.indexOf(region);
    growTo(this.#memory, START + stride * REGION.length);
    const { buffer } = this.#memory;
    this.#kernel.layOut(START, stride);
    Object.assign(this.arrays, evenArrays(WIDE_REGION, buffer, START, length));
    this.tiers = new Float32Array(buffer, at('tiers'), length);
    this.order = new Uint32Array(buffer, at('order'), length);
    this.#capacity = capacity;
  }

  /** Ranks the first n scores; `order` then holds the document at each rank. */
  rank(n: number): void {
    this.#kernel.rank(n);
  }

  /**
   * After `rank` and with the rest filled: lambda and hessian. Returns the pairs with a lambda. Rows `from` to `to`:
   * all of a query in their order, in one call or in several.
   */
  lambdas(n: number, options: PairLambdasOptions, from: number, to: number): number {
    const { depth, top, separable, norm, floor, tiered, withoutZeros, bell, shift, near } = options;
    return this.#kernel.lambdas(
      n,
      Math.min(depth, top),
      top < depth ? 1 : 0,
      separable ? 1 : 0,
      tiered ? 1 : 0,
      withoutZeros ? 1 : 0,
      norm,
      floor,
      bell ? 1 : 0,
      shift,
      Math.exp(shift),
      near,
      from,
      to,
    );
  }
}
