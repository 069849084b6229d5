/** Rows of tables that DuckDB reads: one SELECT a table, streamed in its chunks of about 2,000 rows. */
import type { DuckDBDataChunk } from '@duckdb/node-api';
import { ListwiseError, quote } from '../../../errors.js';
import { type FileOnDisk, withSpool } from '../../../io/spool.js';
import { unchanging } from '../../../io/unchanging.js';
import type { Piece } from '../../dataset-builder.js';
import type { Reader, ReadOptions, RowSink } from '../reader.js';
import { daysOf } from '../tables/cell-dates.js';
import { NO_NUMBER } from '../tables/cell-numbers.js';
import type { MissingWords } from '../tables/missing-words.js';
import type { FeatureKind } from '../tables/roles.js';
import { runsOf, type TableChunk } from '../tables/table-chunk.js';
import { notNumeric } from '../tables/table-features.js';
import { TablePieces } from '../tables/table-pieces.js';
import { asCoded, type Session, withDuckDB } from './session.js';
import type { Table, TableColumn } from './table.js';

/** The stream of a reader that makes a table of each input; `plain` where DuckDB cannot take it compressed. */
export function tableStream(
  tableOf: (session: Session, input: FileOnDisk) => Promise<Table>,
  plain = false,
): Reader['stream'] {
  return (inputs, options, sink) =>
    withSpool(async spool => {
      const files: FileOnDisk[] = [];
      for (const input of inputs) files.push(await spool.file(input, plain));
      const reached = { threads: options.threads, files: files.map(({ path }) => path) };
      return withDuckDB(reached, async session => {
        async function* tables() {
          for (const file of files) {
            const refuseChanged = await unchanging(file.path);
            yield await tableOf(session, file);
            await refuseChanged();
          }
        }
        return streamTables(session, tables(), options, sink);
      });
    });
}

export async function streamTables(
  session: Session,
  tables: AsyncIterable<Table>,
  options: ReadOptions,
  sink: RowSink,
): Promise<void> {
  const pieces = new TablePieces(options);
  for await (const table of tables) {
    const columns = table.columns.map(column => column.name);
    checkNames(columns, table);
    pieces.open(columns, table.file, begin => sink.begin(begin));
    pieces.close(columns, table.file);
    try {
      await streamTable(session, table, pieces, sink);
    } catch (error) {
      throw asCoded(error, table.file, table.format);
    }
  }
  pieces.finish();
}

function checkNames(columns: readonly string[], { file }: Table): void {
  for (const [index, name] of columns.entries()) {
    if (name === '') throw new ListwiseError('table-syntax', `column ${index + 1} has no name`, { file });
    if (columns.indexOf(name) < index) {
      throw new ListwiseError('feature-duplicate', `two columns are called ${quote(name)}`, { file });
    }
  }
}

async function streamTable(session: Session, table: Table, pieces: TablePieces, sink: RowSink): Promise<void> {
  const selected = selection(table, pieces);
  const select = selected.length === 0 ? ['NULL'] : selected.map(({ sql }) => sql);
  const result = await session.connection.stream(`SELECT ${select.join(',\n')}\nFROM ${table.from}`);
  const vectors = new Map(selected.map(({ column }, i) => [table.columns.indexOf(column), i]));
  let rows = 0;
  for (;;) {
    const found = await result.fetchChunk();
    if (found === null || found.rowCount === 0) break;
    const piece = pieces.piece(new VectorChunk(found, vectors, table, rows, pieces.missing));
    if (piece !== undefined) await sink.append(piece);
    rows += found.rowCount;
    table.taken?.(found.rowCount);
  }
  // A stream that fails ends as one that is through.
  const due = table.rows ?? (await countRows(session, table));
  if (due !== rows) {
    throw new ListwiseError(
      'row-count',
      `there are ${due} rows, but DuckDB gave ${rows}: a value cannot be computed, or the file is damaged or was changed`,
      { file: table.file },
    );
  }
}

/** Without the values, which may be what fails. */
async function countRows({ connection }: Session, { from }: Table): Promise<number> {
  const found = await connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
  return Number(found.getRowsJson()[0]![0]);
}

