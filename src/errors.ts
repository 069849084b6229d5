/**
 * Every mistake a user can make has a code, and the table below is the only place where codes are declared:
 * docs/errors.md is generated from it. A message says what, where (file, line, column), the value found and what is
 * allowed. It names options as programs give them, in backticks, with a value or without: `queryColumn`,
 * `unjudged: drop`. The command line words those as its flags (src/cli/flags.ts).
 *
 * @example
 * import { errorCodes } from 'listwise';
 *
 * for (const [code, meaning] of Object.entries(errorCodes)) console.log(code, meaning);
 */
export const errorCodes = {
  usage: 'The command line is not one that the command takes.',
  'file-not-found': 'A file, directory or glob names nothing that exists.',
  'file-unreadable':
    'The file exists but cannot be read (permissions, a directory where a file is due, a device error).',
  'file-unwritable': 'The output cannot be written there.',
  'file-exists': 'A model would be written over a file that exists.',
  'gzip-broken': 'A .gz input is truncated or damaged.',
  'data-empty': 'The input holds no documents, no features or no labels to learn from.',
  'data-binary': 'The input holds NUL bytes or is not UTF-8: it is not a text file of the format it was read as.',
  'line-end-invalid': 'A carriage return stands inside a line; lines end in LF or CR LF.',
  'data-format':
    'The format of the input cannot be inferred from its name, the format named is unknown, or a model is given for data.',
  'data-given-up': 'The features of a data set are read after they were given up to save memory.',
  'data-too-large': 'The data does not fit the memory layout or the memory of this machine.',
  'label-invalid': 'A label is not a finite number.',
  'judgment-missing': 'A logged document or query has no judgment.',
  'label-source-unknown': 'A label source is asked for that the data does not have.',
  'query-scattered':
    'A run is written, or features are normalised, query by query as large data is read, and a query comes again after others: its rows must be adjacent.',
  'query-missing': 'A row names no query, and no group file says which query it belongs to.',
  'query-mismatch': 'Two inputs that must hold the same queries do not.',
  'query-duplicate': 'A query is in two inputs that must hold different queries.',
  'feature-syntax': 'A feature is not written as ID:VALUE.',
  'feature-id-invalid': 'A feature id is not a whole number in the allowed range.',
  'feature-duplicate': 'A row gives the same feature twice.',
  'feature-value-invalid':
    'A feature value is neither a number that fits 32-bit floating point nor a mark for missing.',
  'feature-mismatch': 'The features of the data are not those that the model was trained on.',
  'column-unknown': 'A column is named that the table does not have.',
  'column-type': 'A column cannot be read as the kind of value it is used for.',
  'table-syntax':
    'A table is not written as its format asks for: an open quote, a line that is no JSON object, damage.',
  'row-ragged': 'A line has more or fewer fields than its format asks for.',
  'row-count': 'Two inputs that go row by row have different numbers of rows.',
  'document-duplicate': 'A document is listed twice for one query.',
  'score-invalid': 'A score is not a finite number.',
  'value-invalid':
    'A value in a side file (weight, group size, position, initial score) is not one that is allowed there.',
  'spec-syntax': 'A measure or objective string cannot be parsed.',
  'spec-unknown': 'A measure, preset or other named thing does not exist.',
  'spec-parameter': 'A parameter of a measure or objective is unknown, or its value is not allowed.',
  'option-invalid': 'An option has a value that is not allowed.',
  'value-infeasible': 'A measure is said to have a value that no order of the list has.',
  'inference-failed':
    'The labels of a list could not be inferred from the value of a measure to the accuracy promised.',
  'model-invalid': 'A model file is not a listwise model, or is damaged.',
  'model-unsupported': 'A model holds something that no model here, or the format to be written, can be.',
  'background-missing':
    'A model does not say what its scores are to be compared with; Shapley values need background documents then.',
  'conversion-lossy': 'A model cannot be written in the format without a loss, and losses were not accepted.',
  'dependency-missing': 'An optional package is needed for this and is not installed.',
  'checkpoint-invalid': 'A checkpoint is damaged, belongs to another run, or is none.',
  'run-exists': 'The run folder holds a run that would be written over, or one that is still going on.',
  'run-invalid': 'A folder is no run folder, or a file in it is damaged.',
  'ranks-differ': 'The processes of one training run were given different files, options or versions.',
  'selection-blind':
    'The data to select models on cannot tell them apart: no order of its documents is better than another.',
  'training-interrupted': 'Training was ended before there was a model, or a run of several before all were trained.',
  'training-without-lambda':
    'Nothing in the data tells documents apart: all labels of each query are equal or missing.',
  'lambda-invalid': 'An objective gives a document a lambda or hessian that is not a finite number.',
  'training-diverged': 'Training ran off to infinity before any model could be kept.',
  'trials-failed': 'No trial of a search could be trained.',
  'plugin-invalid': 'A module of user code does not export what it should.',
  'request-invalid': 'A request to the server is not one that it takes.',
  'request-unauthorised': 'A request to the server lacks the token, or has another one.',
  'request-too-large': 'A request to the server is larger than the server allows: its body, documents or features.',
  'request-timeout': 'A request to the server did not arrive in time.',
  'route-unknown': 'The server has nothing under this address, or not for this method.',
  'model-unknown': 'The server has no model of this name or version.',
  'server-busy': 'The server has as many requests as it takes at a time, or is being stopped.',
  'sql-failed': 'The SQL query could not be run.',
} as const satisfies Record<string, string>;

