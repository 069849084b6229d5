/** A table as DuckDB sees it: its columns and how each is read as a number or as text. One is made for each input file. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Place } from '../../../errors.js';

export interface TableColumn {
  readonly name: string;
  /** What it holds, in DuckDB's words; for messages. */
  readonly type: string;
  /**
   * SQL for the value as a number: NULL and NaN are missing, an infinity is a value that is no number. Undefined where the type
   * cannot be a number at all.
   */
  readonly number: string | undefined;
  /** SQL for the value as text. */
  readonly text: string;
}

export interface Table {
  readonly file: string;
  /** The format's name, for messages. */
  readonly format: string;
  readonly columns: readonly TableColumn[];
  /** What stands behind FROM. */
  readonly from: string;
  /** The number of rows by a count that does not go through DuckDB's parser, where there is one. */
  readonly rows: number | undefined;
  /** Where a row (from 0) is, for messages: a line of a text file, undefined where rows have no lines. */
  line(row: number): Promise<number | undefined>;
  /** Throws where it can say better than DuckDB's message what is wrong with the file. */
  explain?(message: string): Promise<void>;
}

/** The place of a row and the words that name it where it has no line. */
export async function rowPlace(table: Table, row: number): Promise<{ place: Place; where: string }> {
  const line = await table.line(row);
  return { place: { file: table.file, line }, where: line === undefined ? `row ${row + 1}: ` : '' };
}

/**
 * SQL for a text column as a number. Text that is none becomes an infinity, to be reported with its row: a failing CAST would
 * not tell where. DuckDB would take 1_000 for 1000; here it is no number.
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
