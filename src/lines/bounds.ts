/** Intervals side by side: what a sum is where each begins, and can be within. */

/** Intervals low to high, and the sum where they begin. */
export interface Intervals {
  readonly low: number;
  readonly high: number;
  readonly first: number;
}

export interface SliceBounds {
  /** Where each interval begins, and the last ends. */
  readonly values: Float64Array;
  /** At most, within. */
  readonly most: Float64Array;
}

export class Bounds {
  readonly #values: Float64Array;
  readonly #bounds: Float64Array;

  constructor(intervals: number) {
    this.#values = new Float64Array(intervals + 1);
    this.#bounds = new Float64Array(intervals);
  }

  /** Adds up what slices say. Returns the highest value. */
  add(slices: readonly SliceBounds[]): number {
    const values = this.#values.fill(0);
    const bounds = this.#bounds.fill(0);
    for (const { values: own, most } of slices) {
      for (let b = 0; b < values.length; b++) values[b]! += own[b]!;
      for (let b = 0; b < bounds.length; b++) bounds[b]! += most[b]!;
    }
    let highest = -Infinity;
    for (let b = 0; b < values.length; b++) highest = Math.max(highest, values[b]!);
    return highest;
  }

  /** The interval of the highest bound, and those beside it that are above the floor, too. */
  highest(floor: number, most: number): Intervals | undefined {
    const bounds = this.#bounds;
    let low = 0;
    for (let b = 1; b < bounds.length; b++) if (bounds[b]! > bounds[low]!) low = b;
    if (!(bounds[low]! > floor)) return undefined;
    let high = low + 1;
    while (high - low < most) {
      const below = low > 0 ? bounds[low - 1]! : -Infinity;
      const above = high < bounds.length ? bounds[high]! : -Infinity;
      if (Math.max(below, above) <= floor) break;
      if (above >= below) high++;
      else low--;
    }
    return { low, high, first: this.#values[low]! };
  }

  /** They are done with. */
  drop({ low, high }: Intervals): void {
    this.#bounds.fill(-Infinity, low, high);
  }
}
