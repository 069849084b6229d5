/** The best weak ranker of a feature: 1 above a threshold and 0 up to it, missing values whichever is better. */
import { MISSING_BIN } from '../../kernels/layouts/boosting.js';

export interface WeakRanker {
  /** Documents with a bin up to this are 0. */
  readonly bin: number;
  readonly missingLeft: boolean;
  /** Sum over documents of potential times output: between -1 and 1 where potentials are of a distribution. */
  readonly r: number;
}

/** `sums` are potentials by bin; `bins` counts those that are not of missing values. Of equals the first is chosen. */
export function bestThreshold(sums: Float64Array, bins: number): WeakRanker {
  const missing = sums[MISSING_BIN]!;
  let best: WeakRanker = { bin: 0, missingLeft: true, r: 0 };
  const see = (bin: number, missingLeft: boolean, r: number) => {
    if (Math.abs(r) > Math.abs(best.r)) best = { bin, missingLeft, r };
  };
  let above = 0;
  // Above the last bin are missing values alone.
  for (let bin = bins - 1; bin >= 0; bin--) {
    see(bin, true, above);
    if (missing !== 0) see(bin, false, above + missing);
    above += sums[bin]!;
  }
  return best;
}

/** A ranker that is never wrong would get an infinite weight. */
const LEAST_ERROR = 1e-6;

export function weightOf(r: number): number {
  const bounded = Math.max(LEAST_ERROR - 1, Math.min(1 - LEAST_ERROR, r));
  return 0.5 * Math.log((1 + bounded) / (1 - bounded));
}
