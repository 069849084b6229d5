/** Rows as they are read, put together to batches; see `readBatches`. */

import { ListwiseError, quote } from '../../errors.js';
import type { Dataset } from '../dataset.js';
import { type BuilderOptions, DatasetBuilder, type Piece } from '../dataset-builder.js';
import { BlockMemory } from '../feature-blocks.js';
import { IdNumbers } from '../id-numbers.js';
import type { RowSink } from '../readers/reader.js';

/**
 * Some consecutive input rows as a data set of their own; a query can go on in the next one.
 *
 * @example
 * import type { Batch, TakeBatch } from 'listwise/data';
 *
 * const rows: TakeBatch = async ({ data: part, last }: Batch) => console.log(part.rows, last);
 */
export interface Batch {
  /** `inputRows` counts from the first row of all. Features that its rows do not name need not be in it. */
  readonly data: Dataset;
  /** Whether it is the first one or the last one; both where there is one only. */
  readonly first: boolean;
  readonly last: boolean;
  /** Whether `featureNames` are those of all rows, not only of the rows so far. */
  readonly featuresKnown: boolean;
  readonly featureNames: readonly string[];
}

/**
 * The features' memory is used again when this is done.
 *
 * @example
 * import { readBatches, type TakeBatch } from 'listwise/data';
 *
 * const take: TakeBatch = async ({ data: part }) => console.log(part.rows);
 * await readBatches('huge.txt', {}, take);
 */
export type TakeBatch = (batch: Batch) => Promise<void>;

/** How large a batch gets before it is handed over. */
export interface BatchSize {
  /** Features times rows. */
  readonly values: number;
  readonly rows: number;
}

export interface BatchOptions {
  /** What needs all rows of a query in one batch, for messages; rows of a query must then be adjacent. */
  readonly wholeQueriesFor?: string | undefined;
}

export class Batches implements RowSink {
  readonly #take: TakeBatch;
  readonly #size: BatchSize;
  readonly #wholeQueriesFor: string | undefined;
  readonly #memory = new BlockMemory();
  #options: BuilderOptions | undefined;
  #builder: DatasetBuilder | undefined;
  /** The names so far: readers that do not know all before only ever add some at the end. */
  #featureNames: readonly string[] = [];
  #width = 1;
  /** Rows of the batches before. */
  #before = 0;
  /** The query of the last row, and those of batches before: kept where queries must be whole. */
  #open: string | undefined;
  readonly #closed = new IdNumbers();

  constructor(take: TakeBatch, size: BatchSize, options: BatchOptions = {}) {
    this.#take = take;
    this.#size = size;
    this.#wholeQueriesFor = options.wholeQueriesFor;
  }

  begin(options: BuilderOptions): void {
    this.#options = options;
  }

  async append(piece: Piece): Promise<void> {
    if (piece.rows === 0) return;
    // A full batch waits for the row after it: so that it is known which one is the last.
    const rows = this.#builder?.rows ?? 0;
    const full = rows >= this.#size.rows || rows * this.#width >= this.#size.values;
    if (!full) return this.#add(piece);
    const goesOn = this.#wholeQueriesFor === undefined ? 0 : rowsOf(this.#open, piece);
    if (goesOn > 0) this.#add(slice(piece, 0, goesOn));
    if (goesOn === piece.rows) return;
    await this.#handOver(false);
    this.#add(slice(piece, goesOn, piece.rows));
  }

  #add(piece: Piece): void {
    this.#builder ??= new DatasetBuilder({
      ...this.#options!,
      // A piece more than is asked for.
      blockBytes: 4 * 2 * this.#size.values,
      memory: this.#memory,
    });
    if (this.#wholeQueriesFor !== undefined) this.#refuseClosed(piece, this.#wholeQueriesFor);
    this.#builder.append(piece);
    this.#width = Math.max(this.#width, piece.width);
  }

  #refuseClosed(piece: Piece, purpose: string): void {
    let row = this.#before + this.#builder!.rows;
    for (const { id, rows } of piece.queries) {
      if (this.#closed.has(id)) throw queryComesAgain(id, row, purpose);
      this.#open = id;
      row += rows;
    }
  }

  /** To be called after the last row. */
  async finish(): Promise<void> {
    if (this.#builder !== undefined) await this.#handOver(true);
  }

  async #handOver(last: boolean): Promise<void> {
    const batch = this.#builder!.finish();
    this.#builder = undefined;
    const first = this.#before;
    const inputRows = new Uint32Array(batch.rows);
    for (let row = 0; row < batch.rows; row++) inputRows[row] = first + (batch.inputRows?.[row] ?? row);
    this.#before += batch.rows;
    if (this.#wholeQueriesFor !== undefined) for (const id of batch.queryIds) this.#closed.add(id);
    if (batch.features > this.#featureNames.length) this.#featureNames = batch.featureNames;
    await this.#take({
      data: batch.with({ inputRows }),
      first: first === 0,
      last,
      featuresKnown: last || Array.isArray(this.#options?.featureNames),
      featureNames: this.#featureNames,
    });
    this.#memory.release();
  }
}

/** How many rows at the start of a piece are of a query. */
function rowsOf(query: string | undefined, piece: Piece): number {
  let count = 0;
  for (const { id, rows } of piece.queries) {
    if (id !== query) break;
    count += rows;
  }
  return count;
}

/** Some rows of a piece, in the same memory. */
function slice(piece: Piece, from: number, to: number): Piece {
  if (from === 0 && to === piece.rows) return piece;
  const column = (values: Float64Array | undefined) => values?.subarray(from, to);
  return {
    rows: to - from,
    width: piece.width,
    stride: piece.stride,
    columns: piece.columns.subarray(from),
    labels: Object.fromEntries(Object.entries(piece.labels).map(([name, values]) => [name, values.subarray(from, to)])),
    queries: sliceRuns(piece.queries, from, to),
    documentIds: sliceIds(piece.documentIds, from, to),
    rowWeights: column(piece.rowWeights),
    positions: column(piece.positions),
    initialScores: column(piece.initialScores),
    extras:
      piece.extras &&
      Object.fromEntries(Object.entries(piece.extras).map(([name, texts]) => [name, texts.slice(from, to)])),
  };
}

function sliceRuns(runs: Piece['queries'], from: number, to: number): Piece['queries'] {
  let start = 0;
  return runs.flatMap(({ id, rows }) => {
    const kept = Math.min(to, start + rows) - Math.max(from, start);
    start += rows;
    return kept > 0 ? [{ id, rows: kept }] : [];
  });
}

function sliceIds(ids: Piece['documentIds'], from: number, to: number): Piece['documentIds'] {
  if (ids === undefined) return undefined;
  if ('spans' in ids) return { bytes: ids.bytes, spans: ids.spans.subarray(2 * from, 2 * to) };
  return 'get' in ids ? Array.from({ length: to - from }, (_, i) => ids.get(from + i)) : ids.slice(from, to);
}

/** A row of a query that is done with. `purpose` is what needs the rows of a query together. */
export function queryComesAgain(id: string, row: number, purpose: string): ListwiseError {
  return new ListwiseError(
    'query-scattered',
    `row ${row + 1} is of query ${quote(id)}, which had ended before: in data of this size the rows of a query must be adjacent for ${purpose}; convert-data brings them together`,
  );
}
