/** How the lambdas on a query's documents change with their scores, by central differences that never cross a swap. */
import { partOf, type Steps } from '../../steps.js';

/** The lambdas at some scores, a new array each time; in steps, since those on a long query can take seconds. */
export type FieldSteps = (scores: Float64Array) => Steps<Float64Array>;

/** Small against how fast lambdas change, large against the rounding of float64. */
const STEP = 1e-5;

/** J[j * n + k] = d lambda_j / d s_k. Scores must be different. */
export function* jacobianSteps(field: FieldSteps, scores: Float64Array): Steps<Float64Array> {
  const n = scores.length;
  const matrix = new Float64Array(n * n);
  const moved = scores.slice();
  for (let k = 0; k < n; k++) {
    const step = Math.min(STEP, nearestGap(scores, k) / 4);
    moved[k] = scores[k]! + step;
    const above = yield* partOf(field(moved), k / n, (k + 0.5) / n);
    moved[k] = scores[k]! - step;
    const below = yield* partOf(field(moved), (k + 0.5) / n, (k + 1) / n);
    moved[k] = scores[k]!;
    for (let j = 0; j < n; j++) matrix[j * n + k] = (above[j]! - below[j]!) / (2 * step);
    yield (k + 1) / n;
  }
  return matrix;
}

/** How far the next score is from that of document k. */
export function nearestGap(scores: Float64Array, k: number): number {
  let gap = Number.POSITIVE_INFINITY;
  for (let i = 0; i < scores.length; i++) if (i !== k) gap = Math.min(gap, Math.abs(scores[i]! - scores[k]!));
  return gap;
}

/** The largest |J_jk - J_kj| over the largest |J_jk|; 0 where all are 0. */
export function asymmetry(matrix: Float64Array, n: number): number {
  let largest = 0;
  let difference = 0;
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < n; k++) {
      largest = Math.max(largest, Math.abs(matrix[j * n + k]!));
      difference = Math.max(difference, Math.abs(matrix[j * n + k]! - matrix[k * n + j]!));
    }
  }
  return largest === 0 ? 0 : difference / largest;
}
