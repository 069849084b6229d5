/**
 * The best of a line without most of its breakpoints. The line is cut into wide sections, and these into buckets. The
 * kernel gives a bound of what the sum of queries can be within each section; for buckets of sections that can hold
 * something better, the sum where each begins, and a bound again. Only buckets are looked at that can hold something
 * better, the most promising first.
 */
import { PLACES } from '../kernels/layouts/line-buckets.js';
import type { LineCuts } from '../kernels/line-bucket-memory.js';
import { placeOf, stepOf } from '../kernels/line-places.js';
import type { Steps } from '../steps.js';
import { Bounds, type Intervals } from './bounds.js';
import { COARSE, FINE, FIRST, SECTIONS } from './line-slices.js';
import type { Plateau } from './piecewise.js';
import type { RankSlices } from './rank-slices.js';
import { RunSearch } from './run-search.js';
import type { Span } from './span.js';

/** Sections whose buckets are looked at at once, and buckets whose changes are. */
const SECTIONS_AT_ONCE = 16;
const AT_ONCE = 32;
/** Sums differ by rounding. */
const ROUNDING = 1e-9;

/** What the kernel writes for a slice. */
export interface SliceOutput {
  readonly sections: Float64Array;
  readonly values: Float64Array;
  readonly most: Float64Array;
  readonly at: Float64Array;
  readonly changes: Float64Array;
}

/** Lets the kernel do a kind of work on all slices, for some places. */
export type Work = (kind: number, ...run: readonly number[]) => Steps<void>;

/** What is known of a line: the best plateau that was found, and that the sum gets as high as `known` somewhere. */
interface Found {
  readonly least: number;
  best: Plateau | undefined;
  known: number;
}

export class LinePeak {
  readonly #from: RankSlices;
  readonly #search = new RunSearch();
  readonly #sections: Bounds;
  readonly #buckets: Bounds;
  /** Where buckets begin, and where the last ends. */
  readonly #values: Bounds;
  readonly #cuts: LineCuts;
  readonly #places: number;

  constructor(from: RankSlices, cuts: LineCuts) {
    this.#from = from;
    this.#sections = new Bounds(cuts.sections);
    this.#buckets = new Bounds(cuts.buckets);
    this.#values = new Bounds(cuts.buckets + 1);
    this.#cuts = cuts;
    this.#places = PLACES / cuts.buckets;
  }

  /** The sum below every crossing. */
  *first(work: Work): Steps<number> {
    yield* work(FIRST, 0, 0);
    this.#addValues({ low: 0, high: 1 });
    return this.#values.of(0);
  }

  /**
   * The best plateau of the sum, above `least`. Undefined where there is none; 'unknown' where it cannot be had in this
   * way.
   */
  *above(least: number, span: Span, work: Work): Steps<Plateau | undefined | 'unknown'> {
    yield* work(SECTIONS);
    const all = { low: 0, high: this.#cuts.sections };
    const { slices } = this.#from;
    this.#sections.add(
      slices.map(({ sections }) => sections),
      all,
    );
    const found: Found = { least, best: undefined, known: -Infinity };
    for (;;) {
      const sections = this.#sections.highest(floorOf(found), SECTIONS_AT_ONCE, all);
      if (sections === undefined) break;
      if ((yield* this.#look(sections, found, span, work)) === 'unknown') return 'unknown';
      this.#sections.drop(sections);
    }
    const { best, known } = found;
    return (best?.value ?? least) < known ? 'unknown' : best;
  }

  /** Looks for something better in some sections. */
  *#look(sections: Intervals, found: Found, span: Span, work: Work): Steps<'unknown' | undefined> {
    const each = this.#cuts.buckets / this.#cuts.sections;
    const within = { low: sections.low * each, high: sections.high * each };
    yield* work(COARSE, within.low * this.#places, within.high * this.#places);
    this.#buckets.add(
      this.#from.slices.map(({ most }) => most),
      within,
    );
    this.#addValues({ low: within.low, high: within.high + 1 });
    for (let b = within.low; b <= within.high; b++) found.known = Math.max(found.known, this.#values.of(b) - ROUNDING);
    for (let atOnce = AT_ONCE; ; ) {
      const buckets = this.#buckets.highest(floorOf(found), atOnce, within);
      if (buckets === undefined) return undefined;
      const [low, high] = [buckets.low * this.#places, buckets.high * this.#places];
      yield* work(FINE, low, high);
      if (this.#from.counts.includes(-1)) {
        if (atOnce === 1) return 'unknown';
        atOnce = 1;
        continue;
      }
      const least = found.best?.value ?? found.least;
      found.best = this.#within(low, high, this.#values.of(buckets.low), span, least) ?? found.best;
      this.#buckets.drop(buckets);
    }
  }

  #addValues(buckets: Intervals): void {
    this.#values.add(
      this.#from.slices.map(({ values }) => values),
      buckets,
    );
  }

  #within(low: number, high: number, first: number, span: Span, least: number): Plateau | undefined {
    const { typical } = span;
    const share = (step: number) => (placeOf(step, typical) - low) / (high - low);
    const run = { from: stepOf(low, typical), to: stepOf(high, typical), first, span: span.least, share };
    const lists = this.#from.slices.map(({ at, changes }, s) => ({ at, changes, count: this.#from.counts[s]! }));
    return this.#search.above(least, run, lists);
  }
}

function floorOf({ least, best, known }: Found): number {
  return Math.max(best?.value ?? least, known);
}
