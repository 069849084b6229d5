/** What an option of a command can be: declared once with its type, what is allowed, and what holds without it. */
import { didYouMean, ListwiseError, quote } from '../../errors.js';

export interface Option<T> {
  readonly description: string;
  /** What the value is called in help, as `file` in `--out <file>`; none where there is no value. */
  readonly value?: string;
  /** One letter: `m` for `-m`. */
  readonly short?: string;
  /** The heading it stands under in help. */
  readonly group?: string;
  /** May be given several times. */
  readonly repeat?: boolean;
  /** Names a file to read, which may be stdin (`-`). */
  readonly reads?: boolean;
  readonly choices?: readonly string[];
  /** The default as help and pages show it. */
  readonly shown?: string | number;
  /** The value of what was written, which is undefined where nothing was; `flag` is for messages. */
  parse(written: readonly string[] | undefined, flag: string): T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of declared options. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

type Described = Pick<Option<unknown>, 'description' | 'value' | 'short' | 'group' | 'reads'>;
type Parse<T> = (text: string, flag: string) => T;

/** A switch: given or not. */
export function flag(description: string): Option<boolean> {
  return { description, parse: written => written !== undefined };
}

/** Any text; `required` is what to say where it is not given. */
export function text(spec: Described & ({ readonly default: string } | { readonly required: string })): Option<string>;
export function text(spec: Described): Option<string | undefined>;
export function text(
  spec: Described & { readonly default?: string; readonly required?: string },
): Option<string | undefined> {
  const { required, ...rest } = spec;
  const option = parsed<string>(rest, written => written);
  if (required === undefined) return option;
  return {
    ...option,
    parse(written, named) {
      if (written === undefined) throw usage(required);
      return option.parse(written, named);
    },
  };
}

/** Bounds of a number; `above` and `below` are left out of it. */
export interface Bounds {
  readonly least?: number;
  readonly above?: number;
  readonly below?: number;
  readonly most?: number;
}

/** A whole number of at least `least`. */
export function whole(spec: Described & { readonly least: number; readonly default: number }): Option<number>;
export function whole(spec: Described & { readonly least: number }): Option<number | undefined>;
export function whole(
  spec: Described & { readonly least: number; readonly default?: number },
): Option<number | undefined> {
  return parsed<number>({ value: 'n', ...spec }, (written, named) => {
    const number = Number(written);
    if (Number.isSafeInteger(number) && number >= spec.least && written.trim() !== '') return number;
    throw invalid(`${named} is a whole number of at least ${spec.least}, found ${quote(written)}`);
  });
}

/** A finite number within bounds. */
export function number(spec: Described & Bounds & { readonly default: number }): Option<number>;
export function number(spec: Described & Bounds): Option<number | undefined>;
export function number(spec: Described & Bounds & { readonly default?: number }): Option<number | undefined> {
  return parsed<number>(spec, (written, named) => bounded(written, named, spec, 'is a number'));
}

/** Numbers within bounds, separated by commas. */
export function numbers(spec: Described & Bounds & { readonly default: readonly number[] }): Option<readonly number[]> {
  const each = 'is numbers separated by commas, each';
  return {
    ...parsed<readonly number[]>({ value: 'list', ...spec }, (written, named) =>
      written.split(',').map(part => bounded(part, named, spec, each)),
    ),
    shown: spec.default.join(','),
  };
}

function bounded(written: string, named: string, bounds: Bounds, what: string): number {
  const value = Number(written);
  const ends = [
    { words: 'of at least', end: bounds.least, holds: (end: number) => value >= end },
    { words: 'above', end: bounds.above, holds: (end: number) => value > end },
    { words: 'at most', end: bounds.most, holds: (end: number) => value <= end },
    { words: 'below', end: bounds.below, holds: (end: number) => value < end },
  ].flatMap(({ end, ...rest }) => (end === undefined ? [] : [{ end, ...rest }]));
  if (written.trim() !== '' && Number.isFinite(value) && ends.every(({ end, holds }) => holds(end))) return value;
  const allowed = [what, ends.map(({ words, end }) => `${words} ${end}`).join(' and ')].filter(Boolean).join(' ');
  throw invalid(`${named} ${allowed}, found ${quote(written)}`);
}

/** One of a few names, given as a list or as the keys of a record. */
export function choice<const N extends string>(
  names: Names<N>,
  spec: Described & { readonly default: NoInfer<N> },
): Option<N>;
export function choice<const N extends string>(names: Names<N>, spec: Described): Option<N | undefined>;
export function choice<const N extends string>(
  names: Names<N>,
  spec: Described & { readonly default?: N },
): Option<N | undefined> {
  const choices: readonly string[] = Array.isArray(names) ? names : Object.keys(names);
  const isName = (written: string): written is N => choices.includes(written);
  const option = parsed<N>(spec, (written, named) => {
    if (isName(written)) return written;
    const near = didYouMean(written, choices).replace(/\.$/, '');
    throw usage(`${named} is one of ${choices.join(', ')}, found ${quote(written)}${near}`);
  });
  return { ...option, choices };
}

type Names<N extends string> = readonly N[] | Readonly<Record<N, unknown>>;

/**
 * May be given several times: none are an empty list, or the default. Each is read by `parse`, and is a text where that
 * is left out.
 */
export function list(spec: Described & { readonly default?: readonly string[] }): Option<readonly string[]>;
export function list<T>(spec: Described & { readonly parse: Parse<T> }): Option<readonly T[]>;
export function list<T>(
  spec: Described & { readonly default?: readonly string[]; readonly parse?: Parse<T> },
): Option<readonly (T | string)[]> {
  const { parse = (written: string) => written, default: standard = [], ...rest } = spec;
  return { ...rest, repeat: true, parse: (written, named) => written?.map(one => parse(one, named)) ?? standard };
}

/** A value with a reading of its own. */
export function parsed<T>(spec: Described & { readonly default: T }, parse: Parse<T>): Option<T>;
export function parsed<T>(spec: Described & { readonly default?: T }, parse: Parse<T>): Option<T | undefined>;
export function parsed<T>(spec: Described & { readonly default?: T }, parse: Parse<T>): Option<T | undefined> {
  const { description, value, short, group, reads, default: standard } = spec;
  return {
    description,
    value: value ?? 'value',
    ...(short !== undefined && { short }),
    ...(group !== undefined && { group }),
    ...(reads !== undefined && { reads }),
    ...((typeof standard === 'string' || typeof standard === 'number') && { shown: standard }),
    parse: (written, named) => {
      const last = written?.at(-1);
      return last === undefined ? standard : parse(last, named);
    },
  };
}

/** `name=file` under both names. */
export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

/** Reads NAME=FILE. */
export function namedFile(written: string, named: string): NamedFile {
  const [name, file] = splitPair(written);
  if (name !== '' && file) return { name, file };
  throw invalid(`${named} takes NAME=FILE, found ${quote(written)}`);
}

/** `name=value`; the value is undefined where there is no `=`. */
export function splitPair(written: string): [string, string | undefined] {
  const at = written.indexOf('=');
  return at < 0 ? [written, undefined] : [written.slice(0, at), written.slice(at + 1)];
}

/** All of them under one heading. */
export function grouped<O extends Options>(group: string, options: O): O;
export function grouped(group: string, options: Options): Options {
  return Object.fromEntries(Object.entries(options).map(([key, option]) => [key, { ...option, group }]));
}

/** `queryCol` is written `--query-col`. */
export function flagOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

export function usage(detail: string): ListwiseError {
  return new ListwiseError('usage', detail);
}

export function invalid(detail: string): ListwiseError {
  return new ListwiseError('option-invalid', detail);
}

/** The keys of declared options, for what is said of all of them. */
export function keysOf<O extends Options>(options: O): (keyof O & string)[] {
  return Object.keys(options);
}
