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

/** Vectors that stand in memory: engines make those that stand in code anew each time, by four instructions or so. */
const VECTORS = memory.data<u8>([
  45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45,
  12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
  48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48,
  9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
  46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10,
  100, 0, 1, 0, 100, 0, 1, 0, 100, 0, 1, 0, 100, 0, 1, 0,
  16, 39, 1, 0, 16, 39, 1, 0, 16, 39, 1, 0, 16, 39, 1, 0,
], 16);

/** Where a number ends: a bit for each of sixteen bytes that is no sign, point or digit (a stroke counts as one). */
@inline export function endsOf16(text: v128): u32 {
  return <u32>i8x16.bitmask(i8x16.gt_u(i8x16.sub(text, v128.load(VECTORS)), v128.load(VECTORS, 16)));
}

/** A bit for each of sixteen bytes of text that is no digit. */
@inline export function othersOf16(text: v128): u32 {
  return <u32>i8x16.bitmask(i8x16.gt_u(i8x16.sub(text, v128.load(VECTORS, 32)), v128.load(VECTORS, 48)));
}

@inline export function pointsOf16(text: v128): u32 {
  return <u32>i8x16.bitmask(i8x16.eq(text, v128.load(VECTORS, 64)));
}

/**
 * The number that `count` digits write: from place `first` of sixteen bytes of text on, which is 0 or 1, those from
 * place `point` on one place further.
 */
@inline export function digitsOf16(text: v128, first: u32, point: u32, count: u32): u64 {
  // Saturated, a sign or a point is zero, too.
  const known = i8x16.sub_sat_u(text, v128.load(VECTORS, 32));
  // The last digit goes to the last byte, the others before it. What a place below 0 gives is 0.
  const places = i8x16.add(v128.load(VECTORS, 80), i8x16.splat(<i8>(first + count) - 16));
  const behind = i8x16.gt_s(places, i8x16.splat(<i8>point - 1));
  const d = i8x16.swizzle(known, i8x16.sub(places, behind));
  // In a lane of two digits the first is the low byte: 2561 times it has 10 times the first and the second above.
  const pairs = i16x8.shr_u(i16x8.mul(d, v128.load(VECTORS, 96)), 8);
  const fours = i32x4.dot_i16x8_s(pairs, v128.load(VECTORS, 112));
  const narrow = i16x8.narrow_i32x4_u(fours, fours);
  const eights = i32x4.dot_i16x8_s(narrow, v128.load(VECTORS, 128));
  const both = <u64>i64x2.extract_lane(eights, 0);
  return (both & 0xffffffff) * 100000000 + (both >> 32);
}

/**
 * Whether all float64 within so many units of the last place of this one round to the same float32: the 29 bits that
 * are dropped are not near one half. Below 2^-125 float32 drops more bits, so there the answer is no.
 */
@inline export function farFromMidpoint(size: f64, units: i32 = 8): bool {
  const dropped = <i32>(reinterpret<u64>(size) & 0x1fffffff);
  return abs(dropped - 0x10000000) > units && size > 2.4e-38;
}