/** What to read of each column that is used. Tables may lack some, where they may differ. */
function selection(table: Table, { roles, features }: TablePieces): { column: TableColumn; sql: string }[] {
  const byName = new Map(table.columns.map(column => [column.name, column]));
  const { file } = table;
  const selected: { column: TableColumn; sql: string }[] = [];
  for (const name of [roles.query, roles.document]) {
    const column = name === undefined ? undefined : byName.get(name);
    if (column !== undefined) selected.push({ column, sql: column.text });
  }
  const labels = roles.labels.map(({ name, column }) => ({ name: column, use: `label ${quote(name)}` }));
  const others = [
    { name: roles.weight, use: 'document weight' },
    { name: roles.position, use: 'position' },
    { name: roles.initialScore, use: 'initial score' },
  ];
  for (const { name, use } of [...labels, ...others]) {
    const column = name === undefined ? undefined : byName.get(name);
    if (name === undefined || column === undefined) continue;
    if (column.number === undefined) {
      const detail = `column ${quote(name)} holds ${column.type}, which cannot be a ${use}; name a column of numbers`;
      throw new ListwiseError('column-type', detail, { file });
    }
    selected.push({ column, sql: column.number });
  }
  const wrong: TableColumn[] = [];
  for (const { name, kind } of features) {
    const column = byName.get(name);
    if (column === undefined) continue;
    const sql = featureSql(column, kind);
    if (sql === undefined) wrong.push(column);
    else selected.push({ column, sql });
  }
  if (wrong.length === 0) return selected;
  throw notNumeric(
    wrong.map(({ name, type, days }) => ({ name, holds: { what: type, kind: holdsKind(type, days) } })),
    { file },
  );
}

function featureSql(column: TableColumn, kind: FeatureKind): string | undefined {
  if (kind === 'number') return column.number;
  if (kind === 'category') return column.text;
  return column.days ?? (column.type === 'VARCHAR' ? column.text : undefined);
}

function holdsKind(type: string, days: string | undefined): 'date' | 'text' | 'other' {
  if (days !== undefined) return 'date';
  return /^(VARCHAR|ENUM.*|UUID)$/.test(type) ? 'text' : 'other';
}

/** A chunk of a result: `vectors` are the numbers of its vectors, by the column of the table. */
class VectorChunk implements TableChunk {
  readonly #chunk: DuckDBDataChunk;
  readonly #vectors: ReadonlyMap<number, number>;
  readonly #table: Table;
  readonly #first: number;
  readonly #missing: MissingWords;

  constructor(
    chunk: DuckDBDataChunk,
    vectors: ReadonlyMap<number, number>,
    table: Table,
    first: number,
    missing: MissingWords,
  ) {
    this.#chunk = chunk;
    this.#vectors = vectors;
    this.#table = table;
    this.#first = first;
    this.#missing = missing;
  }

  get rows(): number {
    return this.#chunk.rowCount;
  }

  #values(column: number) {
    return this.#chunk.getColumnVector(this.#vectors.get(column)!);
  }

  numbers(column: number, _exact: boolean, out: Float64Array): void {
    const vector = this.#values(column);
    for (let i = 0; i < this.rows; i++) out[i] = (vector.getItem(i) as number | null) ?? Number.NaN;
  }

  dates(column: number, out: Float64Array): void {
    const vector = this.#values(column);
    for (let i = 0; i < this.rows; i++) {
      const value = vector.getItem(i) as number | string | null;
      if (typeof value === 'number') out[i] = value;
      else out[i] = value === null || this.#missing.has(value) ? Number.NaN : (daysOf(value) ?? NO_NUMBER);
    }
  }

  text(column: number, row: number): string | undefined {
    const value = this.#values(column).getItem(row) as string | number | null;
    if (value === null) return undefined;
    return typeof value === 'number' ? String(value).replace('Infinity', 'inf') : value;
  }

  runs(column: number) {
    return runsOf(Array.from({ length: this.rows }, (_, row) => this.text(column, row)));
  }

  ids(column: number): Piece['documentIds'] {
    return Array.from({ length: this.rows }, (_, row) => this.text(column, row) ?? '');
  }

  place(_column: number, row: number) {
    return { place: { file: this.#table.file }, where: `row ${this.#first + row + 1}: ` };
  }
}
