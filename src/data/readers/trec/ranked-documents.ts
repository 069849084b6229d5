/**
 * What qrels and run files have in common: lines that give one number to one document of one query, in any order of
 * lines. Kept in columns and grouped by query, so that millions of lines need no object each.
 */
import { ListwiseError, type Place, quote } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { columnOf, fields, raggedColumn, textLines } from '../../../io/text-lines.js';
import { IdNumbers } from '../../id-numbers.js';
import { type StringTable, StringTableBuilder } from '../../string-table.js';

/** One number a document, grouped by query: queries in order of first appearance, documents in input order. */
export interface DocumentValues {
  readonly queryIds: readonly string[];
  readonly offsets: Uint32Array;
  readonly documentIds: StringTable;
  readonly values: Float64Array;
  /** Input row (from 0) of each document, where lines of a query were not adjacent. */
  readonly inputRows: Uint32Array | undefined;
}

export interface LineFormat {
  /** What a line looks like, for messages. */
  readonly layout: string;
  readonly fields: { readonly min: number; readonly max: number };
  /** Index of the field with the number. */
  readonly valueAt: number;
  /** The number, or an error message without its place. */
  value(field: string): number | { code: 'label-invalid' | 'score-invalid'; detail: string };
}

export async function readDocumentValues(input: Input, format: LineFormat): Promise<DocumentValues> {
  const file = input.name;
  const numbers = new IdNumbers();
  const documents = new StringTableBuilder();
  let queryOf = new Uint32Array(1024);
  let lineOf = new Uint32Array(1024);
  let columnOfDocument = new Uint32Array(1024);
  let values = new Float64Array(1024);
  let rows = 0;
  for await (const batch of textLines(input)) {
    for (let i = 0; i < batch.lines.length; i++) {
      const text = batch.lines[i]!;
      const line = batch.first + i;
      const { values: found, starts } = fields(text);
      if (found.length === 0 || text.startsWith('#')) continue; // blank lines and comments, as trec_eval
      if (found.length < format.fields.min || found.length > format.fields.max) {
        throw new ListwiseError('row-ragged', `${found.length} fields, expected ${format.layout}`, {
          file,
          line,
          column: raggedColumn(text, starts, format.fields.max),
        });
      }
      const value = format.value(found[format.valueAt]!);
      if (typeof value !== 'number') {
        throw new ListwiseError(value.code, value.detail, {
          file,
          line,
          column: columnOf(text, starts[format.valueAt]!),
        });
      }
      let query = numbers.get(found[0]!);
      if (query === undefined) {
        query = numbers.add(Buffer.from(found[0]!).toString()); // a copy: a slice would keep its whole batch alive
      }
      if (rows === values.length) {
        queryOf = grown(queryOf, new Uint32Array(2 * rows));
        lineOf = grown(lineOf, new Uint32Array(2 * rows));
        columnOfDocument = grown(columnOfDocument, new Uint32Array(2 * rows));
        values = grown(values, new Float64Array(2 * rows));
      }
      queryOf[rows] = query;
      lineOf[rows] = line;
      columnOfDocument[rows] = columnOf(text, starts[2]!);
      values[rows++] = value;
      documents.add(found[2]!);
    }
  }
  if (rows === 0) throw new ListwiseError('data-empty', 'the file holds no documents', { file });
  const grouped = group(queryOf.subarray(0, rows), numbers.size);
  const ids = documents.finish();
  const { order, offsets } = grouped;
  const result: DocumentValues = {
    queryIds: numbers.ids(),
    offsets,
    documentIds: grouped.moved ? ids.select(order) : ids,
    values: Float64Array.from(order, row => values[row]!),
    inputRows: grouped.moved ? order : undefined,
  };
  refuseDuplicates(result, row => ({ file, line: lineOf[order[row]!]!, column: columnOfDocument[order[row]!]! }));
  return result;
}

function grown<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Rows in the order of their queries; rows of one query keep their order. */
function group(queryOf: Uint32Array, queries: number): { order: Uint32Array; offsets: Uint32Array; moved: boolean } {
  const offsets = new Uint32Array(queries + 1);
  for (const query of queryOf) offsets[query + 1]!++;
  for (let q = 0; q < queries; q++) offsets[q + 1]! += offsets[q]!;
  const order = new Uint32Array(queryOf.length);
  const next = offsets.slice();
  let moved = false;
  for (let row = 0; row < queryOf.length; row++) {
    const to = next[queryOf[row]!]!++;
    order[to] = row;
    if (to !== row) moved = true;
  }
  return { order, offsets, moved };
}

/** Refuses a document that is given twice for a query, naming the first line that repeats one. */
function refuseDuplicates(all: DocumentValues, placeOf: (row: number) => Place & { line: number }): void {
  let worst: { place: Place & { line: number }; earlier: number; query: string; document: string } | undefined;
  for (let q = 0; q < all.queryIds.length; q++) {
    const seen = new Map<string, number>();
    for (let row = all.offsets[q]!; row < all.offsets[q + 1]!; row++) {
      const document = all.documentIds.get(row);
      const earlier = seen.get(document);
      if (earlier === undefined) seen.set(document, row);
      else if (worst === undefined || placeOf(row).line < worst.place.line) {
        worst = { place: placeOf(row), earlier: placeOf(earlier).line, query: all.queryIds[q]!, document };
        break;
      }
    }
  }
  if (worst !== undefined) {
    throw new ListwiseError(
      'document-duplicate',
      `document ${quote(worst.document)} is listed twice for query ${quote(worst.query)}; first on line ${worst.earlier}`,
      worst.place,
    );
  }
}
