/** All that decides a result, by name, so that a run that goes on can say what is not as it was. */
import { createHash } from 'node:crypto';
import { jsonText, TOO_DEEP } from '../errors.js';
import { isObject } from './is-object.js';
import { jsonPieces } from './json-pieces.js';

/** Values that tell two runs apart; of what is large, a digest. */
export type Identity = Readonly<Record<string, unknown>>;

/** Of anything that JSON can write. */
export function digestOf(value: unknown): string {
  const hash = createHash('sha256');
  for (const piece of jsonPieces(value)) hash.update(piece);
  return hash.digest('hex').slice(0, 16);
}

/** What differs, in words; undefined where nothing does. `before` is as it was read from a file. */
export function differences(before: unknown, now: Identity): string | undefined {
  const was: Record<string, unknown> = isObject(before) ? before : {};
  const is: Record<string, unknown> = JSON.parse(JSON.stringify(now));
  const names = [...new Set([...Object.keys(is), ...Object.keys(was)])];
  const other = names.filter(name => textOf(was[name]) !== textOf(is[name]));
  if (other.length === 0) return undefined;
  return other.map(name => `${name}${shown(was[name], is[name])}`).join(', ');
}

/** A text that stands for the value; of a damaged file it may be nested deeper than can be written. */
function textOf(value: unknown): string {
  return value === undefined ? 'none' : (jsonText(value) ?? TOO_DEEP);
}

/** Values that people wrote; digests say nothing. */
function shown(was: unknown, is: unknown): string {
  const texts = [was, is].map(textOf);
  return texts.some(text => text.length > 60 || /^"[0-9a-f]{16,}"$/.test(text)) ? '' : ` (${texts.join(', now ')})`;
}
