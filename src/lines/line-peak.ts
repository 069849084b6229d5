/**
 * The best of a line without most of its breakpoints. The line is cut into buckets; the kernel says what the sum of
 * queries is where each begins, and a bound of what it can be within. Only buckets are looked at that can hold
 * something better, the most promising first.
 */
import { PLACES } from '../kernels/layouts/line-buckets.js';
import { placeOf, stepOf } from '../kernels/line-places.js';
import type { Steps } from '../steps.js';
import { Bounds } from './bounds.js';
import { COARSE, FINE } from './line-slices.js';
import type { Plateau } from './piecewise.js';
import type { RankSlices } from './rank-slices.js';
import { RunSearch } from './run-search.js';
import type { Span } from './span.js';

/** Buckets whose changes are looked at at once. */
const AT_ONCE = 32;
/** Sums differ by rounding. */
const ROUNDING = 1e-9;

/** What the kernel writes for a slice. */
export interface SliceOutput {
  readonly values: Float64Array;
  readonly most: Float64Array;
  readonly at: Float64Array;
  readonly changes: Float64Array;
}

/** Lets the kernel do a kind of work on all slices, for some places. */
export type Work = (kind: number, ...run: readonly number[]) => Steps<void>;

export class LinePeak {
  readonly #from: RankSlices;
  readonly #search = new RunSearch();
  readonly #bounds: Bounds;
  readonly #places: number;

  constructor(from: RankSlices, buckets: number) {
    this.#from = from;
    this.#bounds = new Bounds(buckets);
    this.#places = PLACES / buckets;
  }

  /** The sum below every crossing. */
  *first(work: Work): Steps<number> {
    yield* work(COARSE);
    return this.#from.slices.reduce((sum, { values }) => sum + values[0]!, 0);
  }

  /**
   * The best plateau of the sum, above `least`. Undefined where there is none; 'unknown' where it cannot be had in this
   * way.
   */
  *above(least: number, span: Span, work: Work): Steps<Plateau | undefined | 'unknown'> {
    yield* work(COARSE);
    // The sum gets as high as that somewhere.
    const known = this.#bounds.add(this.#from.slices) - ROUNDING;
    let best: Plateau | undefined;
    for (let atOnce = AT_ONCE; ; ) {
      const found = this.#bounds.highest(Math.max(best?.value ?? least, known), atOnce);
      if (found === undefined) break;
      const [low, high] = [found.low * this.#places, found.high * this.#places];
      yield* work(FINE, low, high);
      if (this.#from.counts.includes(-1)) {
        if (atOnce === 1) return 'unknown';
        atOnce = 1;
        continue;
      }
      best = this.#within(low, high, found.first, span, best?.value ?? least) ?? best;
      this.#bounds.drop(found);
    }
    return (best?.value ?? least) < known ? 'unknown' : best;
  }

  #within(low: number, high: number, first: number, span: Span, least: number): Plateau | undefined {
    const { typical } = span;
    const share = (step: number) => (placeOf(step, typical) - low) / (high - low);
    const run = { from: stepOf(low, typical), to: stepOf(high, typical), first, span: span.least, share };
    const lists = this.#from.slices.map(({ at, changes }, s) => ({ at, changes, count: this.#from.counts[s]! }));
    return this.#search.above(least, run, lists);
  }
}