/**
 * What kind of mistake an error is about.
 *
 * @example
 * import { type ErrorCode, errorCodes } from 'listwise';
 *
 * const code: ErrorCode = 'label-invalid';
 * console.log(errorCodes[code]);
 */
export type ErrorCode = keyof typeof errorCodes;

/**
 * Where in an input a mistake is; line and column count from 1, column in bytes.
 *
 * @example
 * import type { Place } from 'listwise';
 *
 * const shown = ({ file, line }: Place): string => `${file ?? 'the data'}, line ${line ?? 'unknown'}`;
 */
export interface Place {
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
}

/**
 * A mistake of the user: one clear message, exit code 2, never a stack trace.
 *
 * @example
 * import { ListwiseError, readDataset } from 'listwise';
 *
 * try {
 *   await readDataset('train.txt');
 * } catch (error) {
 *   if (error instanceof ListwiseError) console.error(error.code, error.place.line, error.message);
 *   else throw error;
 * }
 */
export class ListwiseError extends Error {
  override readonly name = 'ListwiseError';
  readonly code: ErrorCode;
  readonly place: Place;
  /** The message without its place. */
  readonly detail: string;

  constructor(code: ErrorCode, detail: string, place: Place = {}) {
    const where = [place.file, place.line, place.column].filter(part => part !== undefined).join(':');
    super(where ? `${where}: ${detail}` : detail);
    this.code = code;
    this.detail = detail;
    this.place = place;
  }
}

/** What the work gives; the user's mistakes that it finds are at the place. */
export function atPlace<T>(place: Place, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ListwiseError
      ? new ListwiseError(error.code, error.detail, { ...error.place, ...place })
      : error;
  }
}

/** A value as a shell takes it. */
export function shellWord(text: string): string {
  return /^[\w,./@%+=:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A value as it should look inside a message: quoted, control characters visible, cut when long. */
export function quote(value: string): string {
  const shown = value.length > 60 ? `${value.slice(0, 57)}...` : value;
  return JSON.stringify(shown);
}

/** A value of a file, as `quote` shows text. */
export function quoteJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = jsonText(value);
  return text === undefined ? TOO_DEEP : quote(text);
}

/** A value of a file as JSON has it; undefined where it is too deep: JSON.stringify goes down as far as the stack. */
export function jsonText(value: unknown): string | undefined {
  try {
    // What JSON has no word for, such as a function of a program.
    return JSON.stringify(value) ?? String(value);
  } catch (error) {
    return error instanceof RangeError ? undefined : String(value);
  }
}

/** What is said of a value that cannot be shown. */
export const TOO_DEEP = 'lists nested too deeply';

/** An option as people write it: `minDocuments` is `min-documents`. */
export function kebab(key: string): string {
  return key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** A count with its noun: 1 query, 2 queries. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A few of many names, for messages. */
export function few(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown}, … (${names.length} in all)` : shown;
}

/** What follows a name that is not known: a suggestion where one is near, and the end of the sentence in any case. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '.' : `; did you mean ${quote(near)}?`;
}

/**
 * The name nearest to a misspelt one. Of a short name most letters must be right: any two letters are two steps apart.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.min(name.length - 1, name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3))) + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
