/**
 * Fields as numbers: one loop over the bytes of a column, since a string for every field would take most of the time.
 */
import type { Cells } from './cells.js';
import { type MissingWords, trimBlanks } from './missing-words.js';

/** What stands for text that is no number; it is reported with its place. */
export const NO_NUMBER = Infinity;

/** Powers of ten that are exact in float64. */
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
/** Whole numbers below this are exact in float64, and so is a mantissa that is put together from its digits. */
const EXACT = 2 ** 53;
/** Further digits make a mantissa wrong by a part in 10^15 at most. */
const MOST_DIGITS = 20;
const SLACK = 2e-15;
const QUOTE = 0x22;
const MINUS = 0x2d;
const PLUS = 0x2b;
/** A point less the digit 0. */
const POINT = 0x2e - 48;

export interface NumberRules {
  readonly missing: MissingWords;
  /** Whether a number may stand in quotes. */
  readonly quotedNumbers: boolean;
  /**
   * Whether a value is the float64 nearest to what is written. Otherwise it is any that rounds to the same float32:
   * half of the numbers that programs write have 16 digits or more, and exact ones take ten times as long.
   */
  readonly exact: boolean;
}

/** The values of a column: NaN where missing, NO_NUMBER where the text is none. */
export function cellNumbers(bytes: Buffer, cells: Cells, column: number, rules: NumberRules, out: Float64Array): void {
  const { spans, width, rows } = cells;
  const { exact, quotedNumbers } = rules;
  for (let row = 0, at = 2 * column; row < rows; row++, at += 2 * width) {
    const start = spans[at]!;
    const end = spans[at + 1]!;
    if (end === start) {
      out[row] = Number.NaN;
      continue;
    }
    // No field is followed by a digit or a point.
    let p = start;
    const sign = bytes[p]!;
    if (sign === MINUS || sign === PLUS) p++;
    const first = p;
    let mantissa = 0;
    let digit = bytes[p]! - 48;
    while (digit >>> 0 < 10) {
      mantissa = mantissa * 10 + digit;
      digit = bytes[++p]! - 48;
    }
    let digits = p - first;
    let scale = 0;
    if (digit === POINT) {
      const fraction = ++p;
      digit = bytes[p]! - 48;
      while (digit >>> 0 < 10) {
        mantissa = mantissa * 10 + digit;
        digit = bytes[++p]! - 48;
      }
      scale = p - fraction;
      digits += scale;
    }
    if (p === end && digits > 0 && digits <= MOST_DIGITS && (quotedNumbers || bytes[start - 1] !== QUOTE)) {
      const size = mantissa / POWERS[scale]!;
      // One rounding of two exact numbers is the nearest float64.
      if (
        mantissa < EXACT ||
        (!exact && Math.fround(size * (1 - SLACK)) === Math.fround(size * (1 + SLACK)) && size > 2.4e-38)
      ) {
        out[row] = sign === MINUS ? -size : size;
        continue;
      }
    }
    out[row] = otherNumber(bytes, start, end, rules);
  }
}

const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i;

/** What is not written as a few digits: exponents, long numbers, words, blanks around it. */
function otherNumber(bytes: Buffer, start: number, end: number, { missing, quotedNumbers }: NumberRules): number {
  if (end < 0) return NO_NUMBER;
  const text = bytes.toString('utf8', start, end);
  if (!quotedNumbers && bytes[start - 1] === QUOTE) return missing.has(text) ? Number.NaN : NO_NUMBER;
  return numberOfText(text, missing);
}

/** The value of a text: NaN where it stands for none, NO_NUMBER where it is no number. */
export function numberOfText(written: string, missing: MissingWords): number {
  const text = trimBlanks(written);
  if (missing.has(text)) return Number.NaN;
  if (NUMBER.test(text)) return Number(text);
  return BOOLEANS.get(text.toLowerCase()) ?? NO_NUMBER;
}

const BOOLEANS: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['false', 0],
]);
