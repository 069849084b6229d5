import { describe, expect, it } from 'vitest';
import { analyses } from '#listwise/cli/analyses/all.js';
import { commands } from '#listwise/cli/commands/all.js';
import { declare } from '#listwise/cli/parser.js';
import { paragraph, shellLines } from '#listwise/cli/wrap.js';
import { listwise } from './run.js';

/** Help as it is printed, 80 columns wide where there is no terminal. */
function help(name: string, words = ['--help']): string {
  let text = '';
  const command = declare(commands.find(known => known.name === name)!, () => {});
  command.configureOutput({
    writeOut: part => {
      text += part;
    },
  });
  expect(() => command.parse(words, { from: 'user' })).toThrow('outputHelp');
  return text;
}

describe.each(commands)('help of $name', ({ name, options, examples }) => {
  const lines = help(name).split('\n');

  it('fits 80 columns', () => {
    expect(lines.filter(line => line.length > 80)).toEqual([]);
  });

  it('names every option, and shows examples of this command', () => {
    for (const { flags } of options) expect(help(name)).toContain(flags);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toMatch(new RegExp(`(^|[|] )listwise ${name}\\b`));
  });

  it('ends with the options that every command has', () => {
    const group = lines.slice(lines.indexOf('Every command:') + 1);
    expect(group.slice(0, 5).map(line => line.trim().split(/[ ,]/)[0])).toEqual([
      '--json',
      '--seed',
      '--threads',
      '--quiet',
      '-h',
    ]);
  });
});

describe.each(analyses)('help of analyse $name', ({ name, options, examples }) => {
  it('is its own: every flag, no other, and examples', () => {
    const stdout = help('analyse', [name, '--help']);
    expect(stdout).toMatch(new RegExp(`^Usage: listwise analyse ${name} `));
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
    const shown = Array.from(stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm), match => match[1]!);
    const own = options.map(({ flags }) => /--[a-z-]+/.exec(flags)![0]);
    expect(new Set(shown)).toEqual(
      new Set([...own, '--out', '--report', '--json', '--seed', '--threads', '--quiet', '--help']),
    );
    expect(stdout.match(/^ {2}\$ /gm)).toHaveLength(examples.length);
  });
});

it('the list of commands fits 80 columns and names each', () => {
  const { stdout, code } = listwise(['--help']);
  expect(code).toBe(0);
  expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
  for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
});

describe('lines', () => {
  it('break between words', () => {
    expect(paragraph('one two three four', 9)).toBe('one two\n  three\n  four');
    expect(paragraph('unbreakable', 5)).toBe('unbreakable');
  });

  it('of commands can be copied to a shell', () => {
    const lines = shellLines('listwise train data.txt --set a=1 -m ndcg@10 --out model.json', 30);
    expect(lines).toEqual([
      '  $ listwise train data.txt \\',
      '      --set a=1 -m ndcg@10 \\',
      '      --out model.json',
    ]);
    expect(shellLines('listwise demo', 80)).toEqual(['  $ listwise demo']);
  });
});

describe('a misspelt name', () => {
  const line = (...args: string[]) => {
    const { code, stderr } = listwise(args);
    expect(code).toBe(2);
    return stderr;
  };
  const train = ['train', 'test.txt', '--model', 'linear'];

  it.each([
    ['command', ['trian'], "unknown command 'trian'; did you mean train? [usage]"],
    ['option', ['train', '--modle', 'net'], "unknown option '--modle'; did you mean --model? [usage]"],
    [
      'choice',
      ['train', 'x', '--model', 'tres'],
      '--model is one of trees, linear, net, forest, found "tres"; did you mean "trees"? [usage]',
    ],
    [
      'choice that is near to none',
      ['score', 'a', 'b', '--as', 'x-x-x'],
      '--as is one of scores, ids, run, found "x-x-x" [usage]',
    ],
    [
      'measure',
      ['evaluate', 'linear.json', 'test.txt', '-m', 'ndgc@10'],
      'there is no measure "ndgc"; did you mean "ndcg"?',
    ],
    [
      'objective',
      [...train, '--objective', 'lamdarank'],
      'there is no objective "lamdarank"; did you mean "lambdarank"?',
    ],
    ['measure of an objective', [...train, '--objective', 'lambdarank(ndgc)'], 'did you mean "ndcg"?'],
    ['option of a trainer', [...train, '--set', 'epoch=3'], 'linear has no option "epoch"; did you mean "epochs"?'],
    ['analysis', ['analyse', 'importanse', 'x'], 'there is no analysis "importanse"; did you mean "importance"?'],
    ['generator', ['generate', 'cubik', '--out', 'x.txt'], 'there is no generator "cubik"; did you mean "cubic"?'],
  ])('of a %s suggests the nearest', (_, args, message) => {
    const stderr = line(...args);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^listwise: [^\n]*\n$/);
  });
});

describe('colour of the real program', () => {
  const evaluate = ['evaluate', 'linear.json', 'test.txt', '-m', 'ap'];

  it('is not for pipes', () => {
    expect(listwise(evaluate).stdout).not.toContain('\x1b');
    expect(listwise(['what']).stderr).toBe("listwise: unknown command 'what' [usage]\n");
  });

  it('can be asked for, but never inside JSON', () => {
    const env = { FORCE_COLOR: '1' };
    expect(listwise(evaluate, { env }).stdout.startsWith('\x1b[1mmeasure')).toBe(true);
    expect(listwise(['what'], { env }).stderr.startsWith('\x1b[31mlistwise\x1b[39m: ')).toBe(true);
    expect(listwise([...evaluate, '--json'], { env }).stdout).not.toContain('\x1b');
    expect(listwise(['what', '--json'], { env }).stderr).not.toContain('\x1b');
  });

  it('draws in ASCII where the locale says so', () => {
    expect(listwise(evaluate, { env: { LC_ALL: 'C' } }).stdout.split('\n')[1]).toMatch(/^-+ {2}/);
  });
});
