/**
 * The best of a line without most of its breakpoints. The line is cut into buckets; the kernel says what the sum of
 * queries is where each begins, and a bound of what it can be within. Changes are looked at only in buckets that can
 * hold something better, the most promising first.
 */
import { BUCKETS } from '../kernels/layouts/line-buckets.js';
import { SHIFT, STRETCH } from '../kernels/line-buckets.js';
import type { Steps } from '../steps.js';
import type { Plateau } from './piecewise.js';
import { RunSearch } from './run-search.js';

/** Buckets that are looked into at once. */
const MOST_BUCKETS = 6;
/** Sums differ by rounding. */
const ROUNDING = 1e-9;

/** What the kernel writes for a slice. */
export interface SliceOutput {
  readonly values: Float64Array;
  readonly most: Float64Array;
  readonly at: Float64Array;
  readonly changes: Float64Array;
}

/** Buckets low to high. */
export interface BucketRun {
  readonly low: number;
  readonly high: number;
}

export class LinePeak {
  readonly #slices: readonly SliceOutput[];
  readonly #counts: Int32Array;
  readonly #search = new RunSearch();
  /** By bucket: what the sum is where it begins, and can be within. */
  readonly #values = new Float64Array(BUCKETS + 1);
  readonly #bounds = new Float64Array(BUCKETS);

  /** By slice: what the kernel writes, and how many changes; -1 where there was no room for them. */
  constructor(slices: readonly SliceOutput[], counts: Int32Array) {
    this.#slices = slices;
    this.#counts = counts;
  }

  /**
   * The best plateau of the sum, above `least`; `look` lets the kernel write the changes of some buckets. Undefined
   * where there is none; 'unknown' where it cannot be had in this way.
   */
  *above(least: number, span: number, look: (run: BucketRun) => Steps<void>): Steps<Plateau | undefined | 'unknown'> {
    this.#add();
    const known = this.#values.reduce((most, value) => Math.max(most, value), -Infinity) - ROUNDING;
    let best: Plateau | undefined;
    for (;;) {
      const floor = Math.max(best?.value ?? least, known);
      let run = this.#next(floor, MOST_BUCKETS);
      if (run === undefined) break;
      yield* look(run);
      if (this.#counts.includes(-1)) {
        run = this.#next(floor, 1)!;
        yield* look(run);
        if (this.#counts.includes(-1)) return 'unknown';
      }
      best = this.#within(run, span, best?.value ?? least) ?? best;
      this.#bounds.fill(-Infinity, run.low, run.high);
    }
    return (best?.value ?? least) < known ? 'unknown' : best;
  }

  #within({ low, high }: BucketRun, span: number, least: number): Plateau | undefined {
    const run = {
      from: edge(low, span),
      to: edge(high, span),
      first: this.#values[low]!,
      span,
      share: (step: number) => ((step / (span + Math.abs(step)) + SHIFT) * STRETCH - low) / (high - low),
    };
    const lists = this.#slices.map(({ at, changes }, s) => ({ at, changes, count: this.#counts[s]! }));
    return this.#search.above(least, run, lists);
  }

  #add(): void {
    const values = this.#values.fill(0);
    const bounds = this.#bounds.fill(0);
    for (const slice of this.#slices) {
      for (let b = 0; b <= BUCKETS; b++) values[b]! += slice.values[b]!;
      for (let b = 0; b < BUCKETS; b++) bounds[b]! += slice.most[b]!;
    }
    for (let b = 0; b < BUCKETS; b++) {
      bounds[b]! += values[b]!;
      values[b + 1]! += values[b]!;
    }
  }

  /** The bucket of the highest bound, and those beside it that are above the floor, too. */
  #next(floor: number, most: number): BucketRun | undefined {
    const bounds = this.#bounds;
    let low = 0;
    for (let b = 1; b < BUCKETS; b++) if (bounds[b]! > bounds[low]!) low = b;
    if (!(bounds[low]! > floor)) return undefined;
    let high = low + 1;
    while (high - low < most) {
      const [below, above] = [bounds[low - 1] ?? -Infinity, bounds[high] ?? -Infinity];
      if (Math.max(below, above) <= floor) break;
      if (above >= below) high++;
      else low--;
    }
    return { low, high };
  }
}

/** The step at which a bucket begins. */
function edge(bucket: number, span: number): number {
  const share = bucket / STRETCH - SHIFT;
  if (share <= -1) return -Infinity;
  return share >= 1 ? Infinity : (span * share) / (1 - Math.abs(share));
}
