/**
 * The best of a line without most of its breakpoints. The line is cut into buckets; the kernel says what the sum of
 * queries is where each begins, and a bound of what it can be within. Those that can hold something better are cut into
 * parts, the most promising first, and these again where they have many crossings; changes are looked at only in parts
 * that still can.
 */
import { BUCKETS, PARTS, PLACES } from '../kernels/layouts/line-buckets.js';
import { placeOf, stepOf } from '../kernels/line-buckets.js';
import type { Steps } from '../steps.js';
import { Bounds } from './bounds.js';
import { CLOSER, COARSE, FINE } from './line-slices.js';
import type { Plateau } from './piecewise.js';
import type { RankSlices } from './rank-slices.js';
import { RunSearch } from './run-search.js';
import type { Span } from './span.js';

/** Logarithms of the places of a bucket, and of the parts that it is cut into, and these again. */
const SHIFTS = [Math.log2(PLACES), 7, 5];
/** Parts whose changes are looked at at once, and for how many crossings they are not cut again. */
const PARTS_AT_ONCE = 32;
const FEW = 2 ** 18;
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

/** A line that is being looked at. */
interface Look {
  readonly work: Work;
  readonly span: Span;
  readonly least: number;
  /** The sum gets as high as that somewhere. */
  known: number;
  best: Plateau | undefined;
}

export class LinePeak {
  readonly #from: RankSlices;
  readonly #search = new RunSearch();
  readonly #levels = SHIFTS.map((_, level) => new Bounds(level === 0 ? BUCKETS : PARTS));

  constructor(from: RankSlices) {
    this.#from = from;
  }

  /**
   * The best plateau of the sum, above `least`. Undefined where there is none; 'unknown' where it cannot be had in this
   * way.
   */
  *above(least: number, span: Span, work: Work): Steps<Plateau | undefined | 'unknown'> {
    yield* work(COARSE);
    const known = this.#levels[0]!.add(this.#from.slices, BUCKETS) - ROUNDING;
    const look: Look = { work, span, least, known, best: undefined };
    if (!(yield* this.#narrow(look, 0, 0, Infinity))) return 'unknown';
    return (look.best?.value ?? least) < look.known ? 'unknown' : look.best;
  }

  /** Intervals from a place on, of about so many crossings each; false where there is no room for their changes. */
  *#narrow(look: Look, level: number, begin: number, crossings: number): Steps<boolean> {
    const bounds = this.#levels[level]!;
    const [shift, next] = [SHIFTS[level]!, SHIFTS[level + 1]];
    for (let atOnce = PARTS_AT_ONCE; ; ) {
      const deeper = next !== undefined && crossings * PARTS_AT_ONCE > FEW;
      const found = bounds.highest(
        Math.max(look.best?.value ?? look.least, look.known),
        deeper ? PARTS >> (shift - next) : atOnce,
      );
      if (found === undefined) return true;
      const [low, high] = [begin + (found.low << shift), begin + (found.high << shift)];
      if (deeper) {
        yield* look.work(CLOSER, low, high, next);
        const parts = (high - low) >> next;
        const { slices, counts } = this.#from;
        const all = counts.reduce((sum, count) => sum + count, 0);
        look.known = Math.max(look.known, this.#levels[level + 1]!.add(slices, parts, found.first) - ROUNDING);
        if (!(yield* this.#narrow(look, level + 1, low, all / parts))) return false;
      } else {
        yield* look.work(FINE, low, high);
        if (this.#from.counts.includes(-1)) {
          if (atOnce === 1) return false;
          atOnce = 1;
          continue;
        }
        look.best = this.#within(low, high, found.first, look) ?? look.best;
      }
      bounds.drop(found);
    }
  }

  #within(low: number, high: number, first: number, { span, best, least }: Look): Plateau | undefined {
    const { typical } = span;
    const share = (step: number) => (placeOf(step, typical) - low) / (high - low);
    const run = { from: stepOf(low, typical), to: stepOf(high, typical), first, span: span.least, share };
    const { slices, counts } = this.#from;
    const lists = slices.map(({ at, changes }, s) => ({ at, changes, count: counts[s]! }));
    return this.#search.above(best?.value ?? least, run, lists);
  }
}
