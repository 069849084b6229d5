/** Neighbours among 32-bit numbers: how `<`, `<=` and thresholds of 64 bits are turned into each other without a change. */

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

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

/** The largest float32 that is not above: for every float32 x, x <= value where x <= floor32(value). */
export function floor32(value: number): number {
  const near = Math.fround(value);
  return near > value ? nextBelow(near) : near;
}
