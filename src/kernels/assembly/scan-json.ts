// Reads numbers out of JSON text into rows of float32: rows, and pairs of a name and a number. Whatever is not the
// usual form ends it, and the caller reads the text another way (src/serve/request.ts, which this equals).
//
// The text is followed by at least 16 bytes that are zero: none of them is a digit, a blank or a bracket.

import {
  digitCount,
  digits,
  digitsOf16,
  endsOf16,
  farFromMidpoint,
  othersOf16,
  pointsOf16,
  ZEROS,
} from './common/digits';
import { Name, NAME_BYTES } from './layouts/scan-json';

/** Number(text), for the numbers that the quick way below cannot get exactly right. */
@external("env", "exactNumber")
declare function exactNumber(at: usize, length: usize): f64;

const COMMA: u32 = 0x2c;
const MINUS: u32 = 0x2d;
const POINT: u32 = 0x2e;
const COLON: u32 = 0x3a;
const OPEN_LIST: u32 = 0x5b;
const CLOSE_LIST: u32 = 0x5d;
const CLOSE: u32 = 0x7d;
const NULL: u32 = 0x6c6c756e; // little-endian

/** 10^0 to 10^22: exact as float64; up to 10^8 as whole numbers, too. */
const POWERS = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]);
const WHOLE_POWERS = memory.data<u64>([1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000]);
const MOST_POWER: i32 = 22;
/** A mantissa of so many digits fits 64 bits. */
const MOST_DIGITS: u32 = 19;
/** What is behind so large a mantissa changes the number by less than 2^-30, which is so many units of float64. */
const LEAST_CUT: u64 = 1 << 30;
const CUT_UNITS: i32 = (1 << 23) + 8;
/** Names that may be left out between two that come in order. */
const AHEAD: usize = 16;

/** How many rows or pairs the last call read. */
let read: i32 = 0;
/** The name that the last call of pairs() expected in the end. */
let next: usize = 0;

export function count(): i32 {
  return read;
}

export function expected(): usize {
  return next;
}

@inline function behindBlanks(p: usize): usize {
  let c: u32 = load<u8>(p);
  // One comparison where there is none.
  while (c <= 32 && (c == 32 || c == 10 || c == 13 || c == 9)) c = load<u8>(++p);
  return p;
}

/** From behind the bracket of a list of rows; the place behind it, or 0. */
export function rowList(start: usize, out: usize, width: i32, most: i32): usize {
  let p = start;
  for (read = 0; read < most; ) {
    p = behindBlanks(p);
    if (load<u8>(p) != OPEN_LIST) return 0;
    p = row(p + 1, out, width);
    if (p == 0) return 0;
    read++;
    p = behindBlanks(p);
    const c: u32 = load<u8>(p++);
    if (c == CLOSE_LIST) return p;
    if (c != COMMA) return 0;
    out += <usize>width << 2;
  }
  return 0;
}

/** `width` numbers, at least one, from behind the bracket; the place behind the other one, or 0. */
export function row(start: usize, out: usize, width: i32): usize {
  let p = start;
  for (const end = out + (<usize>width << 2); out < end; out += 4) {
    p = number(behindBlanks(p), out);
    if (p == 0) return 0;
    const wanted = out + 4 < end ? COMMA : CLOSE_LIST;
    if (load<u8>(p) != wanted) {
      p = behindBlanks(p);
      if (load<u8>(p) != wanted) return 0;
    }
    p++;
  }
  return p;
}

/**
 * Pairs of a name and a number, from behind the brace, as long as names come in the order of `names`; some may be left
 * out. The place behind the closing brace; where another name comes, its place times -1; or 0.
 */
export function pairs(start: usize, out: usize, names: usize, namesEnd: usize): isize {
  let p = start;
  next = names;
  let c = COMMA;
  for (read = 0; c == COMMA; read++) {
    p = behindBlanks(p);
    const found = nameAt(p, next, min(namesEnd, next + AHEAD * NAME_BYTES));
    if (found == 0) return -(<isize>p);
    const own = changetype<Name>(found);
    p += own.length;
    if (load<u8>(p) != COLON) {
      p = behindBlanks(p);
      if (load<u8>(p) != COLON) return 0;
    }
    p = number(behindBlanks(p + 1), out + own.place);
    if (p == 0) return 0;
    c = load<u8>(p);
    if (c != COMMA) {
      p = behindBlanks(p);
      c = load<u8>(p);
    }
    p++;
    next = found + NAME_BYTES;
  }
  return c == CLOSE ? <isize>p : 0;
}

/** The first of some names that stands at p, or 0. */
@inline function nameAt(p: usize, from: usize, end: usize): usize {
  for (let name = from; name < end; name += NAME_BYTES) {
    const own = changetype<Name>(name);
    if (sameBytes(p, own.text, own.length)) return name;
  }
  return 0;
}

/** Names are followed by bytes that can be read. */
@inline function sameBytes(a: usize, b: usize, length: usize): bool {
  for (; length > 8; a += 8, b += 8, length -= 8) if (load<u64>(a) != load<u64>(b)) return false;
  return (load<u64>(a) ^ load<u64>(b)) << (64 - (<u64>length << 3)) == 0;
}

/**
 * A number that fits float32, or null, which is missing: what is behind it, or 0. Numbers differ in where sign and
 * point stand: guessing that wrong would take longer than reading them, so nothing here branches on it. Where a number
 * ends is all that the next one waits for: it is the first byte that is no sign, point or digit, whatever these write.
 */
