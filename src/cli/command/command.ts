/** What a command is: one record a file in `declarations/`, from which types, parser, help and docs follow. */
import { availableParallelism } from 'node:os';
import { ListwiseError } from '../../errors.js';
import { alone } from '../../ranks/transport.js';
import type { Io } from '../io.js';
import { onRanks } from '../launched.js';
import { swappedArguments } from '../model-for-data.js';
import { Output } from '../output.js';
import { type Arguments, type ArgumentValues, takeArguments } from './argument.js';
import {
  flag,
  flagOf,
  grouped,
  type NamedFile,
  type Option,
  type Options,
  type OptionValues,
  usage,
  whole,
} from './option.js';
import { type Sorted, sortWords } from './words.js';

const THREADS = ['num-threads', 'nthread', 'n-jobs', 'jobs', 'workers'];

/** Options that every command has; a command may declare one again. */
export const globalOptions = grouped('Every command:', {
  json: flag('print one JSON object instead of text'),
  seed: whole('seed of everything random', { least: 0, default: 1, tried: ['random-state', 'random-seed'] }),
  threads: {
    ...whole('threads to use at most, where they pay', { least: 1, default: availableParallelism(), tried: THREADS }),
    shown: 'all cores',
  },
  quiet: flag('no notes and no progress'),
});

type Global = typeof globalOptions;
export type GlobalValues = OptionValues<Global>;

/** A command line that fits its command. */
export interface CommandLine<A extends Arguments = Arguments, O extends Options = Options> {
  readonly args: ArgumentValues<A>;
  /** The arguments as they stand there. */
  readonly inputs: readonly string[];
  readonly options: OptionValues<Omit<Global, keyof O> & O>;
  /** Options as they were written, or what is shown as their default: for pages and records. */
  readonly written: Written;
  /** The options that were written, by key. */
  readonly given: ReadonlySet<string>;
  /** All words after `listwise`, the command's name first. */
  readonly words: readonly string[];
  /** The same command with other words after its name. */
  again(words: readonly string[]): CommandLine<A, O>;
}

export type Written = Readonly<Record<string, string | boolean | readonly string[]>>;

/** Options that mean nothing, and are refused, together with another option or where `when` holds. */
export interface Exclusion<A extends Arguments, O extends Options> {
  readonly when: keyof O | ((line: Pick<CommandLine<A, O>, 'args' | 'options'>) => boolean);
  readonly not: readonly (keyof O)[];
  /** What they do not go with, in words; the other option by itself where it is left out. */
  readonly why?: string;
}

/** One of these options must be there too; `why` says more. */
interface Need<O extends Options> {
  readonly one: readonly (keyof O)[];
  readonly why?: string;
}

export interface CommandDeclaration<A extends Arguments, O extends Options> {
  readonly arguments: A;
  readonly options: O;
  /** Options that mean nothing without another. */
  readonly needs?: { readonly [K in keyof O]?: Need<O> };
  /** Pairs that exclude each other, and other exclusions. */
  readonly excludes?: readonly (readonly [keyof O, keyof O] | Exclusion<A, O>)[];
  /** Command lines that run, shown in help. */
  readonly examples: readonly string[];
  /** Lines for the end of help, where a line an option is too little; long ones are broken. */
  readonly notes?: readonly string[];
  /** Whether the processes that a launcher of MPI programs started do it together. */
  readonly severalRanks?: boolean;
  /** Imports the work and does it. */
  run(line: CommandLine<A, O>, output: Output): Promise<void>;
}

/** A command whose types nobody needs any more. */
export interface Command {
  readonly arguments: Arguments;
  /** With those of every command. */
  readonly options: Options;
  readonly examples: readonly string[];
  readonly notes: readonly string[];
  readonly severalRanks: boolean;
  /** `path` is the name of the command: one word, or more where it is in a group. */
  start(path: readonly string[], words: readonly string[], io: Io): Promise<void>;
}

