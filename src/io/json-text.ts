/** JSON that people write by hand or hand over: where it is none, the message says at which line and column. */
import { type ErrorCode, ListwiseError, quote } from '../errors.js';
import { jsonPlaces } from './json-places.js';

/** What people write is flatter by far; what goes through values goes down as far as the stack. */
const DEEPEST = 100;

/** `what` is what the file should hold, as in "a config"; `first` is the line of the file at which the text starts. */
export function parseJsonText(text: string, what: string, code: ErrorCode, file: string, first = 1): unknown {
  const value = parseSomewhere(text, what, code, file, first);
  if (isDeeper(value, DEEPEST)) {
    throw new ListwiseError(code, `${what} holds values nested more than ${DEEPEST} deep`, { file });
  }
  return value;
}

/** Level by level, without a stack. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      for (const part of Object.values(one)) if (typeof part === 'object') next.push(part);
    }
    level = next;
  }
  return false;
}

function parseSomewhere(text: string, what: string, code: ErrorCode, file: string, first: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = jsonPlaces(text, { strict: true }).brokenAt;
    // Both read the same grammar; were they ever to differ, the parser's own words are better than none.
    if (at === undefined) throw new ListwiseError(code, `${what} is JSON: ${(error as Error).message}`, { file });
    const before = text.slice(0, at).split('\n');
    const word = /^[^\s,:{}[\]"]+|^./u.exec(text.slice(at))?.[0];
    const found = word === undefined ? 'the text ends too soon' : `found ${quote(word)} where it cannot stand`;
    throw new ListwiseError(code, `${what} is JSON: ${found}`, {
      file,
      line: first - 1 + before.length,
      column: Buffer.byteLength(before.at(-1)!) + 1,
    });
  }
}
