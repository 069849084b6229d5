import { isUtf8 } from 'node:buffer';

/** The text of an id: UTF-8, or latin1 where its bytes are no valid UTF-8, so that different ids stay different. */
export function idText({ buffer, byteOffset, length }: Uint8Array): string {
  const bytes = Buffer.from(buffer, byteOffset, length);
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') && !isUtf8(Buffer.from(bytes)) ? bytes.toString('latin1') : text;
}

/** Many short strings as bytes: ids of millions of documents without an object each. Threads can share them. */
export class StringTable {
  readonly #bytes: Uint8Array;
  readonly #ends: Uint32Array;

  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.#bytes = bytes;
    this.#ends = ends;
  }

  static from(strings: Iterable<string>): StringTable {
    const builder = new StringTableBuilder();
    for (const text of strings) builder.add(text);
    return builder.finish();
  }

  get length(): number {
    return this.#ends.length;
  }

  /** What the table is made of, to hand it to a thread, which makes it anew from that. */
  get memory(): { readonly bytes: Uint8Array; readonly ends: Uint32Array } {
    return { bytes: this.#bytes, ends: this.#ends };
  }

  /** The string at an index; an empty string stands for "none". */
  get(index: number): string {
    const start = index === 0 ? 0 : this.#ends[index - 1]!;
    return idText(this.#bytes.subarray(start, this.#ends[index]!));
  }

  select(indices: ArrayLike<number>): StringTable {
    const builder = new StringTableBuilder();
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i]!;
      builder.addBytes(this.#bytes.subarray(index === 0 ? 0 : this.#ends[index - 1]!, this.#ends[index]!));
    }
    return builder.finish();
  }
}

export class StringTableBuilder {
  #bytes = new Uint8Array(1024);
  #used = 0;
  #ends = new Uint32Array(256);
  #count = 0;

  get length(): number {
    return this.#count;
  }

  add(text: string): void {
    this.addBytes(Buffer.from(text, 'utf8'));
  }

  addBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#used);
    this.#end(bytes.length);
  }

  /**
   * `count` strings, each bytes[start] to bytes[start + length]; `spans` holds start and length of one after another.
   */
  addSpans(bytes: Uint8Array, spans: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const start = spans[2 * i]!;
      const length = spans[2 * i + 1]!;
      this.#reserve(length);
      // Ids are short: a loop is quicker than a view of each.
      for (let j = 0; j < length; j++) this.#bytes[this.#used + j] = bytes[start + j]!;
      this.#end(length);
    }
  }

  #reserve(length: number): void {
    if (this.#used + length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#used + length));
    grown.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = grown;
  }

  /** Closes the string whose bytes have been put at the end. */
  #end(length: number): void {
    this.#used += length;
    if (this.#count === this.#ends.length) {
      const grown = new Uint32Array(2 * this.#count);
      grown.set(this.#ends);
      this.#ends = grown;
    }
    this.#ends[this.#count++] = this.#used;
  }

  finish(): StringTable {
    const bytes = new Uint8Array(new SharedArrayBuffer(this.#used));
    bytes.set(this.#bytes.subarray(0, this.#used));
    const ends = new Uint32Array(new SharedArrayBuffer(4 * this.#count));
    ends.set(this.#ends.subarray(0, this.#count));
    return new StringTable(bytes, ends);
  }
}
