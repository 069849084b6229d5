/** What stands in a command line without a flag. */
import { type AlsoWrites, usage } from './option.js';

export interface Argument<T> {
  readonly description: string;
  readonly kind: 'required' | 'optional' | 'rest';
  /** Names a file to write. */
  readonly writes?: boolean;
  readonly alsoWrites?: AlsoWrites;
  /** Of the words that fall to it. */
  take(words: readonly string[]): T;
}

export type Arguments = Readonly<Record<string, Argument<unknown>>>;

export type ArgumentValues<A extends Arguments> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
};

export function required(description: string): Argument<string> {
  return { description, kind: 'required', take: ([word = '']) => word };
}

export function optional(description: string): Argument<string | undefined> {
  return { description, kind: 'optional', take: ([word]) => word };
}

/** All that are left; the last argument. */
export function rest(description: string): Argument<readonly string[]> {
  return { description, kind: 'rest', take: words => words };
}

/** As the line of usage shows them: `<model> [data] [more...]`. */
export function argumentWords(declared: Arguments): string[] {
  return Object.entries(declared).map(([name, { kind }]) => {
    if (kind === 'required') return `<${name}>`;
    return kind === 'optional' ? `[${name}]` : `[${name}...]`;
  });
}

/** Deals the words out, to what is required first: `[model] <data>` of one word is the data. */
export function takeArguments(declared: Arguments, words: readonly string[], name: string): Record<string, unknown> {
  const all = Object.entries(declared);
  const due = all.filter(([, { kind }]) => kind === 'required').length;
  const most = all.some(([, { kind }]) => kind === 'rest') ? Number.POSITIVE_INFINITY : all.length;
  if (words.length < due || words.length > most) {
    const line = [name, ...argumentWords(declared)].join(' ');
    throw usage(`write "${line}"; found ${words.length} ${words.length === 1 ? 'input' : 'inputs'}`);
  }
  let spare = words.length - due;
  let at = 0;
  return Object.fromEntries(
    all.map(([key, argument]) => {
      const length = argument.kind === 'required' ? 1 : argument.kind === 'rest' ? spare : Math.min(1, spare);
      if (argument.kind !== 'required') spare -= length;
      const own = words.slice(at, at + length);
      at += length;
      return [key, argument.take(own)];
    }),
  );
}
