/**
 * Puts a data set together from pieces that readers and generators hand over in input order. Rows of one query that are
 * not adjacent are brought together at the end; peak memory stays near the size of the result unless there are such
 * rows.
 */
import { ListwiseError } from '../errors.js';
import { Dataset, sharedFloat64 } from './dataset.js';
import type { DataDescription } from './description.js';
import { BLOCK_BYTES, type BlockMemory, BlockWriter, type Columns, gatherBlocks } from './feature-blocks.js';
import { IdNumbers } from './id-numbers.js';
import { type StringTable, StringTableBuilder } from './string-table.js';

/** Strings in a text: start and length of one after another, in bytes. */
export interface TextSpans {
  bytes: Uint8Array;
  spans: Uint32Array;
}

/**
 * Some consecutive input rows. Feature f of row i is at columns[f * stride + i].
 *
 * @example
 * import type { Piece } from 'listwise/data';
 *
 * const piece: Piece = {
 *   rows: 1,
 *   width: 1,
 *   stride: 1,
 *   columns: Float32Array.of(0.5),
 *   labels: { label: Float64Array.of(1) },
 *   queries: [{ id: 'shoes', rows: 1 }],
 * };
 */
export interface Piece extends Columns {
  rows: number;
  /** Label sources by name; every piece gives the same names. */
  labels: Readonly<Record<string, Float64Array>>;
  /** Runs of adjacent rows of one query. */
  queries: readonly { id: string; rows: number }[];
  /** One id a row, empty for none. */
  documentIds?: readonly string[] | StringTable | TextSpans | undefined;
  rowWeights?: Float64Array | undefined;
  positions?: Float64Array | undefined;
  initialScores?: Float64Array | undefined;
  /** Further columns by name, one text a row. */
  extras?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * How pieces become a data set.
 *
 * @example
 * import type { BuilderOptions } from 'listwise/data';
 *
 * const options: BuilderOptions = { absent: Number.NaN, featureNames: ['price', 'rating'] };
 */
export interface BuilderOptions {
  /** What a feature is that a row does not give. */
  absent: number;
  /**
   * Names of features; by default their number, counted from `featureBase`. A function gives those so far: more may
   * come, at the end.
   */
  featureNames?: readonly string[] | (() => readonly string[]);
  featureBase?: 0 | 1;
  /** What the reader knows of the data beyond its values; asked for after the last row. */
  description?: () => DataDescription | undefined;
  /** Categories whose levels were found in the data; asked for after the last row. */
  ownLevels?: () => readonly string[];
  /** Features with whole numbers that float32 does not hold; asked for after the last row. */
  rounded?: () => ReadonlyMap<string, number> | undefined;
  /** About how many bytes of features make a block. */
  blockBytes?: number;
  /** How many ids of queries one map holds; other than usual in tests. */
  idsPerMap?: number;
  /** Where blocks are to be, for data that is done with before the next is built. */
  memory?: BlockMemory | undefined;
}

export function givenNames({ featureNames }: BuilderOptions): readonly string[] | undefined {
  return typeof featureNames === 'function' ? featureNames() : featureNames;
}

/** A growing column of one number a row. */
class GrowingColumn {
  #values = new Float64Array(1024);
  #length = 0;

