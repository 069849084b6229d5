/**
 * Puts a data set together from pieces that readers and generators hand over in input order: rows of one query that are not
 * adjacent are brought together at the end, blocks are closed at query ends, features that first appear late widen the earlier
 * blocks. Peak memory stays near the size of the result: each block is allocated once, and only the rows of the query that a
 * full block ends in are copied on.
 */
import { ListwiseError } from '../errors.js';
import { Dataset, type FeatureBlock, sharedFloat32, sharedFloat64 } from './dataset.js';
import { type StringTable, StringTableBuilder } from './string-table.js';

/** Strings in a text: start and length of one after another, in bytes. */
export interface TextSpans {
  bytes: Uint8Array;
  spans: Uint32Array;
}

/** Some consecutive input rows. Feature f of row i is at columns[f * stride + i]. */
export interface Piece {
  rows: number;
  width: number;
  stride: number;
  columns: Float32Array;
  /** Label sources by name; every piece gives the same names. */
  labels: Readonly<Record<string, Float64Array>>;
  /** Runs of adjacent rows of one query. */
  queries: readonly { id: string; rows: number }[];
  /** One id a row, empty for none. */
  documentIds?: readonly string[] | StringTable | TextSpans | undefined;
  rowWeights?: Float64Array | undefined;
  positions?: Float64Array | undefined;
  initialScores?: Float64Array | undefined;
}

export interface BuilderOptions {
  /** What a feature is that a row does not give. */
  absent: number;
  /** Names of features; by default their number, counted from `featureBase`. */
  featureNames?: readonly string[];
  featureBase?: 0 | 1;
}

const BLOCK_BYTES = 1 << 24;
const MAX_BLOCK_BYTES = 0x7fffffff;

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

interface OpenBlock {
  start: number;
  rows: number;
  width: number;
  stride: number;
  data: Float32Array;
}

export class DatasetBuilder {
  readonly #options: BuilderOptions;
  readonly #blocks: OpenBlock[] = [];
  #rows = 0;
  #width: number;
  /** Segments: runs of adjacent rows of one query, in input order. A query with two segments must be regrouped. */
  readonly #segmentQuery: number[] = [];
  readonly #segmentStart: number[] = [];
  readonly #queryNumbers = new Map<string, number>();
  readonly #columns = new Map<string, GrowingColumn>();
  #documentIds: StringTableBuilder | undefined;

  constructor(options: BuilderOptions) {
    this.#options = options;
    this.#width = options.featureNames?.length ?? 0;
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
    this.#appendQueries(piece);
  }

