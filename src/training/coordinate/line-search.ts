/** Exact search along lines through the weights of a linear model. */
import type { LineMeasure } from '../../lines/line-measure.js';
import { middle, type PiecewiseConstant } from '../../lines/piecewise.js';
import type { Steps } from '../../steps.js';
import type { SeenData } from '../linear/seen-data.js';

/** Smaller rises are rounding. */
const LEAST_RISE = 1e-10;

export interface LineStep {
  /** By how much to go along the direction; 0 where nothing is better. */
  readonly step: number;
  /** The mean there. */
  readonly value: number;
}

export class LineSearch {
  readonly seen: SeenData;
  readonly #line: LineMeasure;

  constructor(seen: SeenData, line: LineMeasure) {
    this.seen = seen;
    this.#line = line;
  }

  /** Scores of the weights, from which lines begin. */
  from(weights: Float64Array): void {
    this.seen.scores(weights, this.#line.start);
  }

  /** Goes along the last direction by a step: quicker than `from`, but for rounding the same. */
  advance(step: number): void {
    const { start, slope } = this.#line;
    for (let i = 0; i < start.length; i++) start[i]! += step * slope[i]!;
  }

  /** To the best there is along a feature, or a direction; nowhere where that is no better than now. */
  *best(direction: number | Float64Array, now: number): Steps<LineStep> {
    if (typeof direction === 'number') this.seen.column(direction, this.#line.slope);
    else this.seen.scores(direction, this.#line.slope);
    const name = typeof direction === 'number' ? direction : undefined;
    const peak = yield* this.#line.peak(now + LEAST_RISE, name);
    return peak === undefined ? { step: 0, value: now } : { step: middle(peak), value: peak.value };
  }

  /** The mean of the measure along a direction of weights; `change` may change by how much documents' scores grow. */
  *along(direction: Float64Array, change: (slope: Float64Array) => void = () => {}): Steps<PiecewiseConstant> {
    this.seen.scores(direction, this.#line.slope);
    change(this.#line.slope);
    return yield* this.#line.along();
  }

  /** Scores at 0, of each document, for callers that change them. */
  get scores(): Float64Array {
    return this.#line.start;
  }

  /** The mean of the weights, with ties that a line would break. */
  here(): Steps<number> {
    return this.#line.here();
  }

  /** From a mean to the value of the measure. */
  finish(mean: number): number {
    return this.#line.finish(mean);
  }
}
