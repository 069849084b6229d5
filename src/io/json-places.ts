/**
 * Where things are in a JSON text, for messages: the keys of its object, and the first place at which it is no JSON.
 */

export interface JsonPlaces {
  /** Keys of the outermost object, with the characters (from 0) at which key and value start. */
  readonly keys: readonly { readonly name: string; readonly at: number; readonly valueAt: number }[];
  /** The character that cannot stand where it does, or the length of the text where its end comes too soon. */
  readonly brokenAt: number | undefined;
}

type Due = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma';

// NaN and infinities are no JSON, but DuckDB reads them and Python writes them.
const SCALAR = /^(-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?|true|false|null|-?(NaN|Infinity))$/i;
const STRICT_SCALAR = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/;

/** `strict` knows no NaN. */
export function jsonPlaces(text: string, { strict = false } = {}): JsonPlaces {
  const scalar = strict ? STRICT_SCALAR : SCALAR;
  const keys: { name: string; at: number; valueAt: number }[] = [];
  const open: ('{' | '[')[] = [];
  let due: Due = 'value';
  let key: { name: string; at: number } | undefined;
  let at = 0;
  for (;;) {
    while (at < text.length && ' \t\r\n'.includes(text[at]!)) at++;
    const complete = due === 'comma' && open.length === 0;
    if (at === text.length) return { keys, brokenAt: complete ? undefined : at };
    const token = tokenAt(text, at, scalar);
    if (complete || token === undefined) return { keys, brokenAt: at };
    if (due === 'colon' && token === ':') due = 'value';
    else if (due === 'comma' && token === ',') due = open.at(-1) === '{' ? 'key' : 'value';
    else if ((due === 'comma' || due === 'first key') && token === '}' && open.at(-1) === '{') {
      open.pop();
      due = 'comma';
    } else if ((due === 'comma' || due === 'first value') && token === ']' && open.at(-1) === '[') {
      open.pop();
      due = 'comma';
    } else if ((due === 'key' || due === 'first key') && token[0] === '"') {
      if (open.length === 1) key = { name: String(JSON.parse(token)), at };
      due = 'colon';
    } else if ((due === 'value' || due === 'first value') && !',:]}'.includes(token)) {
      if (key !== undefined) keys.push({ ...key, valueAt: at });
      key = undefined;
      due = token === '{' ? 'first key' : token === '[' ? 'first value' : 'comma';
      if (token === '{' || token === '[') open.push(token);
    } else return { keys, brokenAt: at };
    at += token.length;
  }
}

/** A bracket, comma, colon, string or scalar; undefined where none is well formed. */
function tokenAt(text: string, at: number, known: RegExp): string | undefined {
  if ('{}[],:'.includes(text[at]!)) return text[at];
  let end = at + 1;
  if (text[at] !== '"') {
    while (end < text.length && !' \t\r\n{}[],:"'.includes(text[end]!)) end++;
    const scalar = text.slice(at, end);
    return known.test(scalar) ? scalar : undefined;
  }
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  const string = text.slice(at, end + 1);
  try {
    JSON.parse(string);
    return string;
  } catch {
    return undefined;
  }
}