  /** Queries that fit the last block together are copied together: a few long columns, not many short ones. */
  #appendQueries(piece: Piece): void {
    let from = 0;
    let pending = 0;
    for (const run of piece.queries) {
      if (pending > 0 && !this.#fits(pending + run.rows)) {
        this.#appendRows(piece, from, pending);
        from += pending;
        pending = 0;
      }
      this.#appendSegment(run.id, this.#rows + pending);
      if (pending > 0 || this.#fits(run.rows)) pending += run.rows;
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

  #appendSegment(id: string, start: number): void {
    let query = this.#queryNumbers.get(id);
    if (query === undefined) this.#queryNumbers.set(id, (query = this.#queryNumbers.size));
    else if (query === this.#segmentQuery.at(-1)) return; // the open query goes on
    this.#segmentQuery.push(query);
    this.#segmentStart.push(start);
  }

  #appendRows(piece: Piece, from: number, rows: number): void {
    const block = this.#room(rows);
    const width = Math.min(piece.width, block.width);
    for (let f = 0; f < width; f++) {
      const source = f * piece.stride + from;
      block.data.set(piece.columns.subarray(source, source + rows), f * block.stride + block.rows);
    }
    if (this.#options.absent !== 0) {
      for (let f = width; f < block.width; f++) {
        const at = f * block.stride + block.rows;
        block.data.fill(this.#options.absent, at, at + rows);
      }
    }
    block.rows += rows;
    this.#rows += rows;
  }

  /** Whether the last block has room for so many more rows, and all columns. */
  #fits(rows: number): boolean {
    const last = this.#blocks.at(-1);
    return last !== undefined && last.width >= this.#width && last.rows + rows <= last.stride;
  }

  /** The last block, with room for `rows` more rows of the open query and wide enough. */
  #room(rows: number): OpenBlock {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#fits(rows)) return last;
    const queryStart = this.#segmentStart.at(-1)!;
    // Rows of the open query move on to the new block, so that a query never spans two.
    const kept = last === undefined ? 0 : Math.max(0, queryStart - last.start);
    const moved = last === undefined ? 0 : last.rows - kept;
    const width = this.#width;
    const usual = Math.max(64, Math.floor(BLOCK_BYTES / 4 / Math.max(1, width)));
    const needed = moved + rows;
    // A query larger than a block grows by doubling.
    const capacity = needed <= usual ? usual : 2 ** Math.ceil(Math.log2(needed));
    const block: OpenBlock = {
      start: this.#rows - moved,
      rows: moved,
      width,
      stride: capacity + 16, // a stride that is no power of two spreads columns over the cache
      data: allocate(width, capacity + 16),
    };
    if (last !== undefined && moved > 0) {
      copyColumns(last, kept, moved, block, 0, this.#options.absent);
      last.rows = kept;
      if (kept === 0) this.#blocks.pop();
    }
    this.#blocks.push(block);
    return block;
  }

  finish(): Dataset {
    if (this.#rows === 0) throw new ListwiseError('data-empty', 'no documents');
    for (let b = 0; b < this.#blocks.length; b++) this.#blocks[b] = this.#widen(this.#blocks[b]!);
    const { order, offsets } = this.#group();
    const base = this.#options.featureBase ?? 1;
    const labels = new Map<string, Float64Array>();
    for (const [name, column] of this.#columns) {
      if (name.startsWith('label ')) labels.set(name.slice(6), column.finish(order));
    }
    const ids = this.#documentIds?.finish();
    return new Dataset({
      featureNames: this.#options.featureNames ?? Array.from({ length: this.#width }, (_, f) => String(f + base)),
      blocks: order === undefined ? this.#blocks : this.#regroup(order, offsets),
      offsets,
      queryIds: [...this.#queryNumbers.keys()],
      labels,
      documentIds: order === undefined ? ids : ids?.select(order),
      rowWeights: this.#columns.get('weight')?.finish(order),
      positions: this.#columns.get('position')?.finish(order),
      initialScores: this.#columns.get('initial')?.finish(order),
      inputRows: order,
    });
  }

  #widen(block: OpenBlock): OpenBlock {
    if (block.width === this.#width) return block;
    const wide = { ...block, width: this.#width, data: allocate(this.#width, block.stride) };
    copyColumns(block, 0, block.rows, wide, 0, this.#options.absent);
    return wide;
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

  /** Blocks of whole queries with the rows in `order`. */
  #regroup(order: Uint32Array, offsets: Uint32Array): FeatureBlock[] {
    const source = new Dataset({
      featureNames: [],
      blocks: this.#blocks,
      offsets: Uint32Array.of(0, this.#rows),
      queryIds: [''],
      labels: new Map(),
    });
    return gatherBlocks(source.blocks, order, offsets, this.#width);
  }
}

/** Copies rows in any order into new query-aligned blocks. */
export function gatherBlocks(
  from: readonly FeatureBlock[],
  order: Uint32Array,
  offsets: Uint32Array,
  width: number,
): FeatureBlock[] {
  const blocks: FeatureBlock[] = [];
  const usual = Math.max(64, Math.floor(BLOCK_BYTES / 4 / Math.max(1, width)));
  // For each row of the source, its block: found by walking, since orders are made of long runs.
  for (let q = 0; q < offsets.length - 1; ) {
    const start = offsets[q]!;
    do q++;
    while (q < offsets.length - 1 && offsets[q + 1]! - start <= usual);
    const rows = offsets[q]! - start;
    const stride = rows + 16;
    const data = allocate(width, stride);
    let b = 0;
    for (let i = 0; i < rows; i++) {
      const row = order[start + i]!;
      while (row < from[b]!.start) b--;
      while (row >= from[b]!.start + from[b]!.rows) b++;
      const block = from[b]!;
      const at = row - block.start;
      for (let f = 0; f < width; f++) data[f * stride + i] = block.data[f * block.stride + at]!;
    }
    blocks.push({ start, rows, stride, data });
  }
  return blocks;
}

function allocate(width: number, stride: number): Float32Array {
  if (4 * width * stride > MAX_BLOCK_BYTES) {
    throw new ListwiseError(
      'data-too-large',
      `one query with ${stride - 16} documents of ${width} features does not fit a block of 2 GiB; features are held as a dense matrix`,
    );
  }
  return sharedFloat32(width * stride);
}

function copyColumns(from: OpenBlock, at: number, rows: number, to: OpenBlock, into: number, absent: number): void {
  for (let f = 0; f < to.width; f++) {
    const target = f * to.stride + into;
    if (f < from.width) {
      const source = f * from.stride + at;
      to.data.set(from.data.subarray(source, source + rows), target);
    } else if (absent !== 0) to.data.fill(absent, target, target + rows);
  }
}
