/** Tables in memory: an array of objects or an object of columns, checked and put together as tables that are read. */
import { ListwiseError, quote } from '../errors.js';
import type { Dataset } from './dataset.js';
import type { Piece } from './dataset-builder.js';
import { CollectedRows } from './read/collect.js';
import { positionsFromOne } from './read/positions.js';
import type { ReadOptions } from './readers/reader.js';
import { daysOf } from './readers/tables/cell-dates.js';
import { NO_NUMBER, numberOfText } from './readers/tables/cell-numbers.js';
import type { MissingWords } from './readers/tables/missing-words.js';
import { runsOf, type TableChunk } from './readers/tables/table-chunk.js';
import { TablePieces } from './readers/tables/table-pieces.js';

/**
 * A value in memory; null, undefined, NaN and the usual words for it are missing values.
 *
 * @example
 * import type { Cell } from 'listwise';
 *
 * const row: Record<string, Cell> = { query: 'shoes', grade: 2, price: 80, brand: 'Acme', listed: new Date() };
 */
export type Cell = number | bigint | string | boolean | Date | null | undefined;

/**
 * Which column is what. Columns that are not named are recognised by their names, or are features.
 *
 * @example
 * import type { ColumnChoice } from 'listwise';
 *
 * const choice: ColumnChoice = { query: 'session', label: 'bought', features: ['price', 'text_*'] };
 */
export interface ColumnChoice
  extends Pick<ReadOptions, 'categories' | 'dates' | 'description' | 'ignore' | 'missing' | 'note' | 'unlabelled'> {
  readonly query?: string | undefined;
  readonly document?: string | undefined;
  readonly label?: string | undefined;
  /** Further label sources by name. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly weight?: string | undefined;
  readonly position?: string | undefined;
  /** The only columns that are features; `*` stands for any text, `?` for a character. */
  readonly features?: readonly string[] | undefined;
}

type Rows = readonly Readonly<Record<string, Cell>>[];
type Columns = Readonly<Record<string, ArrayLike<Cell>>>;

/** What `Dataset.from` does. */
export function datasetFrom(table: Rows | Columns, choice: ColumnChoice): Dataset {
  const columns = isRows(table) ? columnsOf(table) : givenColumns(table);
  const { query, document, label, labels = {}, weight, position, features, ...read } = choice;
  const named = { ...(label !== undefined && { label }), ...labels };
  const options: ReadOptions = {
    ...read,
    queryColumn: query,
    documentColumn: document,
    weightColumn: weight,
    positionColumn: position,
    labelColumns: Object.entries(named).map(([name, column]) => ({ name, column })),
    keep: features,
  };
  try {
    return collected(columns, isRows(table) ? 'rows' : 'columns', options);
  } catch (error) {
    if (!(error instanceof ListwiseError)) throw error;
    throw new ListwiseError(error.code, inWordsOfChoice(error.detail), error.place);
  }
}

function collected(columns: ReadonlyMap<string, ArrayLike<Cell>>, name: string, options: ReadOptions): Dataset {
  const note = options.note ?? (() => {});
  const pieces = new TablePieces(options);
  const rows = new CollectedRows();
  const names = [...columns.keys()];
  pieces.open(names, name, begin => rows.begin(begin));
  const piece = pieces.piece(new MemoryChunk([...columns.values()], names, pieces.missing));
  if (piece !== undefined) rows.append(piece);
  pieces.finish();
  return positionsFromOne(rows.finish({ note }), note);
}

/** The options that reading calls by other names. */
const NAMES = new Map([
  ['queryColumn', 'query'],
  ['documentColumn', 'document'],
  ['labelColumns', 'label'],
  ['weightColumn', 'weight'],
  ['positionColumn', 'position'],
  ['keep', 'features'],
]);

function inWordsOfChoice(detail: string): string {
  return detail.replaceAll(/`(\w+)/g, (whole, name: string) => (NAMES.has(name) ? `\`${NAMES.get(name)}` : whole));
}

function isRows(table: Rows | Columns): table is Rows {
  return Array.isArray(table);
}

/** Columns in the order in which they first appear; a row that lacks one has a missing value there. */
function columnsOf(rows: Rows): Map<string, Cell[]> {
  const columns = new Map<string, Cell[]>();
  for (const [i, row] of rows.entries()) {
    if (typeof row !== 'object' || row === null) {
      throw new ListwiseError('table-syntax', `row ${i + 1} is ${quote(String(row))}; a row is an object`);
    }
    for (const [name, value] of Object.entries(row)) {
      let column = columns.get(name);
      if (column === undefined) columns.set(name, (column = new Array<Cell>(rows.length)));
      column[i] = value;
    }
  }
  if (columns.size === 0) throw new ListwiseError('data-empty', 'there are no rows');
  return columns;
}

function givenColumns(table: Columns): Map<string, ArrayLike<Cell>> {
  const columns = new Map(Object.entries(table));
  let first: { name: string; length: number } | undefined;
  for (const [name, { length }] of columns) {
    first ??= { name, length };
    if (length === first.length) continue;
    throw new ListwiseError(
      'row-count',
      `column ${quote(name)} has ${length} values and column ${quote(first.name)} ${first.length}; all have as many`,
    );
  }
  if (first === undefined) throw new ListwiseError('data-empty', 'there are no columns');
  return columns;
}

class MemoryChunk implements TableChunk {
  readonly rows: number;
  readonly #columns: readonly ArrayLike<Cell>[];
  readonly #names: readonly string[];
  readonly #missing: MissingWords;

  constructor(columns: readonly ArrayLike<Cell>[], names: readonly string[], missing: MissingWords) {
    this.rows = columns[0]!.length;
    this.#columns = columns;
    this.#names = names;
    this.#missing = missing;
  }

  numbers(column: number, _exact: boolean, out: Float64Array): void {
    const values = this.#columns[column]!;
    for (let row = 0; row < this.rows; row++) out[row] = this.#number(values[row]);
  }

  #number(value: Cell): number {
    if (typeof value === 'number') return Number.isFinite(value) || Number.isNaN(value) ? value : NO_NUMBER;
    if (value === null || value === undefined) return Number.NaN;
    if (typeof value === 'string') return numberOfText(value, this.#missing);
    return typeof value === 'object' ? NO_NUMBER : Number(value);
  }

  dates(column: number, out: Float64Array): void {
    for (let row = 0; row < this.rows; row++) {
      const text = this.text(column, row);
      out[row] = text === undefined || this.#missing.has(text) ? Number.NaN : (daysOf(text) ?? NO_NUMBER);
    }
  }

  text(column: number, row: number): string | undefined {
    const value = this.#columns[column]![row];
    if (value === null || value === undefined || Number.isNaN(value)) return undefined;
    return value instanceof Date ? value.toISOString() : String(value);
  }

  runs(column: number): { id: string | undefined; rows: number }[] {
    return runsOf(this.#ids(column));
  }

  ids(column: number): Piece['documentIds'] {
    return this.#ids(column).map(id => id ?? '');
  }

  #ids(column: number): (string | undefined)[] {
    return Array.from({ length: this.rows }, (_, row) => {
      const value = this.#columns[column]![row];
      if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
        const { place, where } = this.place(column, row);
        const name = quote(this.#names[column]!);
        const detail = `${where}the id in column ${name} is ${value}, beyond the whole numbers that JavaScript keeps; give ids as text`;
        throw new ListwiseError('value-invalid', detail, place);
      }
      return this.text(column, row);
    });
  }

  place(_column: number, row: number) {
    return { place: {}, where: `row ${row + 1}: ` };
  }
}
