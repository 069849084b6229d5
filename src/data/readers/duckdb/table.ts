/**
 * A table as DuckDB sees it: its columns and how each is read as a number or as text. One is made for each input file.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Place } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';

export interface TableColumn {
  readonly name: string;
  /** What it holds, in DuckDB's words; for messages. */
  readonly type: string;
  /**
   * SQL for the value as a number: NULL and NaN are missing, an infinity is a value that is no number. Undefined where
   * the type cannot be a number at all.
   */
  readonly number: string | undefined;
  /** SQL for the value as text. */
  readonly text: string;
}

/** A place in a text file, both from 1; the column is in bytes. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** The row that holds the names of the columns, where a format has one. */
export const HEADER = -1;

export interface Table {
  readonly file: string;
  /** The format's name, for messages. */
  readonly format: string;
  readonly columns: readonly TableColumn[];
  /** What stands behind FROM. */
  readonly from: string;
  /** The number of rows by a count that does not go through DuckDB's parser, where there is one. */
  readonly rows: number | undefined;
  /** Called with how many more rows have been read, for progress. */
  taken?(rows: number): void;
  /** Where the value of a row and a column (from 0) starts; HEADER is the row of names. Undefined without lines. */
  place(row: number, column: number): Promise<TextPlace | undefined>;
  /** Throws where it can say better than DuckDB's message what is wrong with the file. */
  explain?(message: string): Promise<void>;
}

/** What `Table.taken` is for a file of so many rows: rows count as bytes, as many as they are of the file. */
export function rowsTaken({ taken, size }: Input, rows: number): (read: number) => void {
  return read => taken?.(((size ?? 0) * read) / Math.max(1, rows));
}

/** The place of a value and the words that name its row where it has no line. */
export async function valuePlace(
  table: Table,
  row: number,
  column: TableColumn,
): Promise<{ place: Place; where: string }> {
  const found = await table.place(row, table.columns.indexOf(column));
  return { place: { file: table.file, ...found }, where: found === undefined ? `row ${row + 1}: ` : '' };
}

/**
 * SQL for a text column as a number. Text that is none becomes an infinity, to be reported with its row: a failing CAST
 * would not tell where. DuckDB would take 1_000 for 1000; here it is no number.
 */
export function numberOfText(column: string): string {
  const words = "WHEN 'true' THEN 1 WHEN 'false' THEN 0 WHEN '' THEN NULL WHEN 'null' THEN NULL WHEN 'na' THEN NULL";
  return (
    `CASE WHEN ${column} IS NULL THEN NULL WHEN contains(${column}, '_') THEN 'inf'::DOUBLE ` +
    `ELSE coalesce(TRY_CAST(${column} AS DOUBLE), CASE lower(trim(${column})) ${words} ELSE 'inf'::DOUBLE END) END`
  );
}

const NUMERIC = /^(BOOLEAN|U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|BIGNUM|FLOAT|DOUBLE|DECIMAL\(.*\))$/;

/** The columns of whatever stands behind FROM, with their types. */
export async function typedColumns(connection: DuckDBConnection, from: string): Promise<TableColumn[]> {
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  return described.getRows().map(([name, type], index) => {
    const kind = String(type);
    // Columns by number: names may repeat up to case, and a number needs no quoting.
    const column = `#${index + 1}`;
    return {
      name: String(name),
      type: kind,
      number: NUMERIC.test(kind) ? (kind === 'FLOAT' ? column : `CAST(${column} AS DOUBLE)`) : undefined,
      text: `CAST(${column} AS VARCHAR)`,
    };
  });
}
