/**
 * The SVMlight kernel over a memory that threads share: whoever fills the text may be another thread than the one that
 * parses it, and whoever takes the rows a third. The memory holds
 *   tables | text | labels f64 | query runs | document ids | stamps u32 a column | columns f32
 * with room for a bounded number of rows: a text with more comes as several pieces.
 */
import { Arena, f32, f64, growTo, records, u32 } from './arena.js';
import type { KernelExports } from './exports.js';
import { DESCRIPTION, DESCRIPTION_AT, DOCUMENT, RUN, STATUS, TEXT_AT } from './layouts/parse-svmlight.js';
import { loadKernel } from './load.js';

/** The kernel reads words, so it may look this far past the text, and adds a line feed. */
const TEXT_PADDING = 32;
const MAX_PAGES = 32768;
/** Bytes of columns in one piece: with the text, they should stay in a core's own cache. */
const PIECE_BYTES = 1 << 20;
const FIRST_WIDTH = 16;

/** Some consecutive rows in the memory; addresses are in bytes. Can be posted to another thread. */
export interface PieceSpan {
  rows: number;
  /** Lines that these rows were read from, with blank lines and comments. */
  lines: number;
  width: number;
  /** In cells. */
  stride: number;
  columns: number;
  labels: number;
  runs: number;
  runCount: number;
  documents: number;
  /** How many rows have a document id. */
  documentCount: number;
  /** Line in the piece, from 1, of the first row with a query, and of the first without; 0 for none. */
  withQuery: number;
  withoutQuery: number;
  withoutQueryAt: number;
  /** Where the line starts that is wrong, after the rows; 0 for none. */
  rejected: number;
  /** Whether the text ends here. */
  last: boolean;
  /** Features (from 0) with whole numbers that float32 does not hold, and by how much they are off at most. */
  rounded?: [feature: number, error: number][];
  /** Such numbers of the features asked for, as they are written. */
  exact?: [feature: number, row: number, text: string][];
}

export interface ParserOptions {
  featureBase: 0 | 1;
  needQuery: boolean;
  /** What a feature is that a row does not give. */
  absent: number;
  /** Features (from 0) whose large numbers are to be had as they are written. */
  exact: readonly number[];
}

export function parserMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
}

/** Room for `length` bytes of text; what is there already stays. */
export function textRoom(memory: WebAssembly.Memory, length: number): Uint8Array {
  growTo(memory, TEXT_AT + length + TEXT_PADDING);
  return new Uint8Array(memory.buffer, TEXT_AT, length);
}

