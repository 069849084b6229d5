/**
 * Finds the fields of JSON lines: one object a line, its keys are the columns in the order in which they first appear.
 * A key that a line leaves out is an empty field at the end of its object. Lines that are not plainly right are worded
 * by json-places.ts.
 */
import { quote } from '../../../errors.js';
import { isObject } from '../../../io/is-object.js';
import { jsonPlaces } from '../../../io/json-places.js';
import { columnOf } from '../../../io/text-lines.js';
import { Cells } from './cells.js';
import type { Scanned, Scanner } from './scanner.js';
import { TextProblem, type TextWindow } from './text-window.js';

const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;

/** NaN and infinities are no JSON, but Python writes them. */
const WORDS = ['true', 'false', 'null', 'NaN', '-NaN', 'Infinity', '-Infinity'].map(word => Buffer.from(word));
/** A missing name is written like a missing number. */
const NOTHING = new Set(['null', 'NaN', '-NaN']);
const BARE_WORD = /(?<=[:,[]\s*)-?(NaN|Infinity)(?=\s*[,\]}])/g;

export class JsonScanner implements Scanner {
  readonly cells = new Cells();
  readonly grows = true;
  readonly quotedNumbers = false;
  readonly names: string[] = [];
  readonly #columns = new Map<string, number>();
  /** The keys as most lines write them, quotes included. */
  readonly #written: Buffer[] = [];
  /** The column that followed a column in the line before. */
  readonly #follower: number[] = [];
  #first = 0;
  /** Where the field that was found last ends; -1 for none. */
  #after = 0;

  nameAt(): undefined {
    return undefined;
  }

  scan(window: TextWindow): Scanned {
    const { bytes, to } = window;
    const { cells } = this;
    cells.rows = 0;
    let p = window.from;
    let lines = 0;
    while (p < to) {
      const line = bytes.indexOf(LF, p);
      if (line >= to) break;
      let start = p;
      while (bytes[start] === BLANK || bytes[start] === TAB) start++;
      if (bytes[start] !== LF && !(bytes[start] === CR && start + 1 === line)) {
        const wrong = this.#record(bytes, start, line);
        if (wrong !== undefined) return { end: p, lines, problem: wrong };
        cells.rows++;
      }
      p = line + 1;
      lines++;
    }
    return { end: p, lines, problem: undefined };
  }

  text(bytes: Buffer, start: number, end: number): string | undefined {
    const quoted = bytes[start - 1] === QUOTE;
    if (end < 0)
      return quoted
        ? String(JSON.parse(bytes.toString('utf8', start - 1, ~end + 1)))
        : bytes.toString('utf8', start, ~end);
    if (end === start) return undefined;
    const text = bytes.toString('utf8', start, end);
    return !quoted && NOTHING.has(text) ? undefined : text;
  }

  /** The fields of a line from its first character that is no blank; `line` is its line feed. */
  #record(bytes: Buffer, start: number, line: number): TextProblem | undefined {
    const { cells } = this;
    if (bytes[start] !== OPEN) return broken(bytes, start, line);
    cells.reserve();
    let base = 2 * cells.rows * cells.width;
    cells.spans.fill(-1, base, base + 2 * cells.width);
    let p = skipBlanks(bytes, start + 1);
    let before = -1;
    if (bytes[p] === CLOSE) p++;
    else {
      for (;;) {
        if (bytes[p] !== QUOTE) return broken(bytes, start, line);
        const key = p;
        let column = before < 0 ? this.#first : (this.#follower[before] ?? 0);
        const written = this.#written[column];
        if (written !== undefined && startsWith(bytes, p, written)) p += written.length;
        else {
          p = stringEnd(bytes, p, line);
          if (p < 0) return broken(bytes, start, line);
          column = this.#column(bytes, key, p);
          base = 2 * cells.rows * cells.width;
          if (before < 0) this.#first = column;
          else this.#follower[before] = column;
        }
        before = column;
        p = skipBlanks(bytes, p);
        if (bytes[p] !== COLON) return broken(bytes, start, line);
        p = skipBlanks(bytes, p + 1);
        const at = base + 2 * column;
        if (cells.spans[at] !== -1) {
          return (
            broken(bytes, start, line, true) ??
            new TextProblem('feature-duplicate', `the object has the key ${quote(this.names[column]!)} twice`, key)
          );
        }
        if (!this.#value(bytes, p, line, cells.spans, at)) return broken(bytes, start, line);
        p = skipBlanks(bytes, this.#after);
        if (bytes[p] === COMMA) {
          p = skipBlanks(bytes, p + 1);
          continue;
        }
        if (bytes[p] !== CLOSE) return broken(bytes, start, line);
        p++;
        break;
      }
    }
    const { spans } = cells;
    for (let i = base; i < base + 2 * cells.width; i += 2) if (spans[i] === -1) spans[i] = spans[i + 1] = p - 1;
    p = skipBlanks(bytes, p);
    return p === line || (bytes[p] === CR && p + 1 === line) ? undefined : broken(bytes, start, line);
  }

  /** The column of a key that was not expected where it is. */
  #column(bytes: Buffer, start: number, end: number): number {
    const name = String(JSON.parse(bytes.toString('utf8', start, end)));
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = this.names.length;
      this.names.push(name);
      this.#columns.set(name, column);
      this.#written.push(Buffer.from(bytes.subarray(start, end)));
      const { cells } = this;
      const { rows } = cells;
      // Where the object of an earlier line ends is not known any more; a field of it will do.
      cells.widen(row => (row === rows ? -1 : cells.width === 0 ? 0 : cells.spans[2 * row * cells.width]!));
      cells.reserve();
    }
    return column;
  }

  /** Keeps where a value is, and where it ends; false where there is none. */
  #value(bytes: Buffer, start: number, line: number, spans: Int32Array, at: number): boolean {
    const c = bytes[start]!;
    if (c === QUOTE) {
      let p = start + 1;
      while (bytes[p] !== QUOTE && bytes[p] !== BACKSLASH && bytes[p]! >= BLANK) p++;
      if (bytes[p] === QUOTE) {
        spans[at] = start + 1;
        spans[at + 1] = p;
        this.#after = p + 1;
        return true;
      }
      const end = stringEnd(bytes, start, line);
      if (end < 0) return false;
      spans[at] = start + 1;
      spans[at + 1] = ~(end - 1);
      this.#after = end;
      return true;
    }
    let end = numberEnd(bytes, start);
    if (end < 0) {
      for (const word of WORDS) if (startsWith(bytes, start, word)) end = start + word.length;
      if (end < 0 && (c === OPEN || c === OPEN_LIST)) {
        end = nestedEnd(bytes, start, line);
        if (end < 0) return false;
        spans[at] = start;
        spans[at + 1] = ~end;
        this.#after = end;
        return true;
      }
      if (end < 0) return false;
    }
    spans[at] = start;
    spans[at + 1] = end;
    this.#after = end;
    return true;
  }
}

