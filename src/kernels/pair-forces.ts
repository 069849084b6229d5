/** The pair kernel over a small memory of its own: order, gather, forces of one query. Not shared: each thread has one. */
import { loadKernel } from './load.js';

interface Exports extends WebAssembly.Exports {
  orderByCounting(scores: number, n: number, order: number): void;
  orderByMerging(scores: number, n: number, order: number, scratch: number): void;
  gather(byDocument: number, order: number, n: number, byRank: number): void;
  scatter(byRank: number, order: number, n: number, byDocument: number): void;
  powersOf(scores: number, n: number, powers: number): void;
  pairForces(
    n: number,
    depth: number,
    scores: number,
    powers: number,
    label: number,
    tier: number,
    gain: number,
    upper: number,
    slope: number,
    lower: number,
    norm: number,
    floor: number,
    bell: number,
    shift: number,
    lift: number,
    factored: number,
    lambda: number,
    curvature: number,
  ): number;
}

/** Regions of the memory, one value a document (or rank) each. */
const REGIONS = [
  'order',
  'scratch',
  // by document
  'score',
  'label',
  'tier',
  'gain',
  'lambda',
  'curvature',
  // by rank
  'rankedScore',
  'rankedLabel',
  'rankedTier',
  'rankedGain',
  'power',
  'upper',
  'slope',
  'lower',
  'rankedLambda',
  'rankedCurvature',
] as const;

type Region = (typeof REGIONS)[number];

/** Above this many documents, merging beats counting. */
const COUNTING_LIMIT = 320;
/** Scores of a query further apart than this are not factored: their powers would fall below float32. */
const FACTORED_SPAN = 80;

export interface PairForcesOptions {
  /** Ranks from here on are the upper of no pair with a weight. */
  depth: number;
  norm: number;
  floor: number;
  bell: boolean;
  shift: number;
}

export class PairKernel {
  readonly #memory = new WebAssembly.Memory({ initial: 2 });
  readonly #kernel = loadKernel<Exports>('pair-forces', this.#memory);
  #capacity = 0;
  /** Byte address of each region. */
  readonly #at = {} as Record<Region, number>;
  /** The regions as arrays; filled by the caller: score, label, tier, gain by document, upper, slope, lower by rank. */
  readonly arrays = {} as Record<Region, Float32Array>;
  order: Uint32Array = new Uint32Array(0);

  /** Makes room for a query of n documents. */
  reserve(n: number): void {
    if (n <= this.#capacity) return;
    const capacity = Math.max(256, 2 ** Math.ceil(Math.log2(n)));
    // 4 entries of padding, and 12 more so that regions do not lie a power of two apart.
    const stride = 4 * (capacity + 16);
    const pages = Math.ceil((1024 + REGIONS.length * stride) / 65536);
    const present = this.#memory.buffer.byteLength / 65536;
    if (pages > present) this.#memory.grow(pages - present);
    for (const [i, region] of REGIONS.entries()) {
      this.#at[region] = 1024 + i * stride;
      this.arrays[region] = new Float32Array(this.#memory.buffer, this.#at[region], capacity + 16);
    }
    this.order = new Uint32Array(this.#memory.buffer, this.#at.order, capacity + 16);
    this.#capacity = capacity;
  }

  /** Ranks the first n scores; `order` then holds the document at each rank. */
  rank(n: number): void {
    if (n <= COUNTING_LIMIT) this.#kernel.orderByCounting(this.#at.score, n, this.#at.order);
    else this.#kernel.orderByMerging(this.#at.score, n, this.#at.order, this.#at.scratch);
  }

  /** After `rank` and with the tables filled: lambda and curvature by document. Returns the pairs with a force. */
  forces(n: number, { depth, norm, floor, bell, shift }: PairForcesOptions): number {
    const at = this.#at;
    const kernel = this.#kernel;
    kernel.gather(at.score, at.order, n, at.rankedScore);
    kernel.gather(at.label, at.order, n, at.rankedLabel);
    kernel.gather(at.tier, at.order, n, at.rankedTier);
    kernel.gather(at.gain, at.order, n, at.rankedGain);
    this.arrays.rankedTier.fill(Number.NaN, n, n + 4);
    const ranked = this.arrays.rankedScore;
    const factored = ranked[0]! - ranked[n - 1]! + Math.abs(shift) <= FACTORED_SPAN;
    if (factored) kernel.powersOf(at.rankedScore, n, at.power);
    const pairs = kernel.pairForces(
      n,
      Math.min(depth, n - 1),
      at.rankedScore,
      at.power,
      at.rankedLabel,
      at.rankedTier,
      at.rankedGain,
      at.upper,
      at.slope,
      at.lower,
      norm,
      floor,
      bell ? 1 : 0,
      shift,
      Math.exp(shift),
      factored ? 1 : 0,
      at.rankedLambda,
      at.rankedCurvature,
    );
    kernel.scatter(at.rankedLambda, at.order, n, at.lambda);
    kernel.scatter(at.rankedCurvature, at.order, n, at.curvature);
    return pairs;
  }
}
