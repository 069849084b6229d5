/**
 * The SVMlight/LETOR format, defined by plain code: `label [qid:ID] id:value ... [# comment]`, one row a line. Whatever
 * reads the format faster is tested equal to this, and asks it to word every error.
 */
import { type ErrorCode, ListwiseError, quote } from '../../../errors.js';
import { MAX_FEATURES } from '../../../kernels/layouts/parse-svmlight.js';
import { idText } from '../../string-table.js';

export interface LineOptions {
  /** The smallest feature id. */
  featureBase: 0 | 1;
  /** Whether a row must say its query. */
  needQuery: boolean;
}

export interface SvmlightRow {
  label: number;
  query: string | undefined;
  /** Feature indices from 0, in the order of the line; NaN where the value is missing. */
  features: { index: number; value: number }[];
  documentId: string | undefined;
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const MISSING = /^(null|nan|)$/i;
const DOCUMENT_ID = /(?:^|[ \t])docid[ \t]*=[ \t]*([^ \t]+)/;

/** One line as latin1, without its line feed. Undefined for lines without a row; errors have a column and no line. */
export function parseLine(text: string, options: LineOptions): SvmlightRow | undefined {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text;
  refuseByte(line, '\0', 'data-binary', 'a NUL byte; this is not a text file');
  refuseByte(line, '\r', 'line-end-invalid', 'a carriage return inside a line; lines end in LF or CR LF');
  const hash = line.indexOf('#');
  const [label, ...rest] = tokens(hash < 0 ? line : line.slice(0, hash));
  if (label === undefined) return undefined;
  const row: SvmlightRow = {
    label: parseLabel(label),
    query: undefined,
    features: [],
    documentId: hash < 0 ? undefined : documentId(line.slice(hash + 1)),
  };
  if (rest[0]?.text.startsWith('qid:')) row.query = parseQuery(rest.shift()!);
  else if (options.needQuery) throw queryMissing(rest[0]?.column ?? label.column + label.text.length);
  const seen = new Set<number>();
  for (const token of rest) {
    const feature = parseFeature(token, options.featureBase);
    if (seen.has(feature.index)) {
      throw failure('feature-duplicate', `feature ${feature.index + options.featureBase} is given twice`, token.column);
    }
    seen.add(feature.index);
    row.features.push(feature);
  }
  return row;
}

/** All rows of a text with their line numbers from 1; a byte order mark at the start is skipped. */
export function parseText(bytes: Uint8Array | string, options: LineOptions): (SvmlightRow & { line: number })[] {
  const text = Buffer.from(bytes).toString('latin1');
  const lines = (text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text).split('\n');
  const rows: (SvmlightRow & { line: number })[] = [];
  let firstWithout: ListwiseError | undefined;
  let someWith = false;
  for (let i = 0; i < lines.length; i++) {
    try {
      const row = parseLine(lines[i]!, options);
      if (row === undefined) continue;
      rows.push({ ...row, line: i + 1 });
      if (row.query !== undefined) someWith = true;
      else firstWithout ??= queryAbsent(lines[i]!, i + 1);
      if (someWith && firstWithout !== undefined) throw firstWithout;
    } catch (error) {
      if (!(error instanceof ListwiseError)) throw error;
      throw new ListwiseError(error.code, error.detail, { line: i + 1, ...error.place });
    }
  }
  return rows;
}

/** The error for a row without a query in a file where other rows have one. */
export function queryAbsent(text: string, line: number): ListwiseError {
  const [label, next] = tokens(text.replace(/#.*|\r$/s, ''));
  const column = next?.column ?? label!.column + label!.text.length;
  return new ListwiseError('query-missing', 'this row has no qid:, but other rows of the file do', { line, column });
}

interface Token {
  text: string;
  /** Of its first byte, from 1. */
  column: number;
}

function tokens(body: string): Token[] {
  return Array.from(body.matchAll(/[^ \t]+/g), match => ({ text: match[0], column: match.index + 1 }));
}

function failure(code: ErrorCode, detail: string, column: number): ListwiseError {
  return new ListwiseError(code, detail, { column });
}

function refuseByte(line: string, byte: string, code: ErrorCode, detail: string): void {
  const at = line.indexOf(byte);
  if (at >= 0) throw failure(code, detail, at + 1);
}

function queryMissing(column: number): ListwiseError {
  return failure('query-missing', 'the row has no qid: after its label, and no group file says its query', column);
}

function parseLabel({ text, column }: Token): number {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw failure('label-invalid', `the label is a finite number, found ${quote(decoded(text))}`, column);
}

function parseQuery({ text, column }: Token): string {
  if (text.length > 4) return decoded(text.slice(4));
  throw failure('query-missing', 'qid: names no query; write qid:ID without a blank', column);
}

function parseFeature({ text, column }: Token, base: 0 | 1): { index: number; value: number } {
  const colon = text.indexOf(':');
  if (colon < 0) {
    throw failure('feature-syntax', `a feature is written ID:VALUE, found ${quote(decoded(text))}`, column);
  }
  if (text.startsWith('qid:')) throw failure('feature-syntax', 'qid: comes once, right after the label', column);
  const id = text.slice(0, colon);
  const index = /^\d+$/.test(id) ? Number(id) - base : Number.NaN;
  if (index === -1) {
    const advice = 'for files that count from 0 use `featureBase: 0`';
    throw failure('feature-id-invalid', `feature id 0, but ids count from 1; ${advice}`, column);
  }
  if (!(index >= 0 && index < MAX_FEATURES)) {
    const allowed = `a whole number from ${base} to ${MAX_FEATURES - 1 + base}`;
    throw failure('feature-id-invalid', `a feature id is ${allowed}, found ${quote(decoded(id))}`, column);
  }
  return { index, value: parseValue(text.slice(colon + 1), column) };
}

function parseValue(text: string, column: number): number {
  if (MISSING.test(text)) return Number.NaN;
  const value = DECIMAL.test(text) ? Math.fround(Number(text)) : Number.NaN;
  if (Number.isFinite(value)) return value;
  const allowed = 'a number that fits 32-bit floating point, or NULL, nan or nothing where missing';
  throw failure('feature-value-invalid', `a feature value is ${allowed}, found ${quote(decoded(text))}`, column);
}

/** `docid = X` anywhere in the comment, or the comment itself where it is one word. */
function documentId(comment: string): string | undefined {
  const named = DOCUMENT_ID.exec(comment);
  if (named !== null) return decoded(named[1]!);
  const words = tokens(comment);
  return words.length === 1 ? decoded(words[0]!.text) : undefined;
}

function decoded(latin1: string): string {
  return idText(Buffer.from(latin1, 'latin1'));
}