function skipBlanks(bytes: Buffer, at: number): number {
  let p = at;
  while (bytes[p] === BLANK || bytes[p] === TAB) p++;
  return p;
}

function startsWith(bytes: Buffer, at: number, word: Buffer): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

/** The byte behind a string that starts with the quote at `start`; -1 where it is none. */
function stringEnd(bytes: Buffer, start: number, line: number): number {
  let p = start + 1;
  while (p < line && bytes[p] !== QUOTE) p += bytes[p] === BACKSLASH ? 2 : 1;
  return p < line && parses(bytes.toString('utf8', start, p + 1)) ? p + 1 : -1;
}

/** The byte behind a number in JSON's notation; -1 where there is none. */
function numberEnd(bytes: Buffer, start: number): number {
  let p = start;
  if (bytes[p] === MINUS) p++;
  if (bytes[p] === ZERO) p++;
  else {
    const whole = p;
    while (isDigit(bytes[p]!)) p++;
    if (p === whole) return -1;
  }
  if (bytes[p] === POINT) {
    const fraction = ++p;
    while (isDigit(bytes[p]!)) p++;
    if (p === fraction) return -1;
  }
  if ((bytes[p]! | 32) === 0x65) {
    p++;
    if (bytes[p] === PLUS || bytes[p] === MINUS) p++;
    const exponent = p;
    while (isDigit(bytes[p]!)) p++;
    if (p === exponent) return -1;
  }
  return p;
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/** The byte behind an array or object; -1 where it is none. */
function nestedEnd(bytes: Buffer, start: number, line: number): number {
  let depth = 0;
  for (let p = start; p < line; p++) {
    const c = bytes[p]!;
    if (c === QUOTE) {
      for (p++; p < line && bytes[p] !== QUOTE; p++) if (bytes[p] === BACKSLASH) p++;
    } else if (c === OPEN || c === OPEN_LIST) depth++;
    else if (c === CLOSE || c === CLOSE_LIST) {
      depth -= 1;
      if (depth > 0) continue;
      return parses(bytes.toString('utf8', start, p + 1).replaceAll(BARE_WORD, '0')) ? p + 1 : -1;
    }
  }
  return -1;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with a line; undefined, where `maybe`, for an object. */
function broken(bytes: Buffer, start: number, line: number): TextProblem;
function broken(bytes: Buffer, start: number, line: number, maybe: true): TextProblem | undefined;
function broken(bytes: Buffer, start: number, line: number, maybe = false): TextProblem | undefined {
  const text = bytes.toString('utf8', start, line).replace(/\r$/, '');
  const stray = text.indexOf('\r');
  if (stray >= 0) {
    const detail = 'a carriage return inside a line; lines end in LF or CR LF';
    return new TextProblem('line-end-invalid', detail, start + columnOf(text, stray) - 1);
  }
  const at = jsonPlaces(text).brokenAt;
  const detail = objectProblem(text);
  if (detail === undefined && maybe) return undefined;
  if (detail === undefined) throw new Error(`the scanner refuses what JSON allows: ${text}`);
  return new TextProblem('table-syntax', detail, start + (at === undefined ? 0 : columnOf(text, at) - 1));
}

function objectProblem(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.replaceAll(BARE_WORD, '0'));
  } catch (error) {
    return `not a JSON object: ${(error as Error).message.replaceAll('\n', ' ').slice(0, 160)}`;
  }
  if (isObject(value)) return undefined;
  return `a line must hold one JSON object, found ${quote(text)}`;
}