export function defineCommand<const A extends Arguments, const O extends Options>(
  declaration: CommandDeclaration<A, O>,
): Command {
  const own: Options = declaration.options;
  const shared = Object.entries<Option<unknown>>(globalOptions).map(([key, option]) => [key, own[key] ?? option]);
  const options: Options = {
    ...Object.fromEntries(Object.entries(own).filter(([key]) => !(key in globalOptions))),
    ...Object.fromEntries(shared),
  };
  const parse = (path: readonly string[], words: readonly string[]): CommandLine<A, O> => {
    const { inputs: placed, given, problem } = sortWords(words, options);
    if (problem !== undefined) throw problem;
    const inputs = placed.map(({ word }) => word);
    const args = takeArguments(declaration.arguments, inputs, ['listwise', ...path].join(' '));
    const values = Object.entries(options).map(([key, option]) => [key, option.parse(given.get(key), flagOf(key))]);
    const line = {
      args,
      inputs,
      options: Object.fromEntries(values),
      written: writtenOf(options, given),
      given: new Set(given.keys()),
      words: [...path, ...words],
      again: (other: readonly string[]) => parse(path, other),
    } as CommandLine<A, O>; // what the records above say of each key is what their parse() and take() give
    refuse(declaration, line, given);
    refuseStdinTwice(options, inputs, given);
    return line;
  };
  const { arguments: taken, examples, notes = [], severalRanks = false, run } = declaration;
  const start: Command['start'] = async (path, words, io) => {
    const { ranks = alone } = io;
    const line = await onRanks(ranks, async () => {
      const parsed = parse(path, words);
      // Looks for the files that patterns stand for: help does without.
      const { refuseOverInput } = await import('./over-input.js');
      await refuseOverInput({ arguments: taken, options }, parsed.args, sortWords(words, options).given);
      return parsed;
    });
    const output = new Output(io, { json: line.written.json === true, quiet: line.written.quiet === true });
    await run(line, output).catch(async error => {
      if (!(error instanceof ListwiseError)) throw error;
      const name = ['listwise', ...path].join(' ');
      const { system = [] }: { readonly system?: readonly NamedFile[] } = line.options;
      const shown = await swappedArguments(error, { name, args: line.args, systems: system });
      throw ranks.size === 1 ? shown : (await import('../../ranks/together.js')).share(error, shown);
    });
  };
  return { arguments: taken, options, examples, notes, severalRanks, start };
}

function writtenOf(options: Options, given: Sorted['given']): Written {
  const entries = Object.entries(options);
  const standard = entries.flatMap(([key, { shown }]) => (shown === undefined ? [] : [[key, shown] as const]));
  const written = Array.from(given, ([key, values]) => {
    const option = options[key]!;
    return [key, option.value === undefined ? true : option.repeat ? values : (values.at(-1) ?? true)] as const;
  });
  return Object.fromEntries([...standard, ...written]);
}

/** Contradictions are said before anything is read. */
function refuse<A extends Arguments, O extends Options>(
  { options, needs = {}, excludes = [] }: CommandDeclaration<A, O>,
  line: CommandLine<A, O>,
  given: Sorted['given'],
): void {
  for (const [key, need] of Object.entries<Need<O> | undefined>(needs)) {
    if (need === undefined || !given.has(key) || need.one.some(other => given.has(String(other)))) continue;
    const { one, why } = need;
    const flags = one.map(other => `${flagOf(String(other))}${valueWord(options[other])}`).join(' or ');
    throw usage(`${flagOf(key)} needs ${flags}${why === undefined ? '' : `: ${why}`}`);
  }
  for (const excluded of excludes) {
    const { when, not, why } = isPair(excluded) ? { when: excluded[0], not: [excluded[1]], why: undefined } : excluded;
    if (typeof when === 'function' ? !when(line) : !given.has(String(when))) continue;
    const stray = not.find(key => given.has(String(key)));
    const what = why ?? (typeof when === 'function' ? '' : flagOf(String(when)));
    if (stray !== undefined) throw usage(`${flagOf(String(stray))} does not go with ${what}`);
  }
}

/** The value as messages name it: ` DIR`. */
function valueWord(option: Option<unknown> | undefined): string {
  return option?.value === undefined ? '' : ` ${option.value.toUpperCase()}`;
}

function isPair<P extends readonly [unknown, unknown], R>(excluded: P | R): excluded is P {
  return Array.isArray(excluded);
}

/** `-` can be read only once. */
function refuseStdinTwice(options: Options, inputs: readonly string[], given: Sorted['given']): void {
  const files = Array.from(given, ([key, values]) => (options[key]?.reads ? values : [])).flat();
  if ([...inputs, ...files].filter(file => /(^|=)-$/.test(file)).length > 1) {
    throw usage('only one input can be stdin (-)');
  }
}
