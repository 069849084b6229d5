/** The shortest decimal that reads back, as a 64-bit number rounded to 32 bits, to the same float32. */
export function shortestFloat32(value: number): string {
  if (Object.is(value, -0)) return '-0';
  // Six digits find every decimal of up to six: float32 is exact to more than that, the smallest numbers (subnormal)
  // excepted. Nine always suffice.
  for (let digits = Math.abs(value) < 2 ** -126 ? 1 : 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return String(candidate);
  }
  return String(Number(value.toPrecision(9)));
}
