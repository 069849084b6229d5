/** Directions to alter parameters in. Each follows from the seed and its number, so any thread can make it. */
import { ListwiseError } from '../../errors.js';
import { Random } from '../../numeric/random.js';

/**
 * How many random directions to try: where a share of at least epsilon of all directions improves a model, K of them
 * hold one with probability at least 1 - delta. K = ceil(ln delta / ln(1 - epsilon)) (Donmez et al. 2009, section 5):
 * 459 for 0.01 and 0.01.
 */
export function directionCount(epsilon: number, delta: number): number {
  for (const [name, value] of Object.entries({ epsilon, delta })) {
    if (!(value > 0 && value < 1)) {
      throw new ListwiseError('option-invalid', `${name} is a number above 0 and below 1, found ${value}`);
    }
  }
  return Math.ceil(Math.log(delta) / Math.log1p(-epsilon));
}

/** As many as memory holds the values of, and more than anybody waits for. */
const MOST_DIRECTIONS = 1_000_000;

export function refuseTooMany(directions: number): void {
  if (directions <= MOST_DIRECTIONS) return;
  throw new ListwiseError(
    'option-invalid',
    `${directions} random directions are too many, at most ${MOST_DIRECTIONS} can be tried: take a larger epsilon or delta, or fewer directions`,
  );
}

/** A Gaussian vector projected on the sphere of radius `length`: every direction is as likely as any other. */
export function randomDirection(seed: number, number: number, size: number, length: number): Float64Array {
  const random = new Random(seed, `direction ${number}`);
  const direction = Float64Array.from({ length: size }, () => random.gaussian());
  const scale = length / norm(direction);
  return direction.map(value => value * scale);
}

/** Along one parameter alone. */
export function singleDirection(parameter: number, size: number, length: number): Float64Array {
  const direction = new Float64Array(size);
  direction[parameter] = length;
  return direction;
}

/** Which parameters are altered one at a time: all, or so many drawn at random, rising. */
export function chosenParameters(seed: number, size: number, most: number): Uint32Array {
  return new Random(seed, 'chosen parameters').permutation(size).slice(0, most).sort();
}

export function norm(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}
