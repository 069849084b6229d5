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
  let best = 0;
  let missingLeft = true;
  let r = 0;
  let above = 0;
  // Above the last bin are missing values alone.
  for (let bin = bins - 1; bin >= 0; bin--) {
    if (Math.abs(above) > Math.abs(r)) {
      best = bin;
      missingLeft = true;
      r = above;
    }
    if (missing !== 0 && Math.abs(above + missing) > Math.abs(r)) {
      best = bin;
      missingLeft = false;
      r = above + missing;
    }
    above += sums[bin]!;
  }
  return { bin: best, missingLeft, r };
}

/** A ranker that is never wrong would get an infinite weight. */
const LEAST_ERROR = 1e-6;

export function weightOf(r: number): number {
  const bounded = Math.max(LEAST_ERROR - 1, Math.min(1 - LEAST_ERROR, r));
  return 0.5 * Math.log((1 + bounded) / (1 - bounded));
}
