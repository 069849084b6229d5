/**
 * Blocks of features while a data set is put together: columns of about 16 MiB a block, closed at query ends, never
 * copied again once full. Features that first appear late widen the earlier blocks at the end.
 */
import { ListwiseError } from '../errors.js';
import { type FeatureBlock, sharedFloat32 } from './dataset.js';
import { mayTake, memoryLimit } from './memory-limit.js';

/** Feature f of row i is at columns[f * stride + i]. */
export interface Columns {
  readonly width: number;
  readonly stride: number;
  readonly columns: Float32Array;
}

interface OpenBlock extends FeatureBlock {
  rows: number;
  readonly width: number;
  /** Rows that it has room for. */
  readonly capacity: number;
}

export const BLOCK_BYTES = 1 << 24;
/** The first block starts small: new memory is filled with zeros, which small data should not wait for. */
const FIRST_BLOCK_SHARE = 1 / 64;
const BLOCK_GROWTH = 4;
const MAX_BLOCK_BYTES = 0x7fffffff;
/** Rows between the columns of large blocks. */
const SPREAD = 16;

/** Memory of blocks that are done with, to be used again: a garbage collection may be far off. */
export class BlockMemory {
  #free: Float32Array[] = [];
  #taken: Float32Array[] = [];

  /** So many zeros. */
  take(length: number): Float32Array {
    const fitting = this.#free.filter(one => one.length >= length).sort((a, b) => a.length - b.length)[0];
    const memory = fitting ?? sharedFloat32(length);
    if (fitting !== undefined) {
      this.#free.splice(this.#free.indexOf(fitting), 1);
      fitting.fill(0);
    }
    this.#taken.push(memory);
    return memory.subarray(0, length);
  }

  /** Everything that was taken is free again. */
  release(): void {
    this.#free.push(...this.#taken);
    this.#taken = [];
  }
}

function usualRows(width: number, blockBytes: number): number {
  return Math.max(1, Math.floor(blockBytes / 4 / Math.max(1, width)));
}

export class BlockWriter {
  readonly #absent: number;
  readonly #blockBytes: number;
  readonly #memory: BlockMemory | undefined;
  readonly #blocks: OpenBlock[] = [];
  readonly #most: number;
  #rows = 0;

  /** No block has more than `most` bytes. */
  constructor(absent: number, blockBytes: number, memory?: BlockMemory, most: number = MAX_BLOCK_BYTES) {
    this.#absent = absent;
    this.#blockBytes = blockBytes;
    this.#memory = memory;
    this.#most = most;
  }

  /** Whether the last block has room for so many more rows of so many features. */
  fits(rows: number, width: number): boolean {
    const last = this.#blocks.at(-1);
    return last !== undefined && last.width >= width && last.rows + rows <= last.capacity;
  }