  append(values: Float64Array, count: number): void {
    if (this.#length + count > this.#values.length) {
      const grown = new Float64Array(Math.max(2 * this.#values.length, this.#length + count));
      grown.set(this.#values.subarray(0, this.#length));
      this.#values = grown;
    }
    this.#values.set(values.length === count ? values : values.subarray(0, count), this.#length);
    this.#length += count;
  }

  finish(order: Uint32Array | undefined): Float64Array {
    const out = sharedFloat64(this.#length);
    if (order === undefined) out.set(this.#values.subarray(0, this.#length));
    else for (let i = 0; i < order.length; i++) out[i] = this.#values[order[i]!]!;
    return out;
  }
}

/**
 * Puts a data set together from pieces, for readers of your own; `Dataset.from` takes rows.
 *
 * @example
 * import { DatasetBuilder } from 'listwise/data';
 *
 * const builder = new DatasetBuilder({ absent: 0, featureNames: ['price', 'rating'] });
 * builder.append({
 *   rows: 2,
 *   width: 2,
 *   stride: 2,
 *   columns: Float32Array.of(80, 120, 4.5, 3.9),
 *   labels: { label: Float64Array.of(1, 0) },
 *   queries: [{ id: 'shoes', rows: 2 }],
 * });
 * const data = builder.finish();
 */
export class DatasetBuilder {
  readonly #options: BuilderOptions;
  readonly #blocks: BlockWriter;
  #rows = 0;
  #width: number;
  /** Segments: runs of adjacent rows of one query, in input order. A query with two segments must be regrouped. */
  readonly #segmentQuery: number[] = [];
  readonly #segmentStart: number[] = [];
  readonly #queryNumbers: IdNumbers;
  readonly #columns = new Map<string, GrowingColumn>();
  #documentIds: StringTableBuilder | undefined;
  readonly #extras = new Map<string, StringTableBuilder>();

  constructor(options: BuilderOptions) {
    this.#options = options;
    this.#queryNumbers = new IdNumbers(options.idsPerMap);
    this.#width = givenNames(options)?.length ?? 0;
    this.#blocks = new BlockWriter(options.absent, options.blockBytes ?? BLOCK_BYTES, options.memory);
  }

  get rows(): number {
    return this.#rows;
  }

  /** How many queries have rows that are not adjacent. */
  get scatteredQueries(): number {
    const segments = new Uint32Array(this.#queryNumbers.size);
    for (const query of this.#segmentQuery) segments[query]!++;
    return segments.reduce((sum, count) => (count > 1 ? sum + 1 : sum), 0);
  }

  append(piece: Piece): void {
    if (piece.rows === 0) return;
    this.#width = Math.max(this.#width, piece.width);
    for (const [name, values] of Object.entries(piece.labels)) this.#appendColumn(`label ${name}`, values, piece.rows);
    this.#appendColumn('weight', piece.rowWeights, piece.rows);
    this.#appendColumn('position', piece.positions, piece.rows);
    this.#appendColumn('initial', piece.initialScores, piece.rows);
    this.#appendDocumentIds(piece);
    for (const [name, texts] of Object.entries(piece.extras ?? {})) this.#appendExtra(name, texts);
    this.#appendQueries(piece);
  }

  /** Queries that fit the last block together are copied together: a few long columns, not many short ones. */
  #appendQueries(piece: Piece): void {
    let from = 0;
    let pending = 0;
    for (const run of piece.queries) {
      if (pending > 0 && !this.#blocks.fits(pending + run.rows, piece.width)) {
        this.#appendRows(piece, from, pending);
        from += pending;
        pending = 0;
      }
      this.#appendSegment(run.id, this.#rows + pending);
      if (pending > 0 || this.#blocks.fits(run.rows, piece.width)) pending += run.rows;
      else {
        this.#appendRows(piece, from, run.rows);
        from += run.rows;
      }
    }
    if (pending > 0) this.#appendRows(piece, from, pending);
  }

  #appendColumn(name: string, values: Float64Array | undefined, rows: number): void {
    if (values === undefined) return;
    let column = this.#columns.get(name);
    if (column === undefined) this.#columns.set(name, (column = new GrowingColumn()));
    column.append(values, rows);
  }

  #appendDocumentIds(piece: Piece): void {
    const ids = piece.documentIds;
    if (ids === undefined && this.#documentIds === undefined) return;
    if (this.#documentIds === undefined) {
      this.#documentIds = new StringTableBuilder();
      for (let i = 0; i < this.#rows; i++) this.#documentIds.add('');
    }
    if (ids !== undefined && 'spans' in ids) this.#documentIds.addSpans(ids.bytes, ids.spans, piece.rows);
    else {
      for (let i = 0; i < piece.rows; i++)
        this.#documentIds.add(ids === undefined ? '' : 'get' in ids ? ids.get(i) : ids[i]!);
    }
  }

  #appendExtra(name: string, texts: readonly string[]): void {
    let table = this.#extras.get(name);
    if (table === undefined) this.#extras.set(name, (table = new StringTableBuilder()));
    for (const text of texts) table.add(text);
  }

  #appendSegment(id: string, start: number): void {
    let query = this.#queryNumbers.get(id);
    if (query === undefined) {
      query = this.#queryNumbers.add(id);
    } else if (query === this.#segmentQuery.at(-1)) return; // the open query goes on
    this.#segmentQuery.push(query);
    this.#segmentStart.push(start);
  }

  /** Rows of one query, the open one, or of several that fit the last block. */
  #appendRows(piece: Piece, from: number, rows: number): void {
    this.#blocks.append(piece, from, rows, this.#segmentStart.at(-1)!);
    this.#rows += rows;
  }

  finish(): Dataset {
    if (this.#rows === 0) throw new ListwiseError('data-empty', 'no documents');
    this.#width = givenNames(this.#options)?.length ?? this.#width;
    const blocks = this.#blocks.finish(this.#width, this.#segmentStart);
    const { order, offsets } = this.#group();
    const base = this.#options.featureBase ?? 1;
    const labels = new Map<string, Float64Array>();
    for (const [name, column] of this.#columns) {
      if (name.startsWith('label ')) labels.set(name.slice(6), column.finish(order));
    }
    const ids = this.#documentIds?.finish();
    return new Dataset({
      featureNames: givenNames(this.#options) ?? Array.from({ length: this.#width }, (_, f) => String(f + base)),
      blocks:
        order === undefined
          ? blocks
          : gatherBlocks(blocks, order, offsets, this.#width, this.#options.blockBytes, this.#options.memory),
      offsets,
      queryIds: this.#queryNumbers.ids(),
      labels,
      documentIds: order === undefined ? ids : ids?.select(order),
      rowWeights: this.#columns.get('weight')?.finish(order),
      positions: this.#columns.get('position')?.finish(order),
      initialScores: this.#columns.get('initial')?.finish(order),
      inputRows: order,
      extras: this.#extras.size === 0 ? undefined : this.#finishExtras(order),
      rounded: this.#options.rounded?.(),
      description: this.#options.description?.(),
      ownLevels: this.#options.ownLevels?.(),
    });
  }

  #finishExtras(order: Uint32Array | undefined): Map<string, StringTable> {
    const tables = [...this.#extras].map(([name, builder]) => [name, builder.finish()] as const);
    return new Map(tables.map(([name, table]) => [name, order === undefined ? table : table.select(order)]));
  }

  /** Query offsets, and the input row of each row where some query's rows were not adjacent. */
  #group(): { order: Uint32Array | undefined; offsets: Uint32Array } {
    const queries = this.#queryNumbers.size;
    const offsets = new Uint32Array(new SharedArrayBuffer(4 * (queries + 1)));
    const segments = this.#segmentQuery.length;
    const length = (s: number) => (this.#segmentStart[s + 1] ?? this.#rows) - this.#segmentStart[s]!;
    for (let s = 0; s < segments; s++) offsets[this.#segmentQuery[s]! + 1]! += length(s);
    for (let q = 0; q < queries; q++) offsets[q + 1]! += offsets[q]!;
    if (segments === queries) return { order: undefined, offsets };
    const order = new Uint32Array(this.#rows);
    const next = offsets.slice();
    for (let s = 0; s < segments; s++) {
      const query = this.#segmentQuery[s]!;
      for (let i = 0; i < length(s); i++) order[next[query]!++] = this.#segmentStart[s]! + i;
    }
    return { order, offsets };
  }
}
