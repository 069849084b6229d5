/** What an option of a command can be: declared once with its type, what is allowed, and what holds without it. */
import { existsSync } from 'node:fs';
import { didYouMean, kebab, ListwiseError, quote } from '../../errors.js';

export interface Option<T> {
  readonly description: string;
  /** What the value is called in help, as `file` in `--out <file>`; none where there is no value. */
  readonly value?: string;
  /** Of a switch that may have a value: which words are one. */
  readonly valueIf?: RegExp;
  /** One letter: `m` for `-m`. */
  readonly short?: string;
  /** The heading it stands under in help. */
  readonly group?: string;
  /** May be given several times. */
  readonly repeat?: boolean;
  /** Names a file to read, which may be stdin (`-`). */
  readonly reads?: boolean;
  /** Names a file to write. */
  readonly writes?: boolean;
  readonly alsoWrites?: AlsoWrites;
  readonly choices?: readonly string[];
  /** Values that shells offer, though others are allowed; loaded when they are asked for. */
  suggests?(): Promise<readonly string[]>;
  /** The default as it would be written. */
  readonly shown?: string;
  /** Names that people try for it: a message says the right one. */
  readonly tried?: readonly string[];
  /** What to say of a flag that there is not, where this option is what was meant; `given` is what there is besides. */
  instead?(flag: string, value: string | undefined, given: ReadonlyMap<string, readonly string[]>): string | undefined;
  /** For values that are another way to give another option: its key, and the value there. */
  elsewhere?(written: string): readonly [key: string, written: string] | undefined;
  /** The value of what was written, which is undefined where nothing was; `flag` is for messages. */
  parse(written: readonly string[] | undefined, flag: string): T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

/**
 * Names of files that are written with the one that is named or, where that is no file to write, taken away; `value` is
 * undefined where none is named, `given` is what is written for all options.
 */
export type AlsoWrites = (
  value: string | undefined,
  given: ReadonlyMap<string, readonly string[]>,
) => Promise<readonly string[]>;

type More = Pick<
  Option<unknown>,
  'short' | 'group' | 'reads' | 'writes' | 'alsoWrites' | 'tried' | 'instead' | 'suggests' | 'elsewhere'
>;
type Or<T> = { readonly default: T };
export type Parse<T> = (text: string, flag: string) => T;

/** A switch: given or not. */
export function flag(description: string): Option<boolean> {
  return { description, parse: written => written !== undefined };
}

/** A switch that a word of a certain look may follow as its value. */
export function switchOr(value: string, valueIf: RegExp, description: string): Option<boolean | string> {
  return { value, valueIf, description, parse: written => written !== undefined && (written.at(-1) ?? true) };
}

/** A value with a reading of its own; the last one counts. */
export function parsed<T>(value: string, description: string, parse: Parse<T>, more: More & Or<T>): Option<T>;
export function parsed<T>(
  value: string,
  description: string,
  parse: Parse<T>,
  more?: More & Partial<Or<T>>,
): Option<T | undefined>;
export function parsed<T>(
  value: string,
  description: string,
  parse: Parse<T>,
  { default: standard, ...more }: More & Partial<Or<T>> = {},
): Option<T | undefined> {
  return {
    ...more,
    value,
    description,
    ...(standard !== undefined && { shown: String(standard) }),
    parse: (written, named) => {
      const last = written?.at(-1);
      return last === undefined ? standard : parse(last, named);
    },
  };
}

/** Any text; `required` is what to say where it is not given. */
export function text(
  value: string,
  description: string,
  more: More & (Or<string> | { readonly required: string }),
): Option<string>;
export function text(value: string, description: string, more?: More): Option<string | undefined>;
export function text(
  value: string,
  description: string,
  { required, ...more }: More & Partial<Or<string>> & { readonly required?: string } = {},
): Option<string | undefined> {
  const option = parsed<string>(value, description, written => written, more);
  if (required === undefined) return option;
  const parse: typeof option.parse = (written, named) => {
    if (written === undefined) throw usage(required);
    return option.parse(written, named);
  };
  return { ...option, parse };
}

/** Bounds of a number; `above` and `below` are left out of it. */
export interface Bounds {
  readonly least?: number;
  readonly above?: number;
  readonly below?: number;
  readonly most?: number;
}

type Least = { readonly least: number };

/** A whole number of at least `least`. */
export function whole(description: string, more: More & Least & Or<number>): Option<number>;
export function whole(description: string, more: More & Least): Option<number | undefined>;
export function whole(
  description: string,
  { least, ...more }: More & Least & Partial<Or<number>>,
): Option<number | undefined> {
  const parse: Parse<number> = (written, named) => {
    const found = Number(written);
    if (Number.isSafeInteger(found) && found >= least && written.trim() !== '') return found;
    throw invalid(`${named} is a whole number of at least ${least}, found ${quote(written)}`);
  };
  return parsed<number>('n', description, parse, more);
}

/** A finite number within bounds. */
export function number(value: string, description: string, more: More & Bounds & Or<number>): Option<number>;
export function number(value: string, description: string, more: More & Bounds): Option<number | undefined>;
export function number(
  value: string,
  description: string,
  { least, above, below, most, ...more }: More & Bounds & Partial<Or<number>>,
): Option<number | undefined> {
  return parsed<number>(value, description, bounded({ least, above, below, most }, 'is a number'), more);
}

/** Numbers within bounds, separated by commas. */
export function numbers(description: string, more: More & Bounds & Or<readonly number[]>): Option<readonly number[]>;
export function numbers(description: string, more?: More & Bounds): Option<readonly number[] | undefined>;
export function numbers(
  description: string,
  { least, above, below, most, ...more }: More & Bounds & Partial<Or<readonly number[]>> = {},
): Option<readonly number[] | undefined> {
  const each = bounded({ least, above, below, most }, 'is numbers separated by commas, each');
  const parse: Parse<readonly number[]> = (written, named) => written.split(',').map(part => each(part, named));
  return parsed<readonly number[]>('list', description, parse, more);
}

function bounded(bounds: { readonly [K in keyof Bounds]: number | undefined }, what: string): Parse<number> {
  return (written, named) => {
    const found = Number(written);
    const ends = [
      { words: 'of at least', end: bounds.least, holds: (end: number) => found >= end },
      { words: 'above', end: bounds.above, holds: (end: number) => found > end },
      { words: 'at most', end: bounds.most, holds: (end: number) => found <= end },
      { words: 'below', end: bounds.below, holds: (end: number) => found < end },
    ].flatMap(({ end, ...rest }) => (end === undefined ? [] : [{ end, ...rest }]));
    if (written.trim() !== '' && Number.isFinite(found) && ends.every(({ end, holds }) => holds(end))) return found;
    const allowed = [what, ends.map(({ words, end }) => `${words} ${end}`).join(' and ')].filter(Boolean).join(' ');
    throw invalid(`${named} ${allowed}, found ${quote(written)}`);
  };
}

type Names<N extends string> = readonly N[] | Readonly<Record<N, unknown>>;

/** One of a few names, given as a list or as the keys of a record. */
export function choice<const N extends string>(
  names: Names<N>,
  value: string,
  description: string,
  more: More & Or<NoInfer<N>>,
): Option<N>;
export function choice<const N extends string>(
  names: Names<N>,
  value: string,
  description: string,
  more?: More,
): Option<N | undefined>;
export function choice<const N extends string>(
  names: Names<N>,
  value: string,
  description: string,
  more: More & Partial<Or<N>> = {},
): Option<N | undefined> {
  const choices: readonly string[] = Array.isArray(names) ? names : Object.keys(names);
  const isName = (written: string): written is N => choices.includes(written);
  const parse: Parse<N> = (written, named) => {
    if (isName(written)) return written;
    const near = didYouMean(written, choices).replace(/\.$/, '');
    throw usage(`${named} is one of ${choices.join(', ')}, found ${quote(written)}${near}`);
  };
  return { ...parsed<N>(value, description, parse, more), choices };
}

/** May be given several times: none are an empty list, or the default. `parse` reads each; left out, it is a text. */
export function list(
  value: string,
  description: string,
  more?: More & Partial<Or<readonly string[]>>,
): Option<readonly string[]>;
export function list<T>(
  value: string,
  description: string,
  more: More & { readonly parse: Parse<T> },
): Option<readonly T[]>;
export function list<T>(
  value: string,
  description: string,
  more: More & Partial<Or<readonly string[]>> & { readonly parse?: Parse<T> } = {},
): Option<readonly (T | string)[]> {
  const { parse = (written: string) => written, default: standard = [], ...rest } = more;
  return {
    ...rest,
    value,
    description,
    repeat: true,
    parse: (written, named) => written?.map(one => parse(one, named)) ?? standard,
  };
}

/** Names separated by commas; may be given several times. */
export function names(value: string, description: string, more: More = {}): Option<readonly string[]> {
  const parse = (written: readonly string[] | undefined) =>
    (written ?? []).flatMap(one => one.split(',').map(name => name.trim())).filter(Boolean);
  return { ...more, value, description, repeat: true, parse };
}

/** `name=file` under both names. */
export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

/** Reads NAME=FILE. Either may have a `=` in it: the first one is taken after which there is such a file. */
export function namedFile(written: string, named: string): NamedFile {
  const splits = Array.from(written.matchAll(/=/g), ({ index }) => index);
  const between = splits.length < 2 ? undefined : splits.find(at => existsSync(written.slice(at + 1)));
  const [name, file] =
    between === undefined ? splitPair(written) : [written.slice(0, between), written.slice(between + 1)];
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
  return `--${kebab(key)}`;
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
