/** Scripts for completion, run in the shells that are there. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { presets } from '#listwise/measures/presets.js';
import { trainers } from '#listwise/training/all.js';
import { temporaryDirectory } from '../temporary.js';
import { run } from './run.js';

const directory = temporaryDirectory();
const script = (shell: string) => join(directory, `listwise.${shell}`);

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await run(['completion', shell]);
    expect([code, stderr]).toEqual([0, '']);
    writeFileSync(script(shell), stdout);
  }
  mkdirSync(join(directory, 'here'));
  writeFileSync(join(directory, 'here', 'data file.txt'), '');
});

/** What a shell offers for the last of the words. */
const offered: Record<string, (words: readonly string[]) => readonly string[]> = {
  bash: words => {
    const code = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _listwise; printf "%s\\n" "\${COMPREPLY[@]}"`;
    return lines('bash', ['--norc', '-c', code, 'bash', script('bash'), ...words]);
  },
  // What completes inside the line editor is stood in for.
  zsh: words => {
    const code =
      `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { print -l -- \${words[CURRENT]}*(N); }; ` +
      'source "$1"; shift; words=("$@"); CURRENT=$#; _listwise';
    const [last = ''] = words.slice(-1);
    return lines('zsh', ['-f', '-c', code, 'zsh', script('zsh'), ...words]).filter(word => word.startsWith(last));
  },
  fish: words => {
    const code = `source ${script('fish')}; complete -C '${words.join(' ')}'`;
    return lines('fish', ['--no-config', '-c', code]).map(line => line.split('\t')[0]!);
  },
};

function lines(shell: string, args: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', cwd: join(directory, 'here') });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter(Boolean);
}

const isThere = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

// A shell that is not installed cannot be asked.
describe.each(Object.keys(offered).filter(isThere))('%s', shell => {
  const complete = (...words: string[]) => [...offered[shell]!(['listwise', ...words])].sort();

  it('offers commands, and those inside others', () => {
    expect(complete('tr')).toEqual(['train']);
    expect(complete('analyse', 'imp')).toEqual(['importance']);
    expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
    expect(complete('reproduce', 'burges-2006-figure-1')).toEqual(['burges-2006-figure-1']);
  });

  it('offers the flags of the command', () => {
    expect(complete('train', 'data.txt', '--ref')).toEqual(['--refit']);
    expect(complete('analyse', 'importance', '--rep')).toEqual(['--repeats', '--report']);
    expect(complete('--vers')).toEqual(['--version']);
    expect(complete('score', '--ref')).toEqual([]);
  });

  it('offers the values of a choice', () => {
    expect(complete('train', '--model', '')).toEqual(Object.keys(trainers).sort());
    expect(complete('evaluate', 'm.json', 'd.txt', '--preset', '')).toEqual(Object.keys(presets).sort());
    expect(complete('train', '--model', 'lin')).toEqual(['linear']);
  });

  it('offers names of measures and search spaces; what is no name may be a file', () => {
    for (const words of [
      ['evaluate', '-m'],
      ['train', '--select'],
      ['compare', '--measure'],
    ]) {
      expect(complete(...words, 'nd')).toEqual(['ndcg']);
    }
    expect(complete('tune', '--space', 'burges')).toEqual(['burges-2006']);
    expect(complete('tune', '--space', 'da').join()).toMatch(/^data\\? file.txt$/);
  });

  it('offers files elsewhere', () => {
    expect(complete('inspect', 'da').join()).toMatch(/^data\\? file.txt$/);
    expect(complete('train', '--validate', 'da').join()).toMatch(/^data\\? file.txt$/);
    expect(complete('inspect', 'none')).toEqual([]);
  });
});

// As above.
it.runIf(isThere('bash'))('bash takes a value after an equals sign', () => {
  expect(offered.bash!(['listwise', 'train', '--model', '=', 'lin'])).toEqual(['linear']);
});

it('asks for the shell', async () => {
  expect((await run(['completion'])).stderr).toContain('name the shell: listwise completion NAME');
  expect((await run(['completion', 'tcsh'])).stderr).toContain(
    'there is no shell "tcsh"; did you mean "bash"? Shells: bash, zsh, fish',
  );
});
