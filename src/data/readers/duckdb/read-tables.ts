/** Rows of tables: one SELECT a table, streamed in DuckDB's chunks of about 2,000 rows. */
import type { DuckDBDataChunk } from '@duckdb/node-api';
import { ListwiseError, type Place, quote } from '../../../errors.js';
import { type FileOnDisk, withSpool } from '../../../io/spool.js';
import { PRIMARY_LABEL } from '../../dataset.js';
import { labelProblem, positionProblem, scoreProblem, weightProblem } from '../../read/row-values.js';
import type { Reader, ReadOptions, RowSink } from '../reader.js';
import { RowQueries } from '../svmlight/row-queries.js';
import { assignRoles, type Roles } from './roles.js';
import { asCoded, type Session, withDuckDB } from './session.js';
import { HEADER, type Table, type TableColumn, valuePlace } from './table.js';

/** The stream of a reader that makes a table of each input; `plain` where DuckDB cannot take it compressed. */
export function tableStream(
  tableOf: (session: Session, input: FileOnDisk) => Promise<Table>,
  plain = false,
): Reader['stream'] {
  return (inputs, options, sink) =>
    withSpool(spool =>
      withDuckDB(options, async session => {
        async function* tables() {
          for (const input of inputs) yield await tableOf(session, await spool.file(input, plain));
        }
        return streamTables(session, tables(), options, sink);
      }),
    );
}

export async function streamTables(
  session: Session,
  tables: AsyncIterable<Table>,
  options: ReadOptions,
  sink: RowSink,
): Promise<void> {
  let first: { columns: readonly string[]; file: string; roles: Roles } | undefined;
  let rows = 0;
  const outside = options.outsideQueries === undefined ? undefined : new RowQueries(options.outsideQueries);
  for await (const table of tables) {
    const columns = table.columns.map(column => column.name);
    await checkNames(columns, table);
    if (first === undefined) {
      first = { columns, file: table.file, roles: assignRoles(columns, options, table.file) };
      tellRoles(first.roles, options);
      sink.begin({ absent: Number.NaN, featureNames: first.roles.features });
    } else checkSame(first, columns, table.file);
    try {
      rows += await new TableStream(session, table, first.roles, outside).into(sink);
    } catch (error) {
      const coded = asCoded(error, table.file, table.format);
      if (coded !== error) await table.explain?.((error as Error).message);
      throw coded;
    }
  }
  if (rows === 0) throw new ListwiseError('data-empty', 'the table has no rows', { file: first?.file });
  outside?.finish();
}

function tellRoles(roles: Roles, options: ReadOptions): void {
  if (roles.recognised.length === 0) return;
  const { length } = roles.features;
  const rest = length === 1 ? 'the other column is a feature' : `the other ${length} columns are features`;
  options.note?.(`took ${roles.recognised.join(', ')}; ${rest}`);
}

async function checkNames(columns: readonly string[], table: Table): Promise<void> {
  const seen = new Set<string>();
  for (const [index, name] of columns.entries()) {
    if (name !== '' && !seen.has(name)) {
      seen.add(name);
      continue;
    }
    const place = { file: table.file, ...(await table.place(HEADER, index)) };
    if (name === '') throw new ListwiseError('table-syntax', `column ${index + 1} has no name`, place);
    throw new ListwiseError('feature-duplicate', `two columns are called ${quote(name)}`, place);
  }
}

function checkSame(first: { columns: readonly string[]; file: string }, columns: readonly string[], file: string) {
  const lacking = first.columns.filter(name => !columns.includes(name));
  const extra = columns.filter(name => !first.columns.includes(name));
  if (lacking.length === 0 && extra.length === 0) return;
  const some = (names: string[]) => `${names.slice(0, 5).map(quote).join(', ')}${names.length > 5 ? ', ...' : ''}`;
  const parts = [
    ...(lacking.length > 0 ? [`it lacks ${some(lacking)}`] : []),
    ...(extra.length > 0 ? [`it has ${some(extra)} more`] : []),
  ];
  throw new ListwiseError('feature-mismatch', `the columns are not those of ${first.file}: ${parts.join('; ')}`, {
    file,
  });
}

