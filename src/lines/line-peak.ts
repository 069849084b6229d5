/**
 * The best of a line without most of its breakpoints. The line is cut into buckets; the kernel says what the sum of
 * queries is where each begins, and a bound of what it can be within. Those that can hold something better are cut into
 * parts, the most promising first, and changes are looked at only in parts that still can.
 */
import { BUCKETS, PARTS, PLACES } from '../kernels/layouts/line-buckets.js';
import { PART_PLACES, placeOf, stepOf } from '../kernels/line-buckets.js';
import type { Steps } from '../steps.js';
import { Bounds } from './bounds.js';
import { CLOSER, COARSE, FINE } from './line-slices.js';
import type { Plateau } from './piecewise.js';
import { RunSearch } from './run-search.js';
import type { Span } from './span.js';

/** Buckets that are cut into parts at once, and parts whose changes are looked at. */
const BUCKETS_AT_ONCE = (PARTS * PART_PLACES) / PLACES;
const PARTS_AT_ONCE = 32;
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
export type Work = (kind: number, low: number, high: number) => Steps<void>;

export class LinePeak {
  readonly #slices: readonly SliceOutput[];
  readonly #counts: Int32Array;
  readonly #search = new RunSearch();
  readonly #buckets = new Bounds(BUCKETS);
  readonly #parts = new Bounds(PARTS);

  /** By slice: what the kernel writes, and how many changes; -1 where there was no room for them. */
  constructor(slices: readonly SliceOutput[], counts: Int32Array) {
    this.#slices = slices;
    this.#counts = counts;
  }

  /**
   * The best plateau of the sum, above `least`. Undefined where there is none; 'unknown' where it cannot be had in this
   * way.
   */
  *above(least: number, span: Span, work: Work): Steps<Plateau | undefined | 'unknown'> {
    yield* work(COARSE, 0, 0);
    let known = this.#buckets.add(this.#slices, BUCKETS) - ROUNDING;
    let best: Plateau | undefined;
    const floor = () => Math.max(best?.value ?? least, known);
    for (;;) {
      const run = this.#buckets.take(floor(), BUCKETS_AT_ONCE);
      if (run === undefined) break;
      const low = run.low * PLACES;
      yield* work(CLOSER, low, run.high * PLACES);
      known = Math.max(known, this.#parts.add(this.#slices, ((run.high - run.low) * PLACES) / PART_PLACES) - ROUNDING);
      for (let most = PARTS_AT_ONCE; ; ) {
        const parts = this.#parts.highest(floor(), most);
        if (parts === undefined) break;
        const [from, to] = [low + parts.low * PART_PLACES, low + parts.high * PART_PLACES];
        yield* work(FINE, from, to);
        if (!this.#counts.includes(-1)) {
          best = this.#within(from, to, parts.first, span, best?.value ?? least) ?? best;
          this.#parts.drop(parts);
        } else if (most === 1) return 'unknown';
        else most = 1;
      }
    }
    return (best?.value ?? least) < known ? 'unknown' : best;
  }

  #within(low: number, high: number, first: number, span: Span, least: number): Plateau | undefined {
    const { typical } = span;
    const share = (step: number) => (placeOf(step, typical) - low) / (high - low);
    const run = { from: stepOf(low, typical), to: stepOf(high, typical), first, span: span.least, share };
    const lists = this.#slices.map(({ at, changes }, s) => ({ at, changes, count: this.#counts[s]! }));
    return this.#search.above(least, run, lists);
  }
}
