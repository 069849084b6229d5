// Decimal digits, eight at a time. A word is eight bytes of text, exclusive or ZEROS.

export const ZEROS: u64 = 0x3030303030303030;

/** How many of the eight bytes are digits before the first that is none. */
@inline export function digitCount(word: u64): u32 {
  // A carry from one byte to the next only follows a byte that is no digit.
  const others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
  return <u32>(ctz(others) >> 3);
}

/** The number written by the first `count` digits, 1 to 8. */
@inline export function digits(word: u64, count: u32): u64 {
  let d = word << (64 - 8 * <u64>count); // leading zeros come first
  d = (d * 2561) >> 8; // pairs: 10 a + b
  d = ((d & 0x00ff00ff00ff00ff) * 6553601) >> 16;
  return ((d & 0x0000ffff0000ffff) * 42949672960001) >> 32;
}

/**
 * Whether all float64 within a few units of the last place of this one round to the same float32: the 29 bits that are
 * dropped are not near one half. Below 2^-125 float32 drops more bits, so there the answer is no.
 */
@inline export function farFromMidpoint(size: f64): bool {
  const dropped = <i32>(reinterpret<u64>(size) & 0x1fffffff);
  return abs(dropped - 0x10000000) > 8 && size > 2.4e-38;
}
