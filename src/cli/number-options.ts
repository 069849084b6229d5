/** Flags that are numbers, checked. */
import { ListwiseError, quote } from '../errors.js';
import type { OptionValues } from './command.js';

/** Bounds of a number; `above` and `below` are left out of it. */
export interface Bounds {
  readonly least?: number;
  readonly above?: number;
  readonly below?: number;
}

/** A flag that must be a finite number within bounds; undefined where it is not given. */
export function finiteNumber(options: OptionValues, key: string, bounds: Bounds = {}): number | undefined {
  const value = options[key];
  return value === undefined ? undefined : checked(key, String(value), bounds, 'is a number');
}

/** A flag that must be numbers within bounds, separated by commas. */
export function numberList(options: OptionValues, key: string, bounds: Bounds = {}): number[] | undefined {
  const value = options[key];
  if (value === undefined) return undefined;
  return String(value)
    .split(',')
    .map(text => checked(key, text, bounds, 'is numbers separated by commas, each'));
}

function checked(key: string, text: string, bounds: Bounds, what: string): number {
  const number = Number(text);
  const ends = [
    { words: 'of at least', end: bounds.least, holds: (end: number) => number >= end },
    { words: 'above', end: bounds.above, holds: (end: number) => number > end },
    { words: 'below', end: bounds.below, holds: (end: number) => number < end },
  ].filter(({ end }) => end !== undefined);
  if (text.trim() !== '' && Number.isFinite(number) && ends.every(({ end, holds }) => holds(end!))) return number;
  const flag = key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  const allowed = [what, ends.map(({ words, end }) => `${words} ${end}`).join(' and ')].filter(Boolean).join(' ');
  throw new ListwiseError('option-invalid', `--${flag} ${allowed}, found ${quote(text)}`);
}
