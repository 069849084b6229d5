/** Eigenvalues of a symmetric matrix by Jacobi's rotations: simple, and exact to rounding. */
import type { Steps } from '../../steps.js';

const MOST_SWEEPS = 60;
/** Of the sum of squares: what is left outside the diagonal moves no eigenvalue. */
const ROUNDING = 1e-30;

/** Most matrices are done after so many sweeps; for progress only. */
const USUAL_SWEEPS = 8;

/** `matrix` is n by n, row by row, and taken as symmetric: only the mean of both triangles is looked at. Ascending. */
export function* eigenvalueSteps(matrix: Float64Array, n: number): Steps<Float64Array> {
  const a = new Float64Array(n * n);
  let squares = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      a[i * n + j] = (matrix[i * n + j]! + matrix[j * n + i]!) / 2;
      squares += a[i * n + j]! ** 2;
    }
  }
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let outside = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) outside += a[i * n + j]! ** 2;
    if (outside <= ROUNDING * squares) return Float64Array.from({ length: n }, (_, i) => a[i * n + i]!).sort();
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) rotate(a, n, p, q);
      yield Math.min(1, (sweep + p / n) / USUAL_SWEEPS);
    }
  }
  throw new Error('the eigenvalues did not converge; the matrix holds a value that is not finite');
}

/** Turns the plane of p and q so that a[p][q] becomes 0. */
function rotate(a: Float64Array, n: number, p: number, q: number): void {
  const off = a[p * n + q]!;
  if (off === 0) return;
  // The smaller of the two angles that do: t = tan.
  const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const cos = 1 / Math.hypot(t, 1);
  const sin = t * cos;
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[k * n + p]!, a[k * n + q]!];
    a[k * n + p] = cos * x - sin * y;
    a[k * n + q] = sin * x + cos * y;
  }
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[p * n + k]!, a[q * n + k]!];
    a[p * n + k] = cos * x - sin * y;
    a[q * n + k] = sin * x + cos * y;
  }
  a[p * n + q] = a[q * n + p] = 0;
}
