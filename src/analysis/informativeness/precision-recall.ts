/** Precision by recall, of a real list and of one whose labels are inferred. */
import type { InferredLabels } from './infer.js';

/** P(relevant) by rank: the probability of a label of at least `threshold`. */
export function relevanceByRank({ n, labels, probabilities }: InferredLabels, threshold: number): Float64Array {
  const relevance = new Float64Array(n);
  for (const [v, label] of labels.entries()) {
    if (!(label >= threshold)) continue;
    for (let r = 0; r < n; r++) relevance[r]! += probabilities[v * n + r]!;
  }
  return relevance;
}

/**
 * Precision where the first, second, … relevant document is found: the points at which recall changes. With
 * probabilities these are where as many are *expected*, between two ranks in proportion; with zeros and ones it is the
 * real curve.
 */
export function precisionAtRecall(relevance: Float64Array, points: number): Float64Array {
  const precision = new Float64Array(points);
  let found = 0;
  let r = 0;
  for (let j = 1; j <= points; j++) {
    // The last points may be missed by rounding: then it is the end of the list.
    while (r < relevance.length && found + relevance[r]! < j - 1e-9) found += relevance[r++]!;
    const into = r < relevance.length && relevance[r]! > 0 ? Math.min(1, (j - found) / relevance[r]!) : 0;
    precision[j - 1] = j / (r + into);
  }
  return precision;
}

export interface CurveError {
  readonly rms: number;
  readonly mae: number;
}

/** Root mean square and mean absolute difference of two curves at the same points. */
export function curveError(a: Float64Array, b: Float64Array): CurveError {
  let squares = 0;
  let absolute = 0;
  for (let i = 0; i < a.length; i++) {
    squares += (a[i]! - b[i]!) ** 2;
    absolute += Math.abs(a[i]! - b[i]!);
  }
  return { rms: Math.sqrt(squares / a.length), mae: absolute / a.length };
}
