/** Values counted in ranges of equal, round width. */
import type { Bin } from './charts.js';

export interface BinOptions {
  /** Roughly how many ranges; 20 where left out. */
  readonly count?: number;
  /** Counts of things: no range is narrower than 1, and each is centred on whole numbers. */
  readonly whole?: boolean;
  /** Whether the value at this place belongs to the part that is counted apart. */
  readonly part?: (place: number) => boolean;
}

/** Missing values are not counted. An infinite one has no range and is not, either. */
export function histogramBins(values: ArrayLike<number>, { count = 20, whole = false, part }: BinOptions = {}): Bin[] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [];
  const step = Math.max(roundStep((high - low) / count), whole ? 1 : 0) || 1;
  const origin = whole ? 0.5 : 0;
  const first = Math.floor((low + origin) / step);
  const bins = Math.max(1, Math.ceil((high + origin) / step) - first);
  const counts = new Float64Array(bins);
  const parts = new Float64Array(bins);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    // The last range is closed: where values end at 1, it does not start there.
    const bin = Math.min(bins - 1, Math.floor((value + origin) / step) - first);
    counts[bin]!++;
    if (part?.(i)) parts[bin]!++;
  }
  return Array.from(counts, (number, i) => ({
    ...binAt(first + i, step, origin, number),
    ...(part !== undefined && { part: parts[i]! }),
  }));
}

function binAt(at: number, step: number, origin: number, count: number): Bin {
  // Rounded, so that 3 x 0.1 is 0.3.
  const end = (i: number) => Number((i * step - origin).toPrecision(12));
  return { from: end(at), to: end(at + 1), count };
}

/** The nearest of 1, 2, 5 x 10^n that is not below. */
function roundStep(width: number): number {
  if (width === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(width));
  return ([1, 2, 5].find(step => width <= step * power * (1 + 1e-9)) ?? 10) * power;
}
