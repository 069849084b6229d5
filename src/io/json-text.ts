/** JSON that people write by hand or hand over: where it is none, the message says at which line and column. */
import { type ErrorCode, ListwiseError, quote } from '../errors.js';
import { jsonPlaces } from './json-places.js';

/** `what` is what the file should hold, as in "a config"; `first` is the line of the file at which the text starts. */
export function parseJsonText(text: string, what: string, code: ErrorCode, file: string, first = 1): unknown {
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
