/**
 * Neighbours among 32-bit numbers: how `<`, `<=` and thresholds of 64 bits are turned into each other without a change.
 */
import { shortestFloat32 } from '../data/writers/shortest-float.js';

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);
const double = new Float64Array(1);
const doubleBits = new BigInt64Array(double.buffer);

/** The next float32 above. Above minus zero and zero comes the smallest positive number. */
export function nextAbove(value: number): number {
  if (value === 0) return 2 ** -149;
  float[0] = value;
  bits[0]! += value > 0 ? 1 : -1;
  return float[0]!;
}

export function nextBelow(value: number): number {
  return -nextAbove(-value);
}

/** The next float64 below a number that is not zero. */
function nextBelow64(value: number): number {
  double[0] = value;
  doubleBits[0]! += value > 0 ? -1n : 1n;
  return double[0]!;
}

/** The largest float32 that is not above: for every float32 x, x <= value where x <= floor32(value). */
export function floor32(value: number): number {
  const near = Math.fround(value);
  return near > value ? nextBelow(near) : near;
}

/** As far as the middle of two decimals is from a decimal itself, in 64 bits. */
const LAST_DIGITS = 1e-15;

/**
 * The threshold for values rounded to float32, of one that was found among values of 64 bits. Where it is a decimal but
 * for its last digits, as the middle of -0.05 and -0.03 is, values were decimals: -0.04 goes here as -0.04 goes there,
 * though its float32 is above. Otherwise the largest float32 that is not above.
 */
export function narrowThreshold(value: number): number {
  const near = Math.fround(value);
  const decimal = Number(shortestFloat32(near));
  if (Math.abs(decimal - value) > LAST_DIGITS * Math.abs(value)) return floor32(value);
  return decimal <= value ? near : nextBelow(near);
}

/**
 * The largest number of 64 bits that rounds to a float32: for every x, x <= wideThreshold(t) where Math.fround(x) <= t.
 */
export function wideThreshold(threshold: number): number {
  const middle = (threshold + nextAbove(threshold)) / 2;
  if (threshold === 0 || !Number.isFinite(middle)) return threshold;
  return Math.fround(middle) === threshold ? middle : nextBelow64(middle);
}
