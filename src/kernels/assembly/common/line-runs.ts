// Which of the places of an element's crossings are in a run of places.

import { NO_PLACE } from '../layouts/line-buckets';

/** Places that are looked at together: four times PADDING. */
export const AT_ONCE: i32 = 64;

// A run of places, less so much that signed numbers compare as they do: V8 keeps nothing out of loops by itself.
@inline export function runFrom(low: i32): v128 {
  return i16x8.splat(<i16>(low + 32768));
}

@inline export function runLength(low: i32, high: i32): v128 {
  return i16x8.splat(<i16>(min(high, <i32>NO_PLACE) - low - 32768));
}

/** Which of sixteen places are in a run, a bit each; never one where nothing crosses. */
@inline function within(at: usize, from: v128, length: v128): u64 {
  const even = i16x8.lt_s(i16x8.sub(v128.load(at), from), length);
  const odd = i16x8.lt_s(i16x8.sub(v128.load(at, 16), from), length);
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(even, odd));
}

/** The same of 64 places from k on, of `count` in all: how many bits there are is hard to guess, so seldom asked. */
@inline export function withinNext(places: usize, k: i32, count: i32, from: v128, length: v128): u64 {
  const at = places + (<usize>k << 1);
  let bits = within(at, from, length);
  if (k + 16 < count) bits |= within(at + 32, from, length) << 16;
  if (k + 32 < count) bits |= within(at + 64, from, length) << 32;
  if (k + 48 < count) bits |= within(at + 96, from, length) << 48;
  return bits;
}
