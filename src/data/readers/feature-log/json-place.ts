/** A value inside a JSON text together with where it is, so that every error names file, line and path. */
import { type ErrorCode, ListwiseError, type Place, quote } from '../../../errors.js';

export class JsonPlace {
  readonly value: unknown;
  readonly #place: Place;
  readonly #path: string;

  constructor(value: unknown, place: Place, path = '') {
    this.value = value;
    this.#place = place;
    this.#path = path;
  }

  get file(): string {
    return this.#place.file ?? '';
  }

  error(code: ErrorCode, detail: string): ListwiseError {
    return new ListwiseError(code, this.#path === '' ? detail : `${this.#path}: ${detail}`, this.#place);
  }

  /** The error of a value that is not what it must be. */
  wrong(wanted: string): ListwiseError {
    const found = this.value === undefined ? 'nothing' : quote(JSON.stringify(this.value));
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
    const plain = /^[\w-]+$/.test(key);
    const step = plain ? `${this.#path === '' ? '' : '.'}${key}` : `[${quote(key)}]`;
    return new JsonPlace(
      Object.hasOwn(this.value, key) ? this.value[key] : undefined,
      this.#place,
      `${this.#path}${step}`,
    );
  }

  list(): JsonPlace[] {
    if (!Array.isArray(this.value)) throw this.wrong('an array');
    return this.value.map((item, i) => new JsonPlace(item, this.#place, `${this.#path}[${i}]`));
  }

  text(): string {
    if (typeof this.value === 'string' && this.value !== '') return this.value;
    throw this.wrong('a text');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
