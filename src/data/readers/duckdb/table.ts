/** A table as DuckDB sees it: its columns and how each is read. One is made for each input file. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Input } from '../../../io/inputs.js';

export interface TableColumn {
  readonly name: string;
  /** What it holds, in DuckDB's words; for messages. */
  readonly type: string;
  /** SQL for the value as a number; NULL and NaN are missing. Undefined where the type cannot be a number at all. */
  readonly number: string | undefined;
  /** SQL for the value as days since 1970-01-01, where the type is a date. */
  readonly days: string | undefined;
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
  /** The number of rows by a count that does not go through a scan, where there is one. */
  readonly rows: number | undefined;
  /** Called with how many more rows have been read, for progress. */
  taken?(rows: number): void;
}

/** What `Table.taken` is for a file of so many rows: rows count as bytes, as many as they are of the file. */
export function rowsTaken({ taken, size }: Input, rows: number): (read: number) => void {
  return read => taken?.(((size ?? 0) * read) / Math.max(1, rows));
}

const NUMERIC = /^(BOOLEAN|U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|BIGNUM|FLOAT|DOUBLE|DECIMAL\(.*\))$/;
const DATE = /^(DATE|TIMESTAMP.*)$/;

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
      days: DATE.test(kind) ? `epoch(${column}) / 86400` : undefined,
      text: `CAST(${column} AS VARCHAR)`,
    };
  });
}
