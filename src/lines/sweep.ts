/** Queries along a line: what each counts below every crossing, and by how much their sum changes where. */
import type { Steps } from '../steps.js';

export interface Line {
  /** By row: score at 0, and what it grows by along the line. */
  readonly start: Float64Array;
  readonly slope: Float64Array;
}

export interface SweepOutput {
  /** By query: what it counts below all crossings; NaN where it does not count. */
  readonly first: Float64Array;
  /** Breakpoints, lowest first, and the change at each. */
  readonly at: Float64Array;
  readonly change: Float64Array;
}

export interface Sweep {
  /** The most breakpoints of a query. */
  most(query: number): number;
  /** Returns the number of breakpoints. */
  run(firstQuery: number, lastQuery: number, line: Line, out: SweepOutput): Steps<number>;
}
