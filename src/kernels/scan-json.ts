/**
 * The kernel that reads numbers out of JSON, over a memory of its own:
 *   names | text | rows f32
 * Places in the text are addresses, so that callers and the kernel speak of the same. Rows are last: they may grow
 * while a text is read.
 */
import { Arena, f32, growTo, u8 } from './arena.js';
import type { KernelExports } from './exports.js';
import { NAME } from './layouts/scan-json.js';
import { loadKernel } from './load.js';

/** Names begin behind the kernel's own tables. There is room for tens of thousands; unused, it costs nothing. */
const NAMES_AT = 4096;
const NAMES_BYTES = 1 << 20;
/** The kernel reads words, so it may look past the text; what it finds there must be zero. */
const PADDING = 16;

/** Names in the order in which texts are expected to have them, each with its place in a row. */
export class NameOrder {
  /** As the kernel has them: records, then texts. */
  readonly bytes: Uint8Array;
  readonly end: number;

  /** Those for which there is no room are left out. */
  constructor(names: readonly (readonly [name: string, place: number])[]) {
    let bytes = PADDING;
    const texts = names.map(([name]) => Buffer.from(JSON.stringify(name)));
    const kept = texts.filter(({ length }) => (bytes += NAME.bytes + length) <= NAMES_BYTES);
    const recordBytes = NAME.bytes * kept.length;
    this.end = NAMES_AT + recordBytes;
    const buffer = new ArrayBuffer(Math.min(bytes, NAMES_BYTES));
    this.bytes = new Uint8Array(buffer);
    const record = NAME.view(buffer, 0);
    let at = recordBytes;
    for (const [i, text] of kept.entries()) {
      record.at(i).write({ text: NAMES_AT + at, length: text.length, place: 4 * names[i]![1] });
      this.bytes.set(text, at);
      at += text.length;
    }
  }
}

export class JsonScanner {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel: KernelExports['scan-json'];
  #names: NameOrder | undefined;
  #textRoom = 0;
  #textAt = 0;
  #rowsAt = 0;
  #bytes = Buffer.alloc(0);
  #floats = new Float32Array(0);

  constructor() {
    this.#kernel = loadKernel('scan-json', this.#memory, {
      exactNumber: (at: number, length: number) => Number(this.#bytes.toString('latin1', at, at + length)),
    });
  }

  /** The memory, by address; valid until rows grow. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Takes a text; gives where it begins. */
  begin(chunks: readonly Uint8Array[], length: number): number {
    if (length >= this.#textRoom) this.#layOut(2 * length + 1024);
    let at = this.#textAt;
    for (const chunk of chunks) {
      this.#bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#bytes.fill(0, at, at + PADDING);
    return this.#textAt;
  }

  /** How large the memory is. */
  get size(): number {
    return this.#bytes.length;
  }

  /** Makes room for so many numbers; whether there is any. */
  grow(numbers: number): boolean {
    if (numbers <= this.#floats.length) return true;
    try {
      growTo(this.#memory, this.#rowsAt + 8 * numbers);
    } catch {
      return false;
    }
    this.#view();
    return true;
  }

  /** The first so many numbers that were read; valid until the next text. */
  rows(numbers: number): Float32Array {
    return this.#floats.subarray(0, numbers);
  }

  set(place: number, value: number): void {
    this.#floats[place] = value;
  }

  /** Makes numbers missing. */
  clear(from: number, to: number): void {
    this.#floats.fill(Number.NaN, from, to);
  }

  /** Rows of `width` numbers from behind their bracket: the place behind them, or 0. */
  rowList(p: number, width: number, most: number): number {
    return this.#kernel.rowList(p, this.#rowsAt, width, most);
  }

  /** A row, from behind its bracket: the place behind it, or 0. */
  row(p: number, from: number, width: number): number {
    return this.#kernel.row(p, this.#rowsAt + 4 * from, width);
  }

  /**
   * Pairs, into the row at `from`, where names come in the order of `names` from number `first` on: the place behind
   * the brace that ends them; where another name comes, its place times -1; or 0.
   */
  pairs(p: number, from: number, names: NameOrder, first: number): number {
    if (names !== this.#names) {
      this.#bytes.set(names.bytes, NAMES_AT);
      this.#names = names;
    }
    return this.#kernel.pairs(p, this.#rowsAt + 4 * from, NAMES_AT + NAME.bytes * first, names.end);
  }

  /** How many rows or pairs were read last. */
  get count(): number {
    return this.#kernel.count();
  }

  /** The number of the name that `pairs` expected last. */
  get expected(): number {
    return (this.#kernel.expected() - NAMES_AT) / NAME.bytes;
  }

  /** A row of numbers has at least two bytes for each. */
  #layOut(text: number): void {
    const arena = new Arena(NAMES_AT + NAMES_BYTES);
    this.#textAt = arena.take(u8(text + PADDING));
    this.#rowsAt = arena.take(f32(text >> 1));
    arena.growInto(this.#memory);
    this.#textRoom = text;
    this.#view();
  }

  #view(): void {
    const { buffer } = this.#memory;
    this.#bytes = Buffer.from(buffer);
    this.#floats = new Float32Array(buffer, this.#rowsAt);
  }
}
