/** The value of a measure with its confidence interval. */
import { meanInterval } from '../analysis/significance/t-test.js';
import type { MeasureResult } from '../measures/evaluate.js';
import type { CellWithInterval } from './document.js';

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** By Student's t over queries; for other means than the arithmetic one, on the scale over which the mean is taken. */
export function estimateOf(
  { measure, values, mean }: Pick<MeasureResult, 'measure' | 'values' | 'mean'>,
  alpha: number,
): Estimate {
  const counted = values.filter(value => !Number.isNaN(value)).map(measure.aggregate.of);
  const [low, high] = meanInterval(counted, alpha);
  return { value: mean, low: measure.aggregate.finish(low), high: measure.aggregate.finish(high) };
}

/** For a table. */
export function intervalCell({ value, low, high }: Estimate): CellWithInterval {
  return { value, interval: [low, high] };
}

/** "0.4872 to 0.5375"; nothing to say where one query counts. */
export function intervalWords({ low, high }: Estimate): string {
  return Number.isNaN(low) ? 'no interval' : `${low.toFixed(4)} to ${high.toFixed(4)}`;
}
