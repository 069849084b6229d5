import { beforeAll, describe, expect, it } from 'vitest';
import { argumentWords } from '#listwise/cli/command/argument.js';
import type { Command } from '#listwise/cli/command/command.js';
import { type Group, isGroup } from '#listwise/cli/command/group.js';
import { flagOf } from '#listwise/cli/command/option.js';
import { program } from '#listwise/cli/declarations/all.js';
import { shellLines } from '#listwise/cli/terminal/shell-lines.js';
import { paragraph } from '#listwise/report/render/paragraph.js';
import { listwise, run } from './run.js';

interface Named {
  readonly name: string;
  readonly words: readonly string[];
  readonly command: Command;
}

/** Every command by its words, those in groups too. */
async function commandsOf(group: Group, path: readonly string[] = []): Promise<Named[]> {
  const found = await Promise.all(
    group.members.map(async ({ name, load }) => {
      const loaded = await load();
      const words = [...path, name];
      return isGroup(loaded) ? commandsOf(loaded, words) : [{ name: words.join(' '), words, command: loaded }];
    }),
  );
  return found.flat();
}

const commands = await commandsOf(program.found);

describe.each(commands)('help of $name', ({ name, words, command }) => {
  let stdout = '';
  beforeAll(async () => {
    const outcome = await run([...words, '--help']);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    stdout = outcome.stdout;
  });

  it('fits 80 columns', () => {
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
  });

  it('is its own: every flag, no other, and examples of this command', () => {
    const usage = ['Usage: listwise', name, '[options]', ...argumentWords(command.arguments)].join(' ');
    expect(stdout.startsWith(`${paragraph(usage, 80)}\n`)).toBe(true);
    const shown = Array.from(stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm), match => match[1]!);
    expect(shown.sort()).toEqual([...Object.keys(command.options).map(flagOf), '--help'].sort());
    const { examples } = command;
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples)
      expect(example).toMatch(new RegExp(`(^|[|] |^mpirun -np \\d+ )listwise ${name}\\b`));
    expect(stdout.match(/^ {2}\$ /gm)).toHaveLength(examples.length);
  });

  it('ends with the options that every command has', () => {
    const lines = stdout.split('\n');
    const group = lines.slice(lines.indexOf('Every command:') + 1);
    const flags = group.flatMap(line => /^ {2}(?:-\w, )?(--[a-z-]+)/.exec(line)?.[1] ?? []);
    expect(flags).toEqual(['--json', '--seed', '--threads', '--quiet', '--help']);
  });
});

describe('commands inside another', () => {
  it.each(['analyse', 'reproduce'])('%s --help names each in one line', async name => {
    const { stdout, code } = await run([name, '--help']);
    expect(code).toBe(0);
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
    const members = commands.filter(({ words }) => words[0] === name && words.length === 2);
    expect(members.length).toBeGreaterThan(5);
    for (const { words } of members) expect(stdout).toMatch(new RegExp(`^  ${words[1]} `, 'm'));
  });

  it('analyse alone shows the list and is a mistake', async () => {
    const { code, stdout, stderr } = await run(['analyse']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain((await run(['analyse', '--help'])).stdout);
    expect(stderr).toMatch(/\nlistwise: name the analysis: listwise analyse NAME \[usage\]\n$/);
    expect(await run(['analyse', '--json'])).toEqual({
      code: 2,
      stdout: '',
      stderr: '{"error":{"code":"usage","message":"name the analysis: listwise analyse NAME"}}\n',
    });
  });

  it('have flags that mean the same in all analyses', () => {
    const analyses = commands.filter(({ words }) => words[0] === 'analyse');
    for (const [key, option] of analyses.flatMap(({ command }) => Object.entries(command.options))) {
      const { value, repeat, choices } = option;
      const named = analyses.flatMap(({ command }) => command.options[key] ?? []);
      for (const other of named) expect(other).toMatchObject(JSON.parse(JSON.stringify({ value, repeat, choices })));
    }
  });

  it('have help by either way of asking, and refuse flags of others', async () => {
    const asked = await run(['help', 'analyse', 'optimality']);
    expect(asked).toEqual(await run(['analyse', 'optimality', '--help']));
    expect(asked.stdout).toContain('--epsilon');
    const foreign = await run(['analyse', 'importance', 'trees.json', '--epsilon', '0.01']);
    expect([foreign.code, foreign.stderr]).toEqual([2, "listwise: unknown option '--epsilon' [usage]\n"]);
  });
});

it('the list of commands fits 80 columns and names each', async () => {
  const { stdout, code } = await run(['--help']);
  expect(code).toBe(0);
  expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
  for (const { name } of program.found.members) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
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
  const line = async (...args: string[]) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    return stderr;
  };
  const train = ['train', 'test.txt', '--model', 'linear'];

  it.each([
    ['command', ['trian'], 'there is no command "trian"; did you mean "train"? [usage]'],
    ['option', ['train', '--modle', 'net'], "unknown option '--modle'; did you mean --model? [usage]"],
    [
      'choice',
      ['train', 'x', '--model', 'tres'],
      '--model is one of trees, linear, net, forest, adarank, rankboost, svm, coordinate, found "tres"; did you mean "trees"? [usage]',
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
    [
      'flag for an option of a trainer',
      ['train', 'x', '--trees', '100'],
      'are given with --set: --set trees=100 [usage]',
    ],
    ['name that LightGBM has', ['train', 'x', '--learning_rate', '0.1'], 'with --set: --set rate=0.1 [usage]'],
    ['name with its value', ['cv', 'x', '--num_leaves=31'], 'with --set: --set leaves=31 [usage]'],
    ['name of the iterations', ['train', 'x', '--n_estimators', '9', '--model', 'net'], '--set epochs=9 [usage]'],
    ['option of another kind', ['train', 'x', '--hidden', '10'], '--set hidden=10; it belongs to --model net [usage]'],
    ['name that XGBoost has', ['tune', 'x', '--max_depth', '3'], 'with --set: --set depth=3 [usage]'],
    ['flag without a value', ['train', 'x', '--eta'], 'with --set: --set rate=VALUE [usage]'],
    ['setting', ['train', 'x', '--set', 'num_leaves=3'], 'trees has no option "num_leaves": here it is leaves'],
    ['preset', ['train', 'x', '--preset', 'lightgbm'], "write them in the measure: --select 'ndcg(gain=linear)@10'"],
    ['column', ['train', 'x', '--drop', 'title'], "unknown option '--drop'; did you mean --ignore? [usage]"],
    ['metric', ['evaluate', 'm', 'x', '--metric', 'ap'], "unknown option '--metric'; did you mean --measure? [usage]"],
    ['analysis', ['analyse', 'importanse', 'x'], 'there is no analysis "importanse"; did you mean "importance"?'],
    ['generator', ['generate', 'cubik', '--out', 'x.txt'], 'there is no generator "cubik"; did you mean "cubic"?'],
  ])('of a %s suggests the nearest', async (_, args, message) => {
    const stderr = await line(...args);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^listwise: [^\n]*\n$/);
  });
});

describe('colour of the real program', () => {
  const evaluate = ['evaluate', 'linear.json', 'test.txt', '-m', 'ap'];

  it('is not for pipes', () => {
    expect(listwise(evaluate).stdout).not.toContain('\x1b');
    expect(listwise(['what']).stderr).toBe('listwise: there is no command "what" [usage]\n');
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
