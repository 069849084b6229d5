/** Declared options and arguments: how they are written, what is refused, and the types that follow. */
import { availableParallelism } from 'node:os';
import { Writable } from 'node:stream';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { optional, required, rest } from '#listwise/cli/command/argument.js';
import { type CommandLine, defineCommand } from '#listwise/cli/command/command.js';
import { choice, flag, list, namedFile, number, numbers, parsed, text, whole } from '#listwise/cli/command/option.js';
import { Signals } from '#listwise/cli/signals.js';

const args = { model: required('a model'), data: optional('data'), more: rest('more data') };

const options = {
  out: text('file', 'a file'),
  tag: text('value', 'a text', { default: 'none' }),
  name: text('value', 'a name', { required: 'say --name NAME' }),
  measure: list('spec', 'several', { short: 'm' }),
  system: list('name=file', 'files', { parse: namedFile, reads: true }),
  trials: whole('a number', { least: 1 }),
  repeats: whole('a number', { least: 1, default: 5 }),
  alpha: number('value', 'a level', { above: 0, below: 1, default: 0.05 }),
  shares: numbers('shares', { above: 0, most: 1, default: [1] }),
  kind: choice(['trees', 'linear'], 'value', 'a kind', { default: 'trees' }),
  half: parsed('value', 'twice as much', written => Number(written) / 2),
  fast: flag('quickly'),
  dir: text('value', 'a folder'),
  resume: flag('go on'),
};

type Line = CommandLine<typeof args, typeof options>;

let line: Line | undefined;
const command = defineCommand({
  arguments: args,
  options,
  needs: { resume: { one: ['dir', 'out'], why: 'where to go on' } },
  excludes: [
    ['out', 'dir'],
    { when: ({ args: { data } }) => data === undefined, not: ['alpha'], why: 'a model alone' },
  ],
  examples: [],
  run: async given => {
    line = given;
  },
});

async function parse(...words: string[]): Promise<Line> {
  const nowhere = new Writable();
  const io = { stdout: nowhere, stderr: nowhere, stdin: () => process.stdin, env: {}, signals: new Signals() };
  await command.start(['rank'], ['--name', 'x', ...words], io);
  return line!;
}

const refused = (...words: string[]) => parse(...words).catch(({ code, message }) => `${message} [${code}]`);

it('values have the types that are declared, and defaults', async () => {
  const { args, options, inputs } = await parse('a', 'b', 'c', 'd');
  expect(args).toEqual({ model: 'a', data: 'b', more: ['c', 'd'] });
  expect(inputs).toEqual(['a', 'b', 'c', 'd']);
  expect(options).toEqual({
    out: undefined,
    tag: 'none',
    name: 'x',
    measure: [],
    system: [],
    trials: undefined,
    repeats: 5,
    alpha: 0.05,
    shares: [1],
    kind: 'trees',
    half: undefined,
    fast: false,
    dir: undefined,
    resume: false,
    json: false,
    seed: 1,
    threads: availableParallelism(),
    quiet: false,
  });
  expectTypeOf(args.model).toEqualTypeOf<string>();
  expectTypeOf(args.data).toEqualTypeOf<string | undefined>();
  expectTypeOf(options.out).toEqualTypeOf<string | undefined>();
  expectTypeOf(options.tag).toEqualTypeOf<string>();
  expectTypeOf(options.name).toEqualTypeOf<string>();
  expectTypeOf(options.trials).toEqualTypeOf<number | undefined>();
  expectTypeOf(options.repeats).toEqualTypeOf<number>();
  expectTypeOf(options.kind).toEqualTypeOf<'trees' | 'linear'>();
  expectTypeOf(options.half).toEqualTypeOf<number | undefined>();
  expectTypeOf(options.threads).toEqualTypeOf<number>();
  // @ts-expect-error: not declared
  expect(options.epsilon).toBeUndefined();
});

