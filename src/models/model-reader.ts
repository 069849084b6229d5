/** Takes values out of a parsed model file, checking each; a wrong one is a `model-invalid` error that names it. */
import { ListwiseError, quote, quoteJson } from '../errors.js';
import { isObject } from '../io/is-object.js';

export class ModelReader {
  readonly #json: Readonly<Record<string, unknown>>;
  readonly #file: string | undefined;
  readonly featureNames: readonly string[];

  /** A part of a model takes its names from the whole. */
  constructor(json: Readonly<Record<string, unknown>>, file?: string, whole?: ModelReader) {
    this.#json = json;
    this.#file = file;
    this.featureNames = whole?.featureNames ?? this.strings('featureNames');
    const seen = new Set<string>();
    for (const name of this.featureNames) {
      if (seen.has(name)) this.fail(`"featureNames" holds ${quote(name)} twice`);
      seen.add(name);
    }
  }

  fail(what: string): never {
    throw new ListwiseError('model-invalid', what, { file: this.#file });
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#json, key);
  }

  text(key: string): string {
    const value = this.#json[key];
    return typeof value === 'string' ? value : this.#wrong(key, 'text');
  }

  number(key: string): number {
    const value = this.#json[key];
    return isNumber(value) ? value : this.#wrong(key, 'a finite number');
  }

  /** An array of finite numbers; of `length` where that is given. */
  numbers(key: string, length?: number): number[] {
    const value = this.#json[key];
    const wanted = `${length === undefined ? 'an array' : `an array of ${length}`} finite numbers`;
    if (!Array.isArray(value) || (length !== undefined && value.length !== length)) return this.#wrong(key, wanted);
    return value.every(isNumber) ? value : this.#wrong(key, wanted);
  }

  strings(key: string): string[] {
    const value: unknown = this.#json[key];
    if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value;
    return this.#wrong(key, 'an array of texts');
  }

  objects(key: string): ModelReader[] {
    const value: unknown = this.#json[key];
    if (!Array.isArray(value) || !value.every(isObject)) return this.#wrong(key, 'an array of objects');
    return value.map(part => new ModelReader(part, this.#file, this));
  }

  #wrong(key: string, wanted: string): never {
    const value = this.#json[key];
    const found =
      value === undefined
        ? 'nothing'
        : Array.isArray(value)
          ? `an array of ${value.length} (${quoteJson(value)})`
          : quoteJson(value);
    return this.fail(`"${key}" must be ${wanted}, found ${found}`);
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
