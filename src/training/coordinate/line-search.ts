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

  /** The mean of the measure along a feature. */
  *alongFeature(feature: number): Steps<PiecewiseConstant> {
    this.seen.column(feature, this.#line.slope);
    return yield* this.#line.along();
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

/** To the middle of the best plateau; nowhere where that is no better than now. */
export function bestStep(line: PiecewiseConstant, now: number): LineStep {
  const best = line.best();
  return best.value > now + LEAST_RISE ? { step: middle(best), value: best.value } : { step: 0, value: now };
}