it('options are written in all the usual ways', async () => {
  const { options, args } = await parse(
    '--out=a=b',
    '-m',
    'ndcg',
    '-map',
    '--measure',
    'rr',
    '--half',
    '-3',
    '--',
    '-x',
  );
  expect(options).toMatchObject({ out: 'a=b', measure: ['ndcg', 'ap', 'rr'], half: -1.5 });
  expect(args.model).toBe('-x');
  const other = await parse('--tag', 'a', 'model', '--fast', '--tag', 'b', '--system', 'a=b=c', '-');
  expect(other.options).toMatchObject({ tag: 'b', fast: true, system: [{ name: 'a', file: 'b=c' }] });
  expect(other.inputs).toEqual(['model', '-']);
});

it('a line knows its words, what was written, and how to read others', async () => {
  const first = await parse('model', '--kind', 'linear', '-m', 'ap', '--fast');
  expect(first.words).toEqual(['rank', '--name', 'x', 'model', '--kind', 'linear', '-m', 'ap', '--fast']);
  expect(first.written).toMatchObject({ kind: 'linear', measure: ['ap'], fast: true, repeats: '5', shares: '1' });
  expect('out' in first.written).toBe(false);
  expect(first.again(['--name', 'y', 'other']).args.model).toBe('other');
});

it('what is required goes first where there are fewer words than arguments', async () => {
  let taken: unknown;
  const odd = defineCommand({
    arguments: { model: optional('a model'), data: required('data') },
    options: {},
    examples: [],
    run: async ({ args }) => {
      taken = args;
    },
  });
  const nowhere = new Writable();
  const io = { stdout: nowhere, stderr: nowhere, stdin: () => process.stdin, env: {}, signals: new Signals() };
  await odd.start(['odd'], ['data.txt'], io);
  expect(taken).toEqual({ model: undefined, data: 'data.txt' });
});

describe('refused', () => {
  it.each([
    [[], 'write "listwise rank <model> [data] [more...]"; found 0 inputs [usage]'],
    [['m', '--nme', 'x'], "unknown option '--nme'; did you mean --name? [usage]"],
    [['m', '-x'], "unknown option '-x' [usage]"],
    [['m', '--fast=yes'], '--fast takes no value, found "yes" [usage]'],
    [['m', '--out'], '--out needs a value: --out <file> [usage]'],
    [['m', '--trials', '0'], '--trials is a whole number of at least 1, found "0" [option-invalid]'],
    [['m', '--trials', ''], '--trials is a whole number of at least 1, found "" [option-invalid]'],
    [['m', 'd', '--alpha', '1'], '--alpha is a number above 0 and below 1, found "1" [option-invalid]'],
    [
      ['m', '--shares', '0.1,2'],
      '--shares is numbers separated by commas, each above 0 and at most 1, found "2" [option-invalid]',
    ],
    [['m', '--kind', 'tree'], '--kind is one of trees, linear, found "tree"; did you mean "trees"? [usage]'],
    [['m', '--system', 'a'], '--system takes NAME=FILE, found "a" [option-invalid]'],
    [['m', '--resume'], '--resume needs --dir VALUE or --out FILE: where to go on [usage]'],
    [['m', '--out', 'a', '--dir', 'b'], '--dir does not go with --out [usage]'],
    // Also at its default: it was asked for.
    [['m', '--alpha', '0.05'], '--alpha does not go with a model alone [usage]'],
    [['m', '-', '--system', 'a=-'], 'only one input can be stdin (-) [usage]'],
  ])('%j: %s', async (words, message) => {
    expect(await refused(...words)).toBe(message);
  });

  it('a required option that is missing, in its own words', async () => {
    const nowhere = new Writable();
    const io = { stdout: nowhere, stderr: nowhere, stdin: () => process.stdin, env: {}, signals: new Signals() };
    await expect(async () => command.start(['rank'], ['m'], io)).rejects.toThrow('say --name NAME');
  });
});
