/**
 * Reads SVMlight and LETOR files. Chunks of whole lines are parsed in as many threads as there are, a bounded number at
 * a time, and their rows are taken in file order; so the data set, and the first error, are the same for any number of
 * threads.
 */
import { availableParallelism } from 'node:os';
import { ListwiseError } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { unchanging } from '../../../io/unchanging.js';
import type { ParserOptions } from '../../../kernels/parse-svmlight.js';
import type { Dataset } from '../../dataset.js';
import { collect } from '../../read/collect.js';
import { tell } from '../../read/read-notes.js';
import type { Reader, ReadOptions, RowSink } from '../reader.js';
import { type ChunkSource, chunksOf } from './chunks.js';
import { builderPiece, type ParsedPiece, type Problem } from './piece.js';
import { RowQueries } from './row-queries.js';
import { borrowMemory, InlineSlot, returnMemory, type Slot, WorkerSlots } from './slots.js';

export const svmlight: Reader = {
  name: 'svmlight',
  title: 'SVMlight / LETOR text',
  extensions: ['txt', 'svm', 'svmlight', 'libsvm', 'letor', 'dat', 'data', 'test', 'train', 'vali'],
  queryOfLine: line => /^[^#]*?\sqid:(\S+)/.exec(line)?.[1],
  stream: (inputs, options, sink) => streamSvmlight(inputs, options, sink),
};

/** Text of one chunk: large against the cost of handing it over, small against memory. */
const CHUNK_BYTES = 1 << 20;
/** Up to so many chunks are parsed in this thread: starting others takes as long. */
const INLINE_CHUNKS = 4;
/** More threads than this wait for the one that takes the rows. */
const MOST_THREADS = 16;

export function readSvmlight(inputs: readonly Input[], options: ReadOptions, chunkBytes?: number): Promise<Dataset> {
  return collect(sink => streamSvmlight(inputs, options, sink, chunkBytes), options);
}

export async function streamSvmlight(
  inputs: readonly Input[],
  options: ReadOptions,
  sink: RowSink,
  chunkBytes: number = CHUNK_BYTES,
): Promise<void> {
  const reading = new Reading(options, chunkBytes, sink);
  try {
    for (const input of inputs) await reading.read(input);
    reading.finish(inputs);
  } finally {
    await reading.close();
  }
}

/** What is known of the input that rows are being taken from. */
interface InputState {
  readonly name: string;
  lines: number;
  /** Where this reads the file itself, in ranges. */
  readonly taken: Input['taken'];
  someQueries: boolean;
  /** The first row without a query; wrong where another row has one. */
  queryAbsent: Problem | undefined;
}

interface Running {
  slot: Slot;
  input: InputState;
  bytes: number;
  /** Read in ranges by the threads, not through the input. */
  ranged: boolean;
  piece: Promise<ParsedPiece>;
}

class Reading {
  readonly #chunkBytes: number;
  readonly #threads: number;
  readonly #parserOptions: ParserOptions;
  readonly #sink: RowSink;
  readonly #featureBase: number;
  /** Features whose large whole numbers are kept as they are written. */
  readonly #exact: readonly string[];
  readonly #options: Pick<ReadOptions, 'note' | 'part'>;
  /** Features with whole numbers that float32 does not hold, and by how much they are off at most. */
  readonly #rounded = new Map<string, number>();
  #rows = 0;
  readonly #outside: RowQueries | undefined;
  readonly #inline: InlineSlot;
  #workers: WorkerSlots | undefined;
  #free: Slot[];
  #chunks = 0;
  #closed = false;
  /** Chunks being parsed, in file order. */
  readonly #running: Running[] = [];

  constructor(options: ReadOptions, chunkBytes: number, sink: RowSink) {
    const absent = options.absent === 'missing' ? Number.NaN : 0;
    const featureBase = options.featureBase ?? 1;
    this.#sink = sink;
    this.#chunkBytes = chunkBytes;
    this.#threads = Math.min(options.threads ?? availableParallelism(), MOST_THREADS);
    this.#outside = options.outsideQueries === undefined ? undefined : new RowQueries(options.outsideQueries);
    this.#exact = options.exactColumns ?? [];
    const exact = this.#exact.map(name => Number(name) - featureBase);
    this.#parserOptions = { featureBase, absent, needQuery: this.#outside === undefined, exact };
    sink.begin({ absent, featureBase, rounded: () => (this.#rounded.size === 0 ? undefined : this.#rounded) });
    this.#featureBase = featureBase;
    this.#options = options;
    this.#inline = new InlineSlot(borrowMemory(), this.#parserOptions);
    this.#free = [this.#inline];
  }

  async read(input: Input): Promise<void> {
    const state: InputState = {
      name: input.name,
      lines: 0,
      taken: input.taken,
      someQueries: false,
      queryAbsent: undefined,
    };
    const refuseChanged = await unchanging(input.path);
    const source = await chunksOf(input, this.#chunkBytes);
    try {
      await this.#readChunks(source, state);
    } catch (error) {
      await this.close(); // no thread may go on reading a file that is closed
      await refuseChanged();
      throw placed(error, state.name);
    } finally {
      await source.close();
    }
    await refuseChanged();
  }

  async #readChunks(source: ChunkSource, input: InputState): Promise<void> {
    for (;;) {
      const slot = this.#free.pop();
      if (slot === undefined) {
        await this.#takeOldest();
        continue;
      }
      const chunk = await source.next(slot.memory);
      if (chunk === undefined) {
        this.#free.push(slot);
        break;
      }
      this.#chunks++;
      const left = chunk.kind === 'range' ? (chunk.size - chunk.to) / this.#chunkBytes : 0;
      if (this.#workers === undefined && this.#threads > 1 && this.#chunks + left > INLINE_CHUNKS)
        this.#startWorkers(left);
      const ranged = chunk.kind === 'range';
      this.#running.push({ slot, input, bytes: chunk.to - chunk.from, ranged, piece: slot.parse(chunk) });
    }
    // An input ends before the next is opened: ranges are read from its open file.
    while (this.#running.length > 0) await this.#takeOldest();
  }

  /**
   * From here on the slots are those of threads; the one of this thread has its last chunk. `left` is 0 where unknown.
   */
  #startWorkers(left: number): void {
    this.#workers = new WorkerSlots(Math.min(this.#threads, Math.ceil(left) || MOST_THREADS), this.#parserOptions);
    this.#free = this.#workers.slots.slice();
  }

  /** Adds the rows of the chunk that comes next in the file. */
  async #takeOldest(): Promise<void> {
    const running = this.#running.shift()!;
    const { slot, input } = running;
    for (let piece = await running.piece; ; piece = await slot.next()) {
      await this.#take(piece, slot, input);
      if (piece.last) break;
    }
    if (running.ranged) input.taken?.(running.bytes);
    if (slot !== this.#inline || this.#workers === undefined) this.#free.push(slot);
  }

  async #take(piece: ParsedPiece, { memory }: Slot, input: InputState): Promise<void> {
    if (piece.withQuery !== 0) input.someQueries = true;
    if (piece.queryAbsent !== undefined) input.queryAbsent ??= moved(piece.queryAbsent, input.lines);
    if (input.someQueries && input.queryAbsent !== undefined) throw failure(input.queryAbsent, input.name);
    if (piece.problem !== undefined) throw failure(moved(piece.problem, input.lines), input.name);
    for (const [feature, error] of piece.rounded ?? []) {
      const name = String(feature + this.#featureBase);
      this.#rounded.set(name, Math.max(error, this.#rounded.get(name) ?? 0));
    }
    input.lines += piece.lines;
    this.#rows += piece.rows;
    const rows = builderPiece(memory, piece, this.#outside?.take(piece.rows));
    await this.#sink.append({ ...rows, ...(this.#exact.length > 0 && { extras: this.#texts(piece) }) });
  }

  /** By feature: what is written in each row, empty where float32 holds it. */
  #texts({ rows, exact = [] }: ParsedPiece): Record<string, string[]> {
    const texts = Object.fromEntries(this.#exact.map(name => [name, Array.from({ length: rows }, () => '')]));
    for (const [feature, row, text] of exact) {
      const own = texts[String(feature + this.#featureBase)]!;
      if (row < rows) own[row] = text;
    }
    return texts;
  }

  finish(inputs: readonly Input[]): void {
    if (this.#rows === 0 && this.#options.part === undefined) {
      const file = inputs.map(input => input.name).join(', ');
      throw new ListwiseError('data-empty', 'no documents: every line is blank or a comment, or there is none', {
        file,
      });
    }
    this.#outside?.finish();
    const rounded = new Map([...this.#rounded].sort(([a], [b]) => Number(a) - Number(b)));
    if (rounded.size > 0) tell(this.#options, { rounded });
  }

  /** May be called more than once. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#free = [];
    await this.#workers?.close();
    returnMemory(this.#inline.memory);
  }
}

function moved(problem: Problem, lines: number): Problem {
  return { ...problem, line: problem.line + lines };
}

function failure({ code, detail, line, column }: Problem, file: string): ListwiseError {
  return new ListwiseError(code, detail, { file, line, column });
}

/** Errors that name no file are about the input being read. */
function placed(error: unknown, file: string): unknown {
  if (!(error instanceof ListwiseError) || error.place.file !== undefined) return error;
  return new ListwiseError(error.code, error.detail, { ...error.place, file });
}
