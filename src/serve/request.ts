/** What a request asks for, whichever way it was read. */
import { ListwiseError, quote, quoteJson } from '../errors.js';
import { isObject } from '../io/is-object.js';
import { nextAtTop } from '../io/json-bytes.js';
import type { Rankable } from '../models/create-ranker.js';
import { type Rules, rulesOf } from './rules.js';
import type { ServedModel } from './served-models.js';

/** Everything but the documents. */
export interface Head {
  /** NAME or NAME@VERSION. */
  readonly model: string | undefined;
  /** What shares are dealt by. */
  readonly key: string | undefined;
  /** An id of the request, for the feature log and for what comes of it later. */
  readonly request: string | undefined;
  /** The query, for the feature log. */
  readonly query: string | undefined;
  /** So many features a document, or all. */
  readonly why: boolean | number;
  readonly rules: Rules | undefined;
}

export type DocumentId = string | number;

/** What stands beside a document's features. */
export interface Beside {
  readonly id: DocumentId;
  readonly category: string | undefined;
  readonly label: number | undefined;
}

/** A request as it was read. */
export interface ReadRequest {
  readonly head: Head;
  readonly served: ServedModel;
  readonly documents: readonly Beside[];
  /** Row by row, valid until the next request is read. */
  readonly rows: Float32Array;
  /** Levels that the model does not know, by place in the rows, where they are missing values. */
  readonly unknownLevels: ReadonlyMap<number, string>;
}

export interface RankRequest extends ReadRequest {
  /** As given, or one of the server's. */
  readonly id: string;
}

/**
 * Limits on what a client can send.
 *
 * @example
 * import type { Limits } from 'listwise/serve';
 *
 * const limits: Limits = { body: 1_000_000, documents: 1000, features: 500 };
 */
export interface Limits {
  /** Bytes of a body. */
  readonly body: number;
  readonly documents: number;
  /** Features of a document, known to the model or not. */
  readonly features: number;
}

export type Pick = (head: Head) => ServedModel;

const HEAD_KEYS = ['model', 'key', 'request', 'query', 'why', 'rules'];

/** The head of an object without its documents. */
export function headOf(json: Readonly<Record<string, unknown>>): Head {
  for (const name of Object.keys(json)) {
    if (HEAD_KEYS.includes(name)) continue;
    const known = ['documents', 'rows', ...HEAD_KEYS].map(quote).join(', ');
    throw new ListwiseError('request-invalid', `the request has ${quote(name)}; it may have ${known}`);
  }
  const { why = false } = json;
  if (typeof why !== 'boolean' && !(Number.isInteger(why) && Number(why) > 0))
    throw wrong('why', 'true, or how many', why);
  return {
    model: textOf(json.model, 'model'),
    key: textOf(json.key, 'key'),
    request: textOf(json.request, 'request'),
    query: textOf(json.query, 'query'),
    why: typeof why === 'boolean' ? why : Number(why),
    rules: json.rules === undefined ? undefined : rulesOf(json.rules),
  };
}

function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && value !== '' && value.length <= 1000) return value;
  throw wrong(name, 'a text of 1 to 1000 characters, or a number', value);
}

export function wrong(name: string, wanted: string, found: unknown): ListwiseError {
  // JSON has no word for what 1e400 is read as.
  const value = typeof found === 'number' ? quote(String(found)) : quoteJson(found);
  return new ListwiseError('request-invalid', `"${name}" must be ${wanted}, found ${value}`);
}

/** What stands beside the features of document i; a document without an id is called by its number, from 0. */
export function besideOf({ id, category, label }: Readonly<Record<string, unknown>>, i: number): Beside {
  if (id !== undefined && typeof id !== 'string' && !Number.isFinite(id))
    throw wrong(`documents[${i}].id`, 'a text or a number', id);
  if (category !== undefined && category !== null && typeof category !== 'string' && !Number.isFinite(category))
    throw wrong(`documents[${i}].category`, 'a text or a number', category);
  if (label !== undefined && label !== null && !Number.isFinite(label))
    throw wrong(`documents[${i}].label`, 'a number', label);
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : i,
    category: category === undefined || category === null ? undefined : String(category),
    label: typeof label === 'number' ? label : undefined,
  };
}