export class SvmlightParser {
  readonly memory: WebAssembly.Memory;
  readonly #kernel: KernelExports['parse-svmlight'];
  readonly #absent: number;
  #textRoom = 0;
  #width = 0;
  #capacity = 0;
  #places: Pick<PieceSpan, 'stride' | 'columns' | 'labels' | 'runs' | 'documents'> = {
    stride: 0,
    columns: 0,
    labels: 0,
    runs: 0,
    documents: 0,
  };
  /** The text that is still to be parsed, as addresses. */
  #next = 0;
  #end = 0;
  /** Columns that the next row needs. */
  #wanted = FIRST_WIDTH;
  readonly #rounded = new Map<number, number>();
  #exact: [feature: number, row: number, text: string][] = [];
  /** What the last piece wrote and the next must find cleared. */
  #used = { width: 0, rows: 0 };

  constructor(memory: WebAssembly.Memory, options: ParserOptions) {
    this.memory = memory;
    this.#absent = options.absent;
    this.#kernel = loadKernel('parse-svmlight', memory, {
      exactNumber: (at: number, length: number) => Number(this.#latin1(at, at + length)),
      largeValue: (feature: number, row: number, at: number, length: number) => {
        const text = this.#latin1(at, at + length);
        const value = Number(text);
        if (options.exact.includes(feature)) this.#exact.push([feature, row, text]);
        const error = Math.abs(value - Math.fround(value));
        if (Number.isInteger(value) && error > (this.#rounded.get(feature) ?? 0)) this.#rounded.set(feature, error);
      },
    });
    this.#kernel.setUp(options.featureBase, options.needQuery);
  }

  /**
   * Starts on bytes `from` to `to` of the text, which are whole lines; the last may lack its line feed. `filled` bytes
   * of text have been written over, if that is more.
   */
  begin(from: number, to: number, filled: number = to): void {
    this.#next = TEXT_AT + from;
    this.#end = TEXT_AT + to;
    if (filled > this.#textRoom) {
      this.#textRoom = filled + (filled >> 3);
      this.#width = 0; // the rows must move
    }
    if (to === from) return;
    const text = textRoom(this.memory, to + 1);
    if (text[to - 1] !== 10) {
      text[to] = 10;
      this.#end++;
    }
  }

  /** The next rows of the text: all that are left, or as many as there is room for. */
  next(): PieceSpan {
    const kernel = this.#kernel;
    kernel.begin();
    if (this.#wanted > this.#width) this.#layOut();
    else kernel.clear(this.#used.width, this.#used.rows, this.#absent);
    for (;;) {
      const status = STATUS[kernel.parse(this.#next, this.#end)]!;
      const span = this.#describe(status);
      if (status === 'wider' && span.rows === 0) {
        this.#layOut();
        continue;
      }
      // A row that was given up half-way has left values behind.
      this.#used = { width: this.#width, rows: Math.min(span.rows + 1, this.#capacity) };
      if (status !== 'wider') this.#used.width = span.width;
      if (this.#rounded.size === 0) return span;
      const rounded = [...this.#rounded];
      const exact = this.#exact;
      this.#rounded.clear();
      this.#exact = [];
      return { ...span, rounded, exact };
    }
  }

  /** The line that starts at an address, without its line feed, one character a byte. */
  line(address: number): string {
    const bytes = new Uint8Array(this.memory.buffer, address, this.#end - address);
    return this.#latin1(address, address + bytes.indexOf(10));
  }

  #latin1(from: number, to: number): string {
    return Buffer.from(this.memory.buffer, from, to - from).toString('latin1');
  }

  #describe(status: (typeof STATUS)[number]): PieceSpan {
    this.#kernel.describe(DESCRIPTION_AT);
    const { position, wanted, ...piece } = DESCRIPTION.view(this.memory.buffer, DESCRIPTION_AT).read();
    this.#next = position;
    if (status === 'wider') this.#wanted = wanted;
    return {
      ...this.#places,
      ...piece,
      rejected: status === 'rejected' ? position : 0,
      last: status !== 'full' && status !== 'wider',
    };
  }

  /** Lays out rows with at least the columns wanted, after the text. */
  #layOut(): void {
    const width = Math.max(this.#wanted, this.#width + (this.#width >> 1));
    // Rows of a text are seldom shorter than 16 bytes; where they are, there is more than one piece.
    const likely = Math.max(16, this.#textRoom >> 4);
    const capacity = Math.max(1, Math.min(likely, Math.floor(PIECE_BYTES / (4 * width)) - 4));
    // Columns are whole groups of four cells, and not a power of two apart: that would crowd them into few lines of the
    // cache.
    const stride = capacity < 16 ? (capacity + 6) & ~3 : ((capacity + 18) & ~15) + 4;
    const arena = new Arena(TEXT_AT + this.#textRoom + TEXT_PADDING);
    const { stamps, ...places } = arena.takeAll({
      labels: f64(capacity),
      runs: records(RUN, capacity),
      documents: records(DOCUMENT, capacity),
      stamps: u32(width),
      columns: f32(width * stride),
    });
    const { labels, runs, documents, columns } = places;
    arena.growInto(this.memory);
    this.#kernel.layout(labels, runs, documents, stamps, columns, 4 * stride, width, capacity);
    this.#kernel.clear(width, capacity, this.#absent);
    this.#width = this.#wanted = width;
    this.#capacity = capacity;
    this.#places = { stride, ...places };
  }
}
