/** The folder of `--checkpoint`: what is there and not ours stays as it is, and an old checkpoint goes with a word. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { withoutPipes } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';
import { run } from './run.js';

const directory = temporaryDirectory();
const at = (...names: string[]) => join(directory, ...names);
const train = (folder: string, ...more: string[]) =>
  run(['train', 'data.txt', '--model', 'linear', '--set', 'epochs=2', '--checkpoint', folder, ...more], {
    cwd: directory,
  });

beforeAll(async () => {
  const args = ['cubic', '--queries', '20', '--docs', '8', '--features', '3', '--out', 'data.txt'];
  await run(['generate', ...args], { cwd: directory });
});

it.each([
  ['JSON of another program', '{"step":7,"format":"listwise/checkpoint/6"}\n'],
  ['nothing', ''],
  ['bytes', '\0\u0001\u0002'],
])('a file of that name with %s is refused, whatever is asked for', async (what, content) => {
  const folder = what.replaceAll(' ', '-');
  mkdirSync(at(folder));
  writeFileSync(at(folder, 'checkpoint.json'), content);
  for (const more of [['--force'], ['--resume']]) {
    const { code, stderr } = await train(folder, ...more);
    expect(stderr).toContain(
      `${join(folder, 'checkpoint.json')}: not a checkpoint of listwise, and not written over; take it away, or name another folder`,
    );
    expect(stderr).toContain('[checkpoint-invalid]');
    expect(code).toBe(2);
    expect(readFileSync(at(folder, 'checkpoint.json'), 'utf8')).toBe(content);
    expect(readdirSync(at(folder))).toEqual(['checkpoint.json']);
  }
});

it.skipIf(withoutPipes)('a pipe of that name is refused, and not waited for', async () => {
  mkdirSync(at('pipe'));
  execFileSync('mkfifo', [at('pipe', 'checkpoint.json')]);
  const { code, stderr } = await train('pipe');
  expect([code, stderr]).toEqual([2, expect.stringContaining('[checkpoint-invalid]')]);
});

it.skipIf(withoutPipes)('nor is a pipe in the place of the record of a run', async () => {
  mkdirSync(at('run'));
  execFileSync('mkfifo', [at('run', 'run.json')]);
  const { code, stderr } = await run(['train', 'data.txt', '--dir', 'run'], { cwd: directory });
  expect([code, stderr]).toEqual([2, expect.stringContaining('[run-invalid]')]);
});

it('a folder of that name is refused', async () => {
  mkdirSync(at('folder', 'checkpoint.json'), { recursive: true });
  const { code, stderr } = await train('folder');
  expect([code, stderr]).toEqual([2, expect.stringContaining('[file-unreadable]')]);
});

it('a checkpoint of another run is replaced with a note, also one of another version and a damaged one', async () => {
  expect((await train('own')).stderr).not.toContain('starting over');
  const first = readFileSync(at('own', 'checkpoint.json'), 'utf8');
  const note = `starting over in place of ${join('own', 'checkpoint.json')}; to go on from there, give --resume\n`;
  expect((await train('own', '--force', '--seed', '2')).stderr).toContain(note);
  const second = readFileSync(at('own', 'checkpoint.json'), 'utf8');
  expect(second).not.toBe(first);
  for (const old of [second.replace(/checkpoint\/\d+/, 'checkpoint/1'), second.slice(0, 99)]) {
    writeFileSync(at('own', 'checkpoint.json'), old);
    expect(await train('own', '--resume')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('[checkpoint-invalid]'),
    });
    expect((await train('own', '--force', '--seed', '2')).stderr).toContain(note);
    const state = (text: string) => JSON.parse(text).identity;
    expect(state(readFileSync(at('own', 'checkpoint.json'), 'utf8'))).toEqual(state(second));
  }
});