export function tooMany(what: string, most: number): ListwiseError {
  return new ListwiseError('request-too-large', `the request has more than ${most} ${what}`);
}

/** The request as JSON says it: the plain way, which `scanRequest` equals. */
export function readRequest(body: readonly Uint8Array[], pick: Pick, limits: Limits): ReadRequest {
  const bytes = Buffer.concat(body);
  refuseCostly(bytes, limits);
  const json = parse(bytes);
  if (!isObject(json)) throw new ListwiseError('request-invalid', 'the body must be a JSON object');
  const { documents, rows, ...rest } = json;
  const head = headOf(rest);
  const served = pick(head);
  const list = listOf(documents, rows);
  if (list.length > limits.documents) throw tooMany('documents', limits.documents);
  const beside: Beside[] = [];
  for (const [i, document] of list.entries()) {
    if (!isObject(document)) throw wrong(`documents[${i}]`, 'an object with "features"', document);
    if (isObject(document.features) && Object.keys(document.features).length > limits.features)
      throw tooMany('features of a document', limits.features);
    beside.push(besideOf(document, i));
  }
  const values = served.ranker.rows(list as readonly Rankable[]);
  return {
    head,
    served,
    documents: beside,
    rows: values,
    unknownLevels: unknownLevels(list as Rankable[], served, values),
  };
}

/** What a document says of a category, where the model knows no such level. */
export function unknownLevel(value: unknown, number: number): string | undefined {
  return typeof value === 'string' && Number.isNaN(number) ? value : undefined;
}

function unknownLevels(
  list: readonly Rankable[],
  { ranker, plain }: ServedModel,
  rows: Float32Array,
): Map<number, string> {
  const found = new Map<number, string>();
  const width = ranker.featureNames.length;
  for (const [f, name] of ranker.featureNames.entries()) {
    if (plain[f]) continue;
    for (const [i, { features }] of list.entries()) {
      const value = Array.isArray(features) ? features[f] : (features as Readonly<Record<string, unknown>>)[name];
      const level = unknownLevel(value, rows[i * width + f]!);
      if (level !== undefined) found.set(i * width + f, level);
    }
  }
  return found;
}

/** Objects and arrays within each other, and, beside those of documents, in all: what they take is no longer small. */
export const DEEPEST = 64;
export const MOST_PARTS = 100_000;

/** JSON of brackets alone takes a hundred times its bytes once it is parsed. */
function refuseCostly(bytes: Uint8Array, { documents }: Limits): void {
  const most = MOST_PARTS + 4 * documents;
  try {
    // JSON.parse goes no further than this, either: behind a value there is nothing.
    nextAtTop(bytes, 0, bytes.length, {
      deepest: DEEPEST,
      most,
      exceeded(what) {
        throw what === 'most'
          ? tooMany('objects and arrays', most)
          : tooMany('objects and arrays within each other', DEEPEST);
      },
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error; // that is for JSON.parse to word
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message.replaceAll('\n', ' ').slice(0, 160) : 'it is not UTF-8';
    throw new ListwiseError('request-invalid', `the body is not JSON: ${why}`);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function listOf(documents: unknown, rows: unknown): readonly unknown[] {
  if ((documents === undefined) === (rows === undefined))
    throw new ListwiseError('request-invalid', 'the request must have either "documents" or "rows"');
  if (documents !== undefined) {
    if (!Array.isArray(documents)) throw wrong('documents', 'an array of documents', documents);
    return documents;
  }
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) throw wrong('rows', 'an array of arrays of numbers', rows);
  return rows.map((features: unknown) => ({ features }));
}