/** A column of one number a row, with what makes a value wrong there. */
interface NumberColumn {
  readonly column: TableColumn;
  /** What it is used as. */
  readonly use: string;
  readonly code: 'label-invalid' | 'value-invalid' | 'score-invalid';
  readonly problem: (value: number) => string | undefined;
}

class TableStream {
  readonly #session: Session;
  readonly #table: Table;
  readonly #outside: RowQueries | undefined;
  /** Undefined where queries come from outside. */
  readonly #query: TableColumn | undefined;
  readonly #document: TableColumn | undefined;
  readonly #labels: readonly (NumberColumn & { readonly name: string })[];
  readonly #weight: NumberColumn | undefined;
  readonly #position: NumberColumn | undefined;
  readonly #initialScore: NumberColumn | undefined;
  readonly #features: readonly TableColumn[];
  /** Feature f of row i of the chunk at [f * stride + i]; used again for every chunk. */
  #cells = new Float32Array(0);
  #stride = 0;
  #row = 0;

  constructor(session: Session, table: Table, roles: Roles, outside: RowQueries | undefined) {
    this.#session = session;
    this.#table = table;
    const byName = new Map(table.columns.map(column => [column.name, column]));
    const column = (name: string | undefined) => (name === undefined ? undefined : byName.get(name)!);
    const numbers = (
      name: string | undefined,
      use: string,
      code: NumberColumn['code'],
      problem: NumberColumn['problem'],
    ): NumberColumn | undefined => (name === undefined ? undefined : { column: byName.get(name)!, use, code, problem });
    this.#outside = outside;
    this.#query = outside === undefined ? column(roles.query) : undefined;
    this.#document = column(roles.document);
    this.#labels = roles.labels.map(label => ({
      name: label.name,
      ...numbers(
        label.column,
        `label ${quote(label.name)}`,
        'label-invalid',
        labelProblem(label.name === PRIMARY_LABEL),
      )!,
    }));
    this.#weight = numbers(roles.weight, 'document weight', 'value-invalid', weightProblem);
    this.#position = numbers(roles.position, 'position', 'value-invalid', positionProblem);
    this.#initialScore = numbers(roles.initialScore, 'initial score', 'value-invalid', scoreProblem);
    this.#features = roles.features.map(name => byName.get(name)!);
  }

  /** Gives the number of rows. */
  async into(sink: RowSink): Promise<number> {
    const texts = [this.#query, this.#document].filter(column => column !== undefined);
    const numbers = [...this.#labels, this.#weight, this.#position, this.#initialScore].filter(
      column => column !== undefined,
    );
    const select = [
      ...texts.map(column => column.text),
      ...numbers.map(({ column, use }) => this.#number(column, use)),
      ...this.#features.map(column => this.#number(column, undefined)),
      ...(texts.length + numbers.length + this.#features.length === 0 ? ['NULL'] : []),
    ];
    const result = await this.#session.connection.stream(`SELECT ${select.join(',\n')}\nFROM ${this.#table.from}`);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      await this.#append(chunk, sink);
    }
    const expected = this.#table.rows;
    if (expected !== undefined && expected !== this.#row) {
      throw new ListwiseError('row-count', `the file has ${expected} rows, but DuckDB read ${this.#row} from it`, {
        file: this.#table.file,
      });
    }
    return this.#row;
  }

  #number(column: TableColumn, use: string | undefined): string {
    if (column.number !== undefined) return column.number;
    throw this.#notNumeric(column, use);
  }

  #notNumeric(column: TableColumn, use: string | undefined, place: Place = { file: this.#table.file }): ListwiseError {
    const advice =
      use === undefined
        ? 'features are numbers or booleans: name it as an id (`queryColumn`, `documentColumn`) or leave it out of the table'
        : 'name a column of numbers';
    return new ListwiseError(
      'column-type',
      `column ${quote(column.name)} holds ${column.type}, which cannot be a ${use ?? 'feature'}; ${advice}`,
      place,
    );
  }

  async #append(chunk: DuckDBDataChunk, sink: RowSink): Promise<void> {
    const rows = chunk.rowCount;
    let at = 0;
    const queries = this.#outside?.take(rows) ?? (await this.#runs(chunk, at++));
    const documentIds = this.#document === undefined ? undefined : texts(chunk, at++).map(text => text ?? '');
    const labels: [string, Float64Array][] = [];
    for (const label of this.#labels) labels.push([label.name, (await this.#numbers(chunk, at++, label))!]);
    const rowWeights = this.#weight && (await this.#numbers(chunk, at++, this.#weight));
    const positions = this.#position && (await this.#numbers(chunk, at++, this.#position));
    const initialScores = this.#initialScore && (await this.#numbers(chunk, at++, this.#initialScore));
    const width = this.#features.length;
    if (rows > this.#stride) {
      this.#stride = rows;
      this.#cells = new Float32Array(width * rows);
    }
    for (let f = 0; f < width; f++) await this.#feature(chunk, at++, f);
    await sink.append({
      rows,
      width,
      stride: this.#stride,
      columns: this.#cells,
      queries,
      labels: Object.fromEntries(labels),
      documentIds,
      rowWeights,
      positions,
      initialScores,
    });
    this.#row += rows;
    this.#table.taken?.(rows);
  }

  /** Runs of adjacent rows with one query id. */
  async #runs(chunk: DuckDBDataChunk, index: number): Promise<{ id: string; rows: number }[]> {
    const runs: { id: string; rows: number }[] = [];
    for (const [i, id] of texts(chunk, index).entries()) {
      if (id === null || id === '') {
        const { place, where } = await valuePlace(this.#table, this.#row + i, this.#query!);
        throw new ListwiseError('query-missing', `${where}column ${quote(this.#query!.name)} names no query`, place);
      }
      const last = runs.at(-1);
      if (last?.id === id) last.rows++;
      else runs.push({ id, rows: 1 });
    }
    return runs;
  }

  async #numbers(chunk: DuckDBDataChunk, index: number, use: NumberColumn): Promise<Float64Array> {
    const vector = chunk.getColumnVector(index);
    const values = new Float64Array(chunk.rowCount);
    for (let i = 0; i < values.length; i++) {
      const value = (vector.getItem(i) as number | null) ?? Number.NaN;
      values[i] = value;
      const problem = use.problem(value);
      if (problem !== undefined) await this.#bad(i, use.column, use.code, problem, use.use);
    }
    return values;
  }

  async #feature(chunk: DuckDBDataChunk, index: number, feature: number): Promise<void> {
    const vector = chunk.getColumnVector(index);
    const cells = this.#cells;
    const base = feature * this.#stride;
    for (let i = 0; i < chunk.rowCount; i++) {
      const value = vector.getItem(i) as number | null;
      const cell = (cells[base + i] = value ?? Number.NaN);
      // Read back as float32: a number too large for it has become an infinity.
      if (Number.isFinite(cells[base + i]!) || Number.isNaN(cell)) continue;
      const allowed = 'a number that fits 32-bit floating point, or empty, null, na or nan for missing';
      await this.#bad(i, this.#features[feature]!, 'feature-value-invalid', allowed, undefined);
    }
  }

  /** Reports the value of row i of the current chunk, as the file has it. */
  async #bad(
    i: number,
    column: TableColumn,
    code: NumberColumn['code'] | 'feature-value-invalid',
    allowed: string,
    use: string | undefined,
  ): Promise<never> {
    const { connection } = this.#session;
    const { from } = this.#table;
    const row = this.#row + i;
    // A text column without a single number is not a column of numbers with a mistake in it.
    const some = await connection.runAndReadAll(`SELECT 1 FROM ${from} WHERE isfinite(${column.number}) LIMIT 1`);
    const found = await connection.runAndReadAll(`SELECT ${column.text} FROM ${from} LIMIT 1 OFFSET ${row}`);
    const value = found.getRows()[0]?.[0] ?? null;
    const { place, where } = await valuePlace(this.#table, row, column);
    if (some.currentRowCount === 0 && value !== null && Number.isNaN(Number(value))) {
      throw this.#notNumeric({ ...column, type: `text such as ${quote(String(value))}` }, use, place);
    }
    const shown = value === null ? 'nothing' : quote(String(value));
    throw new ListwiseError(
      code,
      `${where}${use === undefined ? 'feature' : `${use} in column`} ${quote(column.name)} is ${shown}; it must be ${allowed}`,
      place,
    );
  }
}

function texts(chunk: DuckDBDataChunk, index: number): (string | null)[] {
  const vector = chunk.getColumnVector(index);
  return Array.from({ length: chunk.rowCount }, (_, i) => vector.getItem(i) as string | null);
}
