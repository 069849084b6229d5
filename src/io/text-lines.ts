/** Lines of text from a stream of bytes, a batch at a time: memory stays at a chunk, whatever the size of the file. */
import { ListwiseError, type Place } from '../errors.js';
import type { Input } from './inputs.js';

/** Some consecutive lines without their line ends (LF or CRLF). */
export interface LineBatch {
  readonly lines: readonly string[];
  /** Number of the first line, from 1. */
  readonly first: number;
}

/** No line of most text formats is longer; a file without line ends must not fill the memory. */
const LONGEST_LINE = 1 << 24;

const LINE_FEED = 10;

/** `longest` is how many bytes a line may have. */
export async function* textLines(input: Input, longest = LONGEST_LINE): AsyncIterable<LineBatch> {
  let first = 1;
  let open: Uint8Array[] = [];
  let openBytes = 0;
  for await (const chunk of input.open()) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      const lines = decode(Buffer.concat([...open, chunk.subarray(0, end - 1)]), input.name, first);
      yield { lines, first };
      first += lines.length;
      open = [];
      openBytes = 0;
    }
    // A copy: the stream may use its chunk again.
    if (end < chunk.length) open.push(chunk.slice(end));
    openBytes += chunk.length - end;
    if (openBytes > longest) {
      throw new ListwiseError('row-ragged', `the line is longer than ${longest} bytes`, {
        file: input.name,
        line: first,
      });
    }
  }
  if (openBytes > 0) yield { lines: decode(Buffer.concat(open), input.name, first), first };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whole lines as text; what is not text is refused with its line, never repaired: two ids must not become one. */
function decode(bytes: Buffer, file: string, first: number): string[] {
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw new ListwiseError('data-binary', 'a NUL byte: this is not a text file', at(bytes, zero));
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    const bad = firstInvalid(bytes);
    throw notUtf8(bytes[bad]!, at(bytes, bad));
  }
  if (first === 1 && text.startsWith('\ufeff')) text = text.slice(1);
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!.endsWith('\r') ? lines[i]!.slice(0, -1) : lines[i]!;
    const stray = line.indexOf('\r');
    if (stray >= 0) {
      throw new ListwiseError('line-end-invalid', 'a carriage return inside a line; lines end in LF or CR LF', {
        file,
        line: first + i,
        column: columnOf(line, stray),
      });
    }
    lines[i] = line;
  }
  return lines;

  function at(all: Buffer, index: number): Place {
    let line = first;
    let start = 0;
    for (let i = all.indexOf(LINE_FEED); i >= 0 && i < index; i = all.indexOf(LINE_FEED, i + 1)) {
      line++;
      start = i + 1;
    }
    return { file, line, column: index - start + 1 };
  }
}

export function notUtf8(byte: number, place: Place): ListwiseError {
  const found = `0x${byte.toString(16).padStart(2, '0')}`;
  return new ListwiseError('data-binary', `byte ${found} is not part of UTF-8 text`, place);
}

/** Where the bytes stop being UTF-8: the end of the longest prefix that decodes the same both ways. */
export function firstInvalid(bytes: Buffer): number {
  const repaired = Buffer.from(bytes.toString('utf8'), 'utf8');
  let i = 0;
  while (i < bytes.length && bytes[i] === repaired[i]) i++;
  return Math.min(i, bytes.length - 1);
}

/** The fields of a line, separated by blanks and tabs; `starts` are their first characters. */
export function fields(line: string): { values: string[]; starts: number[] } {
  const values: string[] = [];
  const starts: number[] = [];
  for (let i = 0; i < line.length; ) {
    if (isBlank(line.charCodeAt(i))) {
      i++;
      continue;
    }
    const start = i;
    while (i < line.length && !isBlank(line.charCodeAt(i))) i++;
    values.push(line.slice(start, i));
    starts.push(start);
  }
  return { values, starts };
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** The column of a character of a line, in bytes from 1. */
export function columnOf(line: string, character: number): number {
  return Buffer.byteLength(line.slice(0, character)) + 1;
}

/** Where a line has the wrong number of fields: the first that is too much, or its end where there are too few. */
export function raggedColumn(line: string, starts: readonly number[], most: number): number {
  return columnOf(line, starts[most] ?? line.trimEnd().length);
}

const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i;

/** The number that a field is, in decimal notation and finite; undefined otherwise. */
export function finiteNumber(field: string): number | undefined {
  if (!NUMBER.test(field)) return undefined;
  const value = Number(field);
  return Number.isFinite(value) ? value : undefined;
}