@inline function number(start: usize, out: usize): usize {
  const pair = <u32>load<u16>(start);
  const digit = (pair & 0xff) - 48;
  if (digit < 10 && pair >> 8 == COMMA) {
    store<f32>(out, <f32>(<i32>digit));
    return start + 1;
  }
  const text = v128.load(start);
  const end = ctz(endsOf16(text) | 0x10000);
  const own: u32 = ((1 << end) - 1) as u32;
  const negative = <u32>(load<u8>(start) == MINUS);
  const marks = othersOf16(text) & own & ~negative;
  const points = pointsOf16(text) & own;
  const point = ctz(points | (1 << end)) as u32;
  const fraction = select<u32>(end - point - 1, 0, points != 0);
  const whole = point - negative;
  const wrong = (marks ^ points) | (points & (points - 1));
  const odd = i32(wrong != 0) | i32(whole == 0) | i32(points != 0 && fraction == 0);
  const leading = i32(whole > 1) & i32(load<u8>(start + negative) == 48);
  const long = i32(end > 15) | i32((load<u8>(start + end) | 32) == 101); // e
  if ((odd | leading | long) != 0) {
    const cut = i32(end == 16) & i32(points != 0) & ~(odd | leading);
    return cut ? cutNumber(start, out, negative, point) : longNumber(start, out);
  }
  const mantissa = digitsOf16(text, negative, point, end - negative - u32(points != 0));
  const size = <f64>(<i64>mantissa) / load<f64>(POWERS + (<usize>fraction << 3));
  store<u32>(out, reinterpret<u32>(<f32>size) | (negative << 31));
  return start + end;
}

/** Of a number whose first sixteen bytes have its point, the digits behind them seldom matter in 32 bits. */
function cutNumber(start: usize, out: usize, negative: u32, point: u32): usize {
  const p = start + 16;
  const more = ctz(othersOf16(v128.load(p)) | 0x10000);
  const c: u32 = load<u8>(p + more);
  const mantissa = digitsOf16(v128.load(start), negative, point, 15 - negative);
  const size = <f64>(<i64>mantissa) / load<f64>(POWERS + (<usize>(15 - point) << 3));
  const goesOn = i32(more == 16) | i32(c == POINT) | i32((c | 32) == 101);
  if (goesOn != 0 || mantissa < LEAST_CUT || !farFromMidpoint(size, CUT_UNITS)) return longNumber(start, out);
  store<u32>(out, reinterpret<u32>(<f32>size) | (negative << 31));
  return p + more;
}

/** Any other. */
function longNumber(start: usize, out: usize): usize {
  const negative = load<u8>(start) == MINUS;
  let p = start + <usize>negative;
  let word = load<u64>(p) ^ ZEROS;
  let n = digitCount(word);
  if (n == 0) return missing(start, out);
  const leading = <u32>((word & 0xff) == 0);
  if (leading > 0 && n > 1) return 0; // 01
  let mantissa = digits(word, n);
  p += n;
  while (n == 8) {
    word = load<u64>(p) ^ ZEROS;
    n = digitCount(word);
    if (n > 0) mantissa = mantissa * load<u64>(WHOLE_POWERS + (<usize>n << 3)) + digits(word, n);
    p += n;
  }
  let significant = <u32>(p - start) - <u32>negative - leading;
  let power: i32 = 0;
  if (load<u8>(p) == POINT) {
    const from = ++p;
    word = load<u64>(p) ^ ZEROS;
    n = digitCount(word);
    if (n == 0) return 0;
    if (leading > 0) significant -= min<u32>(n, <u32>ctz(word) >> 3);
    mantissa = mantissa * load<u64>(WHOLE_POWERS + (<usize>n << 3)) + digits(word, n);
    p += n;
    while (n == 8) {
      word = load<u64>(p) ^ ZEROS;
      n = digitCount(word);
      if (n > 0) mantissa = mantissa * load<u64>(WHOLE_POWERS + (<usize>n << 3)) + digits(word, n);
      p += n;
    }
    significant += <u32>(p - from);
    power = -<i32>(p - from);
  }
  if ((load<u8>(p) | 32) == 101) { // e
    let c: u32 = load<u8>(++p);
    const down = c == MINUS;
    if (down || c == 0x2b) p++;
    const from = p;
    let exponent: i32 = 0;
    for (let digit: u32 = <u32>load<u8>(p) - 48; digit < 10; digit = <u32>load<u8>(++p) - 48) {
      exponent = min(exponent * 10 + <i32>digit, 100000); // far beyond any number, and never too long to count
    }
    if (p == from) return 0;
    power += down ? -exponent : exponent;
  }
  let size: f64 = 0;
  if (significant <= MOST_DIGITS && power >= -MOST_POWER && power <= MOST_POWER) {
    const scale = load<f64>(POWERS + (<usize>abs(power) << 3));
    size = power < 0 ? <f64>mantissa / scale : <f64>mantissa * scale;
    // One rounding of two exact numbers is the nearest float64; others must round to the same float32.
    if (mantissa >= (1 << 53) && !farFromMidpoint(size)) size = abs(exactNumber(start, p - start));
  } else size = abs(exactNumber(start, p - start));
  const value = <f32>size;
  if (!(value < Infinity)) return 0;
  store<f32>(out, negative ? -value : value);
  return p;
}

function missing(p: usize, out: usize): usize {
  if (load<u32>(p) != NULL) return 0;
  store<f32>(out, NaN);
  return p + 4;
}
