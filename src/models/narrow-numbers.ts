/** Numbers of a file that are all 32-bit ones are written with the digits of those (`"values": "float32"`). */
import { shortestFloat32 } from '../data/writers/shortest-float.js';
import { quote } from '../errors.js';
import type { ModelReader } from './model-reader.js';

export type NumberWidth = 'float32' | 'float64';

export function areNarrow(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) if (Math.fround(values[i]!) !== values[i]) return false;
  return true;
}

export function writtenNumbers(values: ArrayLike<number>, narrow: boolean): number[] {
  return narrow ? Array.from(values, value => Number(shortestFloat32(value))) : Array.from(values);
}

export function readNumbers(written: readonly number[], narrow: boolean): Float64Array {
  return Float64Array.from(narrow ? Float32Array.from(written) : written);
}

/** A width that a file states, or float64. */
export function widthIn(reader: ModelReader, key: string): NumberWidth {
  const value = reader.has(key) ? reader.text(key) : 'float64';
  return value === 'float32' || value === 'float64'
    ? value
    : reader.fail(`"${key}" must be float32 or float64, found ${quote(value)}`);
}
