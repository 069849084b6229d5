/**
 * The text of an input, a window of whole records at a time: memory stays at a window, whatever the size of the file. A
 * window starts at the start of a line.
 */
import { isUtf8 } from 'node:buffer';
import { type ErrorCode, ListwiseError, type Place } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { firstInvalid, notUtf8 } from '../../../io/text-lines.js';

/** Small enough to stay in the cache of a core with the fields that are found in it. */
const WINDOW_BYTES = 1 << 18;
/** A record may be as long as a string can be, with room to word an error about it. */
const LONGEST_RECORD = 1 << 28;
const LF = 10;

/** What is wrong at a byte of the window. */
export class TextProblem extends Error {
  readonly code: ErrorCode;
  readonly at: number;

  constructor(code: ErrorCode, detail: string, at: number) {
    super(detail);
    this.code = code;
    this.at = at;
  }
}

export class TextWindow {
  readonly file: string;
  readonly #parts: AsyncIterator<Uint8Array>;
  /** Text that the stream has given and the window has not taken. */
  #pending: Uint8Array = new Uint8Array(0);
  readonly #size: number;
  #ended = false;
  #started = false;
  /** Up to where the bytes are known to be text. */
  #checked = 0;
  /** Bytes `from` to `to` are the window; the byte at `to` is a line feed that does not count. */
  bytes: Buffer;
  from = 0;
  to = 0;
  /** The number of the line at `from`, from 1. */
  line = 1;

  constructor(input: Input, size: number = WINDOW_BYTES) {
    this.file = input.name;
    this.#parts = input.open()[Symbol.asyncIterator]();
    this.#size = size;
    this.bytes = Buffer.allocUnsafe(2 * size + 2);
  }

  /** Whether the text ends with this window. */
  get last(): boolean {
    return this.#ended && this.#pending.length === 0;
  }

  /** Says that the records up to a byte, so many lines, are done with. */
  consume(to: number, lines: number): void {
    this.from = to;
    this.line += lines;
  }

  /** Brings more text into the window, behind what has not been consumed. */
  async fill(): Promise<void> {
    this.#makeRoom();
    // A record longer than the window is gone over again: twice as much text each time, so that this takes linear time.
    const enough = this.to + Math.max(this.#size, this.to);
    while (this.to < enough) {
      if (this.#pending.length === 0) {
        const part = await this.#parts.next();
        if (part.done) {
          this.#end();
          break;
        }
        this.#pending = part.value;
      }
      const taken = this.#pending.subarray(0, enough - this.to);
      this.bytes.set(taken, this.to);
      this.to += taken.length;
      this.#pending = this.#pending.subarray(taken.length);
    }
    if (!this.#started && this.to > 0) {
      this.#started = true;
      if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.from = 3;
    }
    this.#checkText();
    this.bytes[this.to] = LF;
  }

  #makeRoom(): void {
    const open = this.to - this.from;
    if (open > LONGEST_RECORD) {
      const detail = `a record is longer than ${LONGEST_RECORD} bytes; is a quote not closed?`;
      throw new ListwiseError('data-too-large', detail, this.place(this.from));
    }
    const needed = open + Math.max(this.#size, open) + 2;
    const bytes = needed > this.bytes.length ? Buffer.allocUnsafe(2 * needed) : this.bytes;
    this.bytes.copy(bytes, 0, this.from, this.to);
    this.bytes = bytes;
    this.#checked -= this.from;
    this.from = 0;
    this.to = open;
  }

  /** The last line has a line feed from here on. */
  #end(): void {
    if (!this.#ended && this.to > 0 && this.bytes[this.to - 1] !== LF) this.bytes[this.to++] = LF;
    this.#ended = true;
  }

  /** What is not text is refused with its place, never repaired: two ids must not become one. */
  #checkText(): void {
    const from = Math.max(this.#checked, this.from);
    const added = this.bytes.subarray(from, this.to);
    const zero = added.indexOf(0);
    if (zero >= 0) {
      throw new ListwiseError('data-binary', 'a NUL byte: this is not a text file', this.place(from + zero));
    }
    // A character may go on behind the window, but not behind a line feed.
    const end = added.lastIndexOf(LF) + 1;
    const lines = added.subarray(0, end);
    this.#checked = from + end;
    if (isUtf8(lines)) return;
    const bad = firstInvalid(lines);
    throw notUtf8(lines[bad]!, this.place(from + bad));
  }

  /** Where a byte of the window is in the file; the column is in bytes. */
  place(at: number): Place {
    let line = this.line;
    let start = this.from;
    for (let i = this.bytes.indexOf(LF, start); i >= 0 && i < at; i = this.bytes.indexOf(LF, start)) {
      line++;
      start = i + 1;
    }
    return { file: this.file, line, column: at - start + 1 };
  }

  placed({ code, message, at }: TextProblem): ListwiseError {
    return new ListwiseError(code, message, this.place(at));
  }

  async close(): Promise<void> {
    await this.#parts.return?.();
  }
}
