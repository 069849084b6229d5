/** Flags that are numbers, checked. */
import { ListwiseError, quote } from '../errors.js';
import type { OptionValues } from './command.js';

/** Bounds of a number; both ends are left out of it. */
export interface Bounds {
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

function checked(key: string, text: string, { above, below }: Bounds, what: string): number {
  const number = Number(text);
  const inside = (above === undefined || number > above) && (below === undefined || number < below);
  if (text.trim() !== '' && Number.isFinite(number) && inside) return number;
  const flag = key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  const ends = [above === undefined ? '' : `above ${above}`, below === undefined ? '' : `below ${below}`];
  const allowed = ends.filter(Boolean).join(' and ') || 'finite';
  throw new ListwiseError('option-invalid', `--${flag} ${what} ${allowed}, found ${quote(text)}`);
}
