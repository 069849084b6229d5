/**
 * Solves H x = b for a symmetric matrix that is positive definite but for rounding: Cholesky after scaling to unit
 * diagonal, with as much added to the diagonal as it takes. Small systems only.
 */
export function solvePositive(h: Float64Array, b: Float64Array): Float64Array {
  const k = b.length;
  const scale = Float64Array.from(b, (_, i) => 1 / Math.sqrt(Math.max(h[i * k + i]!, Number.MIN_VALUE * 2 ** 52)));
  for (let ridge = 0; ridge < 10; ridge = Math.max(1e-15, 10 * ridge)) {
    const factor = cholesky(h, scale, ridge);
    if (factor === undefined) continue;
    const x = b.map((value, i) => value * scale[i]!);
    for (let i = 0; i < k; i++) {
      for (let j = 0; j < i; j++) x[i]! -= factor[i * k + j]! * x[j]!;
      x[i]! /= factor[i * k + i]!;
    }
    for (let i = k - 1; i >= 0; i--) {
      for (let j = i + 1; j < k; j++) x[i]! -= factor[j * k + i]! * x[j]!;
      x[i]! /= factor[i * k + i]!;
    }
    return x.map((value, i) => value * scale[i]!);
  }
  throw new RangeError('the matrix holds a value that is not finite');
}

/**
 * The lower factor of the scaled matrix plus `ridge` times the identity; undefined where that is not positive definite.
 */
function cholesky(h: Float64Array, scale: Float64Array, ridge: number): Float64Array | undefined {
  const k = scale.length;
  const factor = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = h[i * k + j]! * scale[i]! * scale[j]! + (i === j ? ridge : 0);
      for (let t = 0; t < j; t++) sum -= factor[i * k + t]! * factor[j * k + t]!;
      if (i > j) factor[i * k + j] = sum / factor[j * k + j]!;
      else if (sum > 1e-16) factor[i * k + i] = Math.sqrt(sum);
      else return undefined;
    }
  }
  return factor;
}
