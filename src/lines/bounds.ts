/** Intervals of a line side by side, and what a sum can be at most within each, or is where each begins. */

/** Those from low to high. */
export interface Intervals {
  readonly low: number;
  readonly high: number;
}

export class Bounds {
  readonly #bounds: Float64Array;

  constructor(intervals: number) {
    this.#bounds = new Float64Array(intervals).fill(-Infinity);
  }

  /** Adds up what slices say of these intervals; others are as before. */
  add(slices: readonly Float64Array[], { low, high }: Intervals): void {
    const bounds = this.#bounds.fill(0, low, high);
    let s = 0;
    // Four at a time, one after the other all the same: a sum is read and written less often.
    for (; s + 4 <= slices.length; s += 4) {
      const [first, second, third, fourth] = [slices[s]!, slices[s + 1]!, slices[s + 2]!, slices[s + 3]!];
      for (let b = low; b < high; b++) bounds[b] = bounds[b]! + first[b]! + second[b]! + third[b]! + fourth[b]!;
    }
    for (; s < slices.length; s++) {
      const own = slices[s]!;
      for (let b = low; b < high; b++) bounds[b]! += own[b]!;
    }
  }

  /** That of an interval. */
  of(interval: number): number {
    return this.#bounds[interval]!;
  }

  /** The interval of the highest bound, and those beside it that are above the floor, too. */
  highest(floor: number, most: number, within: Intervals): Intervals | undefined {
    const bounds = this.#bounds;
    let { low } = within;
    for (let b = low + 1; b < within.high; b++) if (bounds[b]! > bounds[low]!) low = b;
    if (!(bounds[low]! > floor)) return undefined;
    let high = low + 1;
    while (high - low < most) {
      const below = low > within.low ? bounds[low - 1]! : -Infinity;
      const above = high < within.high ? bounds[high]! : -Infinity;
      if (Math.max(below, above) <= floor) break;
      if (above >= below) high++;
      else low--;
    }
    return { low, high };
  }

  /** They are done with. */
  drop({ low, high }: Intervals): void {
    this.#bounds.fill(-Infinity, low, high);
  }
}
