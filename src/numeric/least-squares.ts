import type { Steps } from '../steps.js';
import { dot } from './vectors.js';

/**
 * The weights of columns whose sum is nearest to a target: by orthogonal columns (Gram-Schmidt, each made twice, so
 * that columns that are nearly alike lose no digits). A step a column: they may be long.
 */
export function* leastSquares(columns: readonly Float64Array[], target: Float64Array): Steps<Float64Array> {
  const count = columns.length;
  const orthogonal: Float64Array[] = [];
  const triangle = columns.map(() => new Float64Array(count));
  const rest = target.slice();
  const along: number[] = [];
  for (const [k, column] of columns.entries()) {
    yield k / count;
    const own = column.slice();
    for (let pass = 0; pass < 2; pass++) {
      for (const [j, other] of orthogonal.entries()) triangle[j]![k]! += takeOut(own, other);
    }
    const length = Math.sqrt(dot(own, own));
    triangle[k]![k] = length;
    orthogonal.push(own.map(value => value / length));
    along.push(takeOut(rest, orthogonal[k]!));
  }
  const weights = new Float64Array(count);
  for (let k = count - 1; k >= 0; k--) {
    let sum = along[k]!;
    for (let j = k + 1; j < count; j++) sum -= triangle[k]![j]! * weights[j]!;
    weights[k] = sum / triangle[k]![k]!;
  }
  return weights;
}

/** Takes the part along a unit vector out of another; returns its length. */
function takeOut(vector: Float64Array, unit: Float64Array): number {
  const part = dot(vector, unit);
  for (let r = 0; r < vector.length; r++) vector[r]! -= part * unit[r]!;
  return part;
}
