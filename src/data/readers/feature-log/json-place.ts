/** A value inside a JSON text together with where it is, so that every error names file, line and path. */
import { type ErrorCode, ListwiseError, type Place, quote, quoteJson } from '../../../errors.js';
import { isObject } from '../../../io/is-object.js';

export class JsonPlace {
  readonly value: unknown;
  readonly #place: Place;
  /** What it is inside of, and its key or index there; the path is put together for errors only. */
  readonly #parent: JsonPlace | undefined;
  readonly #step: string | number;

  constructor(value: unknown, place: Place, parent?: JsonPlace, step: string | number = '') {
    this.value = value;
    this.#place = place;
    this.#parent = parent;
    this.#step = step;
  }

  /** As in `hits.hits[0].fields`. */
  get #path(): string {
    if (this.#parent === undefined) return '';
    const before = this.#parent.#path;
    if (typeof this.#step === 'number') return `${before}[${this.#step}]`;
    if (!/^[\w-]+$/.test(this.#step)) return `${before}[${quote(this.#step)}]`;
    return before === '' ? this.#step : `${before}.${this.#step}`;
  }

  error(code: ErrorCode, detail: string): ListwiseError {
    const path = this.#path;
    return new ListwiseError(code, path === '' ? detail : `${path}: ${detail}`, this.#place);
  }

  /** The error of a value that is not what it must be. */
  wrong(wanted: string): ListwiseError {
    const found = quoteJson(this.value);
    return this.error('table-syntax', `it must be ${wanted}, found ${found}`);
  }

  has(key: string): boolean {
    return isObject(this.value) && Object.hasOwn(this.value, key);
  }

  keys(): string[] {
    if (isObject(this.value)) return Object.keys(this.value);
    throw this.wrong('an object');
  }

  at(key: string): JsonPlace {
    if (!isObject(this.value)) throw this.wrong('an object');
    return new JsonPlace(Object.hasOwn(this.value, key) ? this.value[key] : undefined, this.#place, this, key);
  }

  list(): JsonPlace[] {
    if (!Array.isArray(this.value)) throw this.wrong('an array');
    return this.value.map((item, i) => new JsonPlace(item, this.#place, this, i));
  }

  text(): string {
    if (typeof this.value === 'string' && this.value !== '') return this.value;
    throw this.wrong('a text');
  }
}
