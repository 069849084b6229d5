/**
 * Takes values out of another system's JSON, checking each; a wrong one is a `model-invalid` error that names its path.
 */
import { quoteJson } from '../errors.js';
import { type ImportJob, invalid, textOf } from './format.js';

export class JsonReader {
  readonly #value: unknown;
  readonly #path: string;
  readonly #job: ImportJob;

  constructor(value: unknown, job: ImportJob, path = '') {
    this.#value = value;
    this.#path = path;
    this.#job = job;
  }

  /** `infinite` where the system writes Infinity and NaN, which JSON does not have. */
  static parse(content: Uint8Array, job: ImportJob, { infinite = false } = {}): JsonReader {
    try {
      const text = textOf(content);
      return new JsonReader(JSON.parse(infinite ? withInfinity(text) : text), job);
    } catch (error) {
      return invalid(job, `it is not JSON: ${error instanceof Error ? error.message : error}`);
    }
  }

  get value(): unknown {
    return this.#value;
  }

  fail(wanted: string): never {
    const found = this.#value === undefined ? 'nothing' : quoteJson(this.#value);
    return invalid(
      this.#job,
      `${this.#path === '' ? 'the file' : `"${this.#path}"`} must be ${wanted}, found ${found}`,
    );
  }

  isObject(): boolean {
    return typeof this.#value === 'object' && this.#value !== null && !Array.isArray(this.#value);
  }

  has(key: string): boolean {
    return this.isObject() && Object.hasOwn(this.object(), key);
  }

  object(): Readonly<Record<string, unknown>> {
    return this.isObject() ? (this.#value as Record<string, unknown>) : this.fail('an object');
  }

  at(...keys: string[]): JsonReader {
    let reader: JsonReader = this;
    for (const key of keys) {
      const path = reader.#path === '' ? key : `${reader.#path}.${key}`;
      reader = new JsonReader(reader.object()[key], this.#job, path);
    }
    return reader;
  }

  list(): JsonReader[] {
    if (!Array.isArray(this.#value)) return this.fail('an array');
    return this.#value.map((item, i) => new JsonReader(item, this.#job, `${this.#path}[${i}]`));
  }

  text(): string {
    return typeof this.#value === 'string' ? this.#value : this.fail('text');
  }

  number(): number {
    return typeof this.#value === 'number' && Number.isFinite(this.#value) ? this.#value : this.fail('a finite number');
  }

  /** A number rounded to 32 bits. */
  float32(): number {
    const value = Math.fround(this.number());
    return Number.isFinite(value) ? value : this.fail('a number that fits 32 bits');
  }

  /** As `number`, or infinite. */
  extended(): number {
    return typeof this.#value === 'number' ? this.#value : this.fail('a number');
  }

  /** A whole number, also where it is written as text. */
  whole(or?: number): number {
    if (this.#value === undefined && or !== undefined) return or;
    const value = typeof this.#value === 'string' ? Number(this.#value) : this.#value;
    return typeof value === 'number' && Number.isInteger(value) ? value : this.fail('a whole number');
  }

  /** `nan` where not-a-number may be among them, written as such. */
  numbers(length?: number, { nan = false } = {}): number[] {
    const list: unknown = this.#value;
    const wanted = `an array of ${length === undefined ? '' : `${length} `}numbers`;
    if (!Array.isArray(list) || (length !== undefined && list.length !== length)) return this.fail(wanted);
    // Some versions write truth values.
    const values = list.map(item =>
      typeof item === 'boolean' ? Number(item) : nan && item === null ? Number.NaN : item,
    );
    return values.every(item => typeof item === 'number') ? values : this.fail(wanted);
  }

  strings(): string[] {
    const list: unknown = this.#value;
    return Array.isArray(list) && list.every(item => typeof item === 'string') ? list : this.fail('an array of texts');
  }
}

/**
 * Infinity as a number that is too large, not-a-number as null, which only `numbers` takes where asked; strings stay.
 */
function withInfinity(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\binf(?:inity)?\b|\bnan\b/gi, found => {
    if (found.startsWith('"')) return found;
    return /^n/i.test(found) ? 'null' : '1e999';
  });
}
