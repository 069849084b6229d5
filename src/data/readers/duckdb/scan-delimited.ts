/**
 * Walks over a delimited text file (RFC 4180: fields may be quoted, a quote inside is doubled, a quoted field may span lines)
 * before DuckDB reads it: finds the header, counts the records and checks that each has as many fields as the header. DuckDB's
 * parser guesses where it can; with this count no line can be skipped or taken for something else unnoticed.
 */
import { type ErrorCode, ListwiseError, quote } from '../../../errors.js';
import type { Input } from '../../inputs.js';

export interface DelimitedScan {
  readonly header: readonly string[];
  /** Records after the header; lines without a single character are none. */
  readonly records: number;
  /** Whether some lines end in LF and others in CR LF. */
  readonly mixedLineEnds: boolean;
  /** The longest record in bytes. */
  readonly longest: number;
  /** The line (from 1) on which record `until` starts. */
  readonly line: number;
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

/** `until`: stop at the start of this record (from 0, the header left out) to learn its line. */
export async function scanDelimited(input: Input, delimiter: number, until = Infinity): Promise<DelimitedScan> {
  const file = input.name;
  let state: number = START;
  let line = 1;
  let recordLine = 1;
  let fields = 0;
  let records = -1; // the header is record -1
  let width = 0;
  let length = 0;
  let longest = 0;
  let plainEnds = 0;
  let ends = 0;
  let skip = 0; // bytes of a byte order mark still to leave out
  let first = true;
  const header: number[] = [];
  const fail = (code: ErrorCode, detail: string, at = recordLine): never => {
    throw new ListwiseError(code, detail, { file, line: at });
  };
  const result = (): DelimitedScan => ({
    header: splitHeader(header, delimiter),
    records,
    mixedLineEnds: plainEnds > 0 && plainEnds < ends,
    longest,
    line,
  });
  const endRecord = () => {
    if (length === 0 && records < 0) fail('table-syntax', 'the first line is empty; it must be the header');
    if (length === 0) return; // an empty line
    fields++;
    if (records < 0) width = fields;
    else if (fields !== width) fail('row-ragged', `${fields} fields where the header has ${width}`);
    records++;
    if (length > longest) longest = length;
  };
  for await (const chunk of input.open()) {
    if (first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) skip = 3;
    first = false;
    for (let at = skip; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (state === CR_SEEN && byte !== LF)
        fail('line-end-invalid', 'a carriage return inside a line; lines end in LF or CR LF', line);
      if (byte === LF && state !== QUOTED) {
        endRecord();
        ends++;
        if (state !== CR_SEEN) plainEnds++;
        line++;
        recordLine = line;
        fields = 0;
        length = 0;
        state = START;
        continue;
      }
      if (byte === CR && state !== QUOTED) {
        state = CR_SEEN;
        continue;
      }
      length++;
      if (length === 1 && records === until) return result();
      if (records < 0) header.push(byte);
      if (byte === 0) fail('data-binary', 'a NUL byte: this is not a text file', line);
      if (state === PLAIN) {
        if (byte === delimiter) {
          fields++;
          state = START;
        } else if (byte === QUOTE) fail('table-syntax', 'a quote inside a field that does not start with one', line);
      } else if (state === QUOTED) {
        if (byte === QUOTE) state = QUOTE_SEEN;
        else if (byte === LF) line++;
      } else if (state === START) {
        if (byte === delimiter) fields++;
        else state = byte === QUOTE ? QUOTED : PLAIN;
      } else if (byte === QUOTE) state = QUOTED;
      else if (byte === delimiter) {
        fields++;
        state = START;
      } else fail('table-syntax', `${quote(String.fromCharCode(byte))} behind the end of a quoted field`, line);
    }
    skip = 0;
  }
  if (state === QUOTED) fail('table-syntax', 'a quoted field is not closed');
  if (state === CR_SEEN) fail('line-end-invalid', 'a carriage return inside a line; lines end in LF or CR LF', line);
  if (length > 0) endRecord();
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
