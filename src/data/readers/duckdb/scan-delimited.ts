/**
 * Walks over a delimited text file (RFC 4180: fields may be quoted, a quote inside is doubled, a quoted field may span
 * lines) before DuckDB reads it: finds the header, counts the records and checks that each has as many fields as the
 * header. DuckDB's parser guesses where it can; with this count no line can be skipped or taken for something else
 * unnoticed.
 */
import { isUtf8 } from 'node:buffer';
import { type ErrorCode, ListwiseError, plural, quote } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { firstInvalid, notUtf8 } from '../../../io/text-lines.js';
import type { TextPlace } from './table.js';

export interface DelimitedScan {
  readonly header: readonly string[];
  /** Records after the header; lines without a single character are none. */
  readonly records: number;
  /** Whether some lines end in LF and others in CR LF. */
  readonly mixedLineEnds: boolean;
  /** The longest record in bytes. */
  readonly longest: number;
  /** Where the field `until` starts, or where the walk ended. */
  readonly place: TextPlace;
}

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** Where a byte stands: at the start of a field, inside a plain or a quoted one, behind a quote or a CR. */
const START = 0;
const PLAIN = 1;
const QUOTED = 2;
const QUOTE_SEEN = 3;
const CR_SEEN = 4;

/** `until`: stop at the start of this field to learn its place; rows and columns from 0, the header is row -1. */
export async function scanDelimited(
  input: Input,
  delimiter: number,
  until = { row: Infinity, column: 0 },
): Promise<DelimitedScan> {
  const file = input.name;
  let state: number = START;
  let line = 1;
  let lineStart = 0; // bytes before this line
  let passed = 0; // bytes before this chunk
  let fields = 0;
  let records = -1; // the header is record -1
  let width = 0;
  let length = 0;
  let longest = 0;
  let plainEnds = 0;
  let ends = 0;
  let skip = 0; // bytes of a byte order mark still to leave out
  let first = true;
  let fieldLine = 1; // where the field at hand starts
  let fieldColumn = 1;
  let extra: TextPlace | undefined; // the first field of the record that is too much
  const header: number[] = [];
  const place = (at: number): TextPlace => ({ line, column: passed + at - lineStart + 1 });
  const fail = (code: ErrorCode, detail: string, where: TextPlace): never => {
    throw new ListwiseError(code, detail, { file, ...where });
  };
  const result = (): DelimitedScan => ({
    header: splitHeader(header, delimiter),
    records,
    mixedLineEnds: plainEnds > 0 && plainEnds < ends,
    longest,
    place: { line: fieldLine, column: fieldColumn },
  });
  /** Returns whether this is the field to stop at. */
  const startField = (at: number): boolean => {
    fieldLine = line;
    fieldColumn = passed + at - lineStart + 1;
    if (fields === width && records >= 0) extra = place(at);
    return records === until.row && fields === until.column;
  };
  /** `at`: the byte behind the record. */
  const endRecord = (at: number) => {
    if (length === 0 && records < 0) fail('table-syntax', 'the first line is empty; it must be the header', place(at));
    if (length === 0) return; // an empty line
    fields++;
    if (records < 0) {
      const bytes = Buffer.from(header);
      if (!isUtf8(bytes)) {
        const bad = firstInvalid(bytes);
        const before = header.slice(0, bad);
        const at = { line: 1 + before.filter(byte => byte === LF).length, column: bad - before.lastIndexOf(LF) };
        throw notUtf8(bytes[bad]!, { file, ...at });
      }
      width = fields;
    }
    if (records >= 0 && fields !== width) {
      fail('row-ragged', `${plural(fields, 'field')} where the header has ${width}`, extra ?? place(at));
    }
    records++;
    if (length > longest) longest = length;
  };
  for await (const chunk of input.open()) {
    if (first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) {
      skip = 3;
      lineStart = 3;
    }
    first = false;
    for (let at = skip; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (state === CR_SEEN && byte !== LF)
        fail('line-end-invalid', 'a carriage return inside a line; lines end in LF or CR LF', place(at - 1));
      if (byte === LF && state !== QUOTED) {
        endRecord(state === CR_SEEN ? at - 1 : at);
        ends++;
        if (state !== CR_SEEN) plainEnds++;
        line++;
        lineStart = passed + at + 1;
        fields = 0;
        length = 0;
        extra = undefined;
        state = START;
        continue;
      }
      if (byte === CR && state !== QUOTED) {
        state = CR_SEEN;
        continue;
      }
      length++;
      if (length === 1 && startField(at)) return result();
      if (records < 0) header.push(byte);
      if (byte === 0) fail('data-binary', 'a NUL byte: this is not a text file', place(at));
      if (state === QUOTED) {
        if (byte === QUOTE) state = QUOTE_SEEN;
        else if (byte === LF) {
          line++;
          lineStart = passed + at + 1;
        }
      } else if (byte === delimiter) {
        fields++;
        state = START;
        if (startField(at + 1)) return result();
      } else if (state === PLAIN) {
        if (byte === QUOTE) fail('table-syntax', 'a quote inside a field that does not start with one', place(at));
      } else if (state === START) state = byte === QUOTE ? QUOTED : PLAIN;
      else if (byte === QUOTE) state = QUOTED;
      else fail('table-syntax', `${quote(String.fromCharCode(byte))} behind the end of a quoted field`, place(at));
    }
    skip = 0;
    passed += chunk.length;
  }
  if (state === QUOTED) {
    fail('table-syntax', 'a quoted field is not closed', { line: fieldLine, column: fieldColumn });
  }
  if (state === CR_SEEN) {
    fail('line-end-invalid', 'a carriage return inside a line; lines end in LF or CR LF', place(-1));
  }
  if (length > 0) endRecord(0);
  if (records < 0) throw new ListwiseError('data-empty', 'the file is empty', { file });
  return result();
}

/** The fields of the header, which the scan has found well formed; blanks around a name without quotes do not count. */
function splitHeader(bytes: readonly number[], delimiter: number): string[] {
  const text = Buffer.from(bytes).toString('utf8');
  const separator = String.fromCharCode(delimiter);
  const names: string[] = [];
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === '"') {
      const from = at + 1;
      do at = text.indexOf('"', at + 1);
      while (text[at + 1] === '"' && at++ > 0);
      names.push(text.slice(from, at).replaceAll('""', '"'));
      at++;
    } else {
      const end = text.indexOf(separator, at);
      names.push(text.slice(at, end < 0 ? undefined : end).trim());
      at = end < 0 ? text.length : end;
    }
  }
  return names;
}
