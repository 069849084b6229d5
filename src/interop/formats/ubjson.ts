/**
 * Universal Binary JSON, as XGBoost saves models in `.ubj`: a marker of one character before every value, numbers
 * big-endian; arrays and objects may say their number of items, and arrays of numbers one type for all.
 */
import { quote } from '../../errors.js';
import { type ImportJob, invalid } from '../format.js';

/** Bytes and reading of numbers, by their marker. */
const numbers: Readonly<Record<string, { bytes: number; read(view: DataView, at: number): number }>> = {
  i: { bytes: 1, read: (view, at) => view.getInt8(at) },
  U: { bytes: 1, read: (view, at) => view.getUint8(at) },
  I: { bytes: 2, read: (view, at) => view.getInt16(at) },
  l: { bytes: 4, read: (view, at) => view.getInt32(at) },
  L: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at)) },
  d: { bytes: 4, read: (view, at) => view.getFloat32(at) },
  D: { bytes: 8, read: (view, at) => view.getFloat64(at) },
};

/** XGBoost's models have fewer than ten. */
const MOST_DEPTH = 100;

const constants: Readonly<Record<string, unknown>> = { T: true, F: false, Z: null };

/** What the file holds, as `JSON.parse` would give it; numbers that are not finite stay as they are. */
export function parseUbjson(content: Uint8Array, job: ImportJob): unknown {
  return new Parser(content, job).value();
}

class Parser {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #job: ImportJob;
  #at = 0;
  #depth = 0;

  constructor(bytes: Uint8Array, job: ImportJob) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#job = job;
  }

  #fail(what: string): never {
    return invalid(this.#job, `it is not UBJSON: ${what} at byte ${this.#at}`);
  }

  /** The place of the next bytes, which are taken. */
  #take(bytes: number): number {
    const from = this.#at;
    if (bytes > this.#bytes.length - from) this.#fail('the file was cut off, it ends');
    this.#at += bytes;
    return from;
  }

  #marker(): string {
    return String.fromCharCode(this.#bytes[this.#take(1)]!);
  }

  /** Whether the next marker is this one, which is then taken. */
  #takes(marker: string): boolean {
    const found = this.#bytes[this.#at] === marker.charCodeAt(0);
    if (found) this.#at++;
    return found;
  }

  value(marker = this.#marker()): unknown {
    if (Object.hasOwn(numbers, marker)) return this.#number(marker);
    if (Object.hasOwn(constants, marker)) return constants[marker];
    if (marker === 'S') return this.#text();
    if (marker === 'C') return this.#marker();
    if (marker !== '[' && marker !== '{') return this.#fail(`${quote(marker)} before a value`);
    if (++this.#depth > MOST_DEPTH) this.#fail(`more than ${MOST_DEPTH} lists and objects within each other`);
    const found = marker === '[' ? this.#list() : this.#object();
    this.#depth--;
    return found;
  }

  #number(marker: string): number {
    const { bytes, read } = numbers[marker]!;
    return read(this.#view, this.#take(bytes));
  }

  #length(): number {
    const marker = this.#marker();
    const length = Object.hasOwn(numbers, marker) ? this.#number(marker) : Number.NaN;
    return Number.isSafeInteger(length) && length >= 0 ? length : this.#fail('no length');
  }

  #text(): string {
    const length = this.#length();
    const from = this.#take(length);
    return new TextDecoder().decode(this.#bytes.subarray(from, from + length));
  }

  #list(): unknown[] {
    const type = this.#takes('$') ? this.#marker() : undefined;
    if (type !== undefined && !Object.hasOwn(numbers, type)) this.#fail(`${quote(type)} as the type of a list`);
    const count = this.#takes('#') ? this.#length() : undefined;
    const items: unknown[] = [];
    if (count === undefined) {
      if (type !== undefined) this.#fail('a type without a count');
      while (!this.#takes(']')) items.push(this.value());
      return items;
    }
    for (let i = 0; i < count; i++) items.push(this.value(type));
    return items;
  }

  #object(): Record<string, unknown> {
    const count = this.#takes('#') ? this.#length() : Number.POSITIVE_INFINITY;
    const entries: [string, unknown][] = [];
    while (entries.length < count && !(count === Number.POSITIVE_INFINITY && this.#takes('}'))) {
      entries.push([this.#text(), this.value()]);
    }
    return Object.fromEntries(entries);
  }
}