  /** Adds rows `from` to `from + rows` of the source. Row `queryStart` begins the query of the first of them. */
  append(source: Columns, from: number, rows: number, queryStart: number): void {
    const block = this.#room(rows, source.width, queryStart);
    copyColumns(source, from, rows, block, block.rows, this.#absent);
    block.rows += rows;
    this.#rows += rows;
  }

  /** The last block, with room for `rows` more and wide enough. */
  #room(rows: number, width: number, queryStart: number): OpenBlock {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.fits(rows, width)) return last;
    refuseTooMuch(this.#rows + rows, Math.max(width, last?.width ?? 0));
    if (last === undefined) {
      // Memory that is kept has no beginning to be quick at.
      const share = this.#memory === undefined ? FIRST_BLOCK_SHARE : 1;
      const usual = usualRows(width, share * this.#blockBytes);
      const first = newBlock({ start: 0, width, rows, wished: usual, most: this.#most, memory: this.#memory });
      this.#blocks.push(first);
      return first;
    }
    // Features that turn up one by one must not cost a block each: there are some columns to spare.
    const newWidth = width > last.width ? Math.max(width, Math.ceil(last.width * 1.125)) : last.width;
    const usual = usualRows(newWidth, this.#blockBytes);
    // A block that is not worth keeping moves on whole; of others only the rows of the open query do, so that a query
    // never spans two blocks.
    const whole = 2 * last.rows < usual;
    const kept = whole ? 0 : Math.max(0, queryStart - last.start);
    const moved = last.rows - kept;
    const needed = moved + rows;
    const grown = BLOCK_GROWTH * Math.max(last.capacity, needed);
    // A query larger than a block doubles it.
    const wished = needed <= usual ? Math.min(usual, grown) : 2 * last.capacity;
    const block = newBlock({
      start: last.start + kept,
      width: newWidth,
      rows: needed,
      wished,
      most: this.#most,
      memory: this.#memory,
    });
    copyColumns({ ...last, columns: last.data }, kept, moved, block, 0, this.#absent);
    block.rows = moved;
    last.rows = kept;
    if (kept === 0) this.#blocks.pop();
    this.#blocks.push(block);
    return block;
  }

  /**
   * All blocks, with at least `width` columns each. `queryStarts` are the rows at which blocks may be cut, ascending.
   */
  finish(width: number, queryStarts: ArrayLike<number>): FeatureBlock[] {
    refuseTooMuch(this.#rows, width);
    const finished: FeatureBlock[] = [];
    const usual = usualRows(width, this.#blockBytes);
    let cut = 0;
    for (let block = this.#blocks.shift(); block !== undefined; block = this.#blocks.shift()) {
      if (block.width >= width) {
        finished.push(block);
        continue;
      }
      // A narrow block can hold more rows than fit a wide one.
      const end = block.start + block.rows;
      for (let start = block.start; start < end; ) {
        while ((queryStarts[cut] ?? end) <= start) cut++;
        let next = Math.min(queryStarts[cut] ?? end, end);
        while (next < end && Math.min(queryStarts[cut + 1] ?? end, end) - start <= usual) {
          next = Math.min(queryStarts[++cut] ?? end, end);
        }
        const wide = newBlock({ start, width, rows: next - start, most: this.#most, memory: this.#memory });
        wide.rows = next - start;
        copyColumns({ ...block, columns: block.data }, start - block.start, wide.rows, wide, 0, this.#absent);
        finished.push(wide);
        start = next;
      }
    }
    return finished;
  }
}

/** Copies rows in any order into new query-aligned blocks. */
export function gatherBlocks(
  from: readonly FeatureBlock[],
  order: Uint32Array,
  offsets: Uint32Array,
  width: number,
  blockBytes: number = BLOCK_BYTES,
  memory?: BlockMemory,
): FeatureBlock[] {
  const usual = usualRows(width, blockBytes);
  const blocks: FeatureBlock[] = [];
  const queries = offsets.length - 1;
  for (let q = 0; q < queries; ) {
    const start = offsets[q]!;
    do q++;
    while (q < queries && offsets[q + 1]! - start <= usual);
    const rows = offsets[q]! - start;
    const block = newBlock({ start, width, rows, most: MAX_BLOCK_BYTES, memory });
    block.rows = rows;
    gather(from, order.subarray(start, start + rows), block);
    blocks.push(block);
  }
  return blocks;
}

/** Fills a block with rows of others: stretch by stretch of rows from one source block, column by column. */
function gather(from: readonly FeatureBlock[], order: Uint32Array, into: OpenBlock): void {
  let b = 0;
  for (let i = 0; i < order.length; ) {
    const row = order[i]!;
    while (row < from[b]!.start) b--;
    while (row >= from[b]!.start + from[b]!.rows) b++;
    const source = from[b]!;
    let end = i + 1;
    while (end < order.length && order[end]! >= source.start && order[end]! < source.start + source.rows) end++;
    for (let f = 0; f < into.width; f++) {
      const to = f * into.stride;
      const column = f * source.stride - source.start;
      for (let j = i; j < end; j++) into.data[to + j] = source.data[column + order[j]!]!;
    }
    i = end;
  }
}

interface NewBlock {
  readonly start: number;
  readonly width: number;
  /** That there are. */
  readonly rows: number;
  /** Room for as many is made where a block can hold them. */
  readonly wished?: number;
  /** Bytes that a block has at most. */
  readonly most: number;
  readonly memory: BlockMemory | undefined;
}

function newBlock({ start, width, rows, wished = rows, most, memory }: NewBlock): OpenBlock {
  const mostRows = capacityOf(Math.floor(most / 4 / Math.max(1, width)));
  // What follows in the file is not known here: the query may have more.
  if (rows > mostRows) {
    throw tooLarge(
      `one query has at least ${rows} documents of ${width} features, and a block of ${gigabytes(most)} GiB holds ${Math.max(0, mostRows)} of one query`,
    );
  }
  const capacity = Math.max(rows, Math.min(wished, mostRows));
  const stride = strideOf(capacity);
  if (!mayTake(4 * width * stride)) {
    throw tooLarge(`no memory for another ${4 * width * stride} bytes of features in this container`);
  }
  try {
    const data = memory?.take(width * stride) ?? sharedFloat32(width * stride);
    return { start, rows: 0, width, capacity, stride, data };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooLarge(`no memory for another ${4 * width * stride} bytes of features`);
  }
}

/** A stride that is no power of two spreads columns over the cache. */
function strideOf(capacity: number): number {
  return capacity < 4 * SPREAD ? capacity | 1 : capacity + SPREAD;
}

/** The most rows whose columns are no further apart. */
function capacityOf(stride: number): number {
  return stride < 5 * SPREAD ? Math.min(4 * SPREAD - 1, (stride - 1) | 1) : stride - SPREAD;
}

function gigabytes(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1);
}

function refuseTooMuch(rows: number, width: number): void {
  const needed = 4 * rows * width;
  const limit = memoryLimit();
  if (needed <= limit) return;
  throw tooLarge(`${rows} documents of ${width} features take ${gigabytes(needed)} GiB; there are ${gigabytes(limit)}`);
}

function tooLarge(detail: string): ListwiseError {
  return new ListwiseError('data-too-large', `${detail}; features are held as a dense matrix`);
}

function copyColumns(
  source: Columns,
  from: number,
  rows: number,
  block: OpenBlock,
  into: number,
  absent: number,
): void {
  for (let f = 0; f < block.width; f++) {
    const to = f * block.stride + into;
    if (f < source.width) {
      const start = f * source.stride + from;
      block.data.set(source.columns.subarray(start, start + rows), to);
    } else if (absent !== 0) block.data.fill(absent, to, to + rows); // new memory is 0
  }
}
