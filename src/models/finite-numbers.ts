/** No model has a number that is not finite: it would rank by nothing. */
import { ListwiseError, quote } from '../errors.js';

/** `name` is what the file calls the numbers. */
export function refuseInfinite(name: string, values: Iterable<number>): void {
  let place = 0;
  for (const value of values) {
    place++;
    if (Number.isFinite(value)) continue;
    throw new ListwiseError('model-invalid', `"${name}" must be finite numbers, found ${value} at place ${place}`);
  }
}

/** What features are divided by. */
export function refuseZeroScale(scale: Float64Array, featureNames: readonly string[]): void {
  const at = scale.indexOf(0);
  if (at < 0) return;
  throw new ListwiseError('model-invalid', `"scale" of feature ${quote(featureNames[at]!)} is 0; it must not be`);
}
