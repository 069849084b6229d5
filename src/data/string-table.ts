/** Many short strings as bytes: ids of millions of documents without a JavaScript object each. Shareable between threads. */
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

  /** The string at an index; an empty string stands for "none". */
  get(index: number): string {
    const start = index === 0 ? 0 : this.#ends[index - 1]!;
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, this.#ends[index]! - start).toString('utf8');
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
    if (this.#used + bytes.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#used + bytes.length));
      grown.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
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
