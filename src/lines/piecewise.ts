/** A function of one number that is constant between breakpoints: what a rank measure is along a line. */

export interface Plateau {
  /** Where it begins and ends; infinite at either end of the line. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** Rises smaller than this are rounding. */
const ROUNDING = 1e-11;

export class PiecewiseConstant {
  /** Below the first breakpoint. */
  readonly first: number;
  readonly #breakpoints: Float64Array;
  readonly #changes: Float64Array;

  /** Breakpoints rise; equal ones are one breakpoint, whose changes add up. */
  constructor(first: number, breakpoints: Float64Array, changes: Float64Array) {
    this.first = first;
    this.#breakpoints = breakpoints;
    this.#changes = changes;
  }

  get breakpoints(): number {
    return this.#breakpoints.length;
  }

  *plateaus(): Generator<Plateau, void, void> {
    for (let i = 0, value = this.first; i <= this.#breakpoints.length; ) {
      const plateau = this.#from(i, value);
      yield plateau;
      if (plateau.to === Infinity) return;
      for (; this.#breakpoints[i] === plateau.to; i++) value += this.#changes[i]!;
    }
  }

  /** Before breakpoint i, where the value is known. */
  #from(i: number, value: number): Plateau {
    return { from: this.#breakpoints[i - 1] ?? -Infinity, to: this.#breakpoints[i] ?? Infinity, value };
  }

  /** At 0, or just above where 0 is a breakpoint. */
  here(): Plateau {
    const at = this.#breakpoints;
    let value = this.first;
    let i = 0;
    for (; i < at.length && at[i]! <= 0; i++) value += this.#changes[i]!;
    return this.#from(i, value);
  }

  /** The highest plateau; of equals the one nearest to 0, the one above it where two are as near. */
  best(): Plateau {
    const at = this.#breakpoints;
    let best = this.#from(0, this.first);
    let value = this.first;
    for (let i = 0; i < at.length; ) {
      const from = at[i]!;
      for (; at[i] === from; i++) value += this.#changes[i]!;
      if (value < best.value - ROUNDING) continue;
      const found = this.#from(i, value);
      if (value > best.value + ROUNDING || distance(found) <= distance(best)) best = found;
    }
    return best;
  }

  /** The widest interval around 0 in which no plateau is above what there is at 0 by more than the threshold. */
  withoutRise(threshold = 0, now = this.here().value): { readonly from: number; readonly to: number } {
    const most = now + Math.max(threshold, ROUNDING);
    let from = -Infinity;
    for (const plateau of this.plateaus()) {
      if (plateau.value <= most) continue;
      if (plateau.from >= 0) return { from, to: plateau.from };
      if (plateau.to > 0) return { from: 0, to: 0 };
      from = plateau.to;
    }
    return { from, to: Infinity };
  }
}

/** A share of a line's span: breakpoints that are as near are one, which rounding has torn apart. */
const TOGETHER = 1e-11;

/** Breakpoints up to here are one with this. The span is the least of the line: see span.ts. */
export function joinedUpTo(breakpoint: number, span: number): number {
  return breakpoint + TOGETHER * (Math.abs(breakpoint) + span);
}

function distance({ from, to }: Plateau): number {
  return from > 0 ? from : to < 0 ? -to : 0;
}

/** Of a plateau or, where it has no end, of the way to it: an odd number, see `middle`. */
const HALF = 0.48637;

/**
 * Near the middle; where a plateau has no end, about as far beyond its other end as that is from 0, and 1 more. Not the
 * very middle: where scores have few values, documents whose crossing changes nothing meet there, and tie.
 */
export function middle({ from, to }: Plateau): number {
  if (from === -Infinity) return to === Infinity ? 0 : to - 2 * HALF * (Math.abs(to) + 1);
  return to === Infinity ? from + 2 * HALF * (Math.abs(from) + 1) : from + HALF * (to - from);
}
