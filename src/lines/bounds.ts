/** Intervals side by side: what a sum is where each begins, and can be within. */

/** Intervals low to high, and the sum where they begin. */
export interface Intervals {
  readonly low: number;
  readonly high: number;
  readonly first: number;
}

export interface SliceBounds {
  readonly values: Float64Array;
  readonly most: Float64Array;
}

export class Bounds {
  readonly #values: Float64Array;
  readonly #bounds: Float64Array;
  #count = 0;

  constructor(most: number) {
    this.#values = new Float64Array(most + 1);
    this.#bounds = new Float64Array(most);
  }

  /**
   * Adds up what slices say of so many intervals: their value where the first begins, beside `first`, then its changes,
   * and by how much it may be higher within each. Returns the highest value.
   */
  add(slices: readonly SliceBounds[], count: number, first = 0): number {
    const values = this.#values.fill(0);
    values[0] = first;
    const bounds = this.#bounds.fill(0);
    this.#count = count;
    for (const slice of slices) {
      for (let b = 0; b <= count; b++) values[b]! += slice.values[b]!;
      for (let b = 0; b < count; b++) bounds[b]! += slice.most[b]!;
    }
    let highest = values[0]!;
    for (let b = 0; b < count; b++) {
      bounds[b]! += values[b]!;
      values[b + 1]! += values[b]!;
      highest = Math.max(highest, values[b + 1]!);
    }
    return highest;
  }

  /** The interval of the highest bound, and those beside it that are above the floor, too. */
  highest(floor: number, most: number): Intervals | undefined {
    const bounds = this.#bounds;
    let low = 0;
    for (let b = 1; b < this.#count; b++) if (bounds[b]! > bounds[low]!) low = b;
    if (!(bounds[low]! > floor)) return undefined;
    let high = low + 1;
    while (high - low < most) {
      const below = low > 0 ? bounds[low - 1]! : -Infinity;
      const above = high < this.#count ? bounds[high]! : -Infinity;
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
