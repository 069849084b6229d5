/** Where an axis has its ticks. */
import type { Axis } from './charts.js';

/** About `count` round values between the ends, evenly apart; what is counted has none between whole numbers. */
export function roundTicks(
  { style, scale }: Axis,
  [low, high]: readonly number[],
  count: number,
): number[] | undefined {
  if (scale === 'log') return powersOfTen(low!, high!);
  const apart = Math.max((high! - low!) / count, style === 'count' ? 1 : 0) || 1;
  const power = 10 ** Math.floor(Math.log10(apart));
  const step = power * ([1, 2, 5, 10].find(factor => factor * Math.SQRT2 >= apart / power) ?? 10);
  const first = Math.ceil(low! / step - 1e-9);
  const last = Math.floor(high! / step + 1e-9);
  // Through a text of few digits, since 3 * 0.1 is not 0.3.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Of a logarithmic axis; undefined where there are fewer than two, so that the plot finds others. */
function powersOfTen(low: number, high: number): number[] | undefined {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  return last > first ? Array.from({ length: last - first + 1 }, (_, i) => Number(`1e${first + i}`)) : undefined;
}
