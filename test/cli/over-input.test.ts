/** A command does not write over what it reads, by whatever name. */
import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { withoutLinks } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';
import { run } from './run.js';

const directory = temporaryDirectory();
const read = () => readFileSync(join(directory, 'data.txt'), 'utf8');
const linear = ['--model', 'linear', '--set', 'epochs=1'];

beforeAll(async () => {
  const generate = ['generate', 'cubic', '--queries', '8', '--docs', '4', '--features', '3', '--out', 'data.txt'];
  expect((await run(generate, { cwd: directory })).code).toBe(0);
  const train = ['train', 'data.txt', ...linear, '--out', 'model.json'];
  expect((await run(train, { cwd: directory })).code).toBe(0);
  mkdirSync(join(directory, 'many'));
  for (const name of ['a.txt', 'b.txt']) copyFileSync(join(directory, 'data.txt'), join(directory, 'many', name));
  writeFileSync(join(directory, 'many', 'a.txt.weight'), '1\n'.repeat(8));
  for (const name of ['w.train.txt', 'w.validate.txt', 'w.part2.txt', 'w.txt.other']) {
    copyFileSync(join(directory, 'data.txt'), join(directory, name));
  }
  const described = { schema: 'listwise/data/1', data: 'many/b.txt' };
  writeFileSync(join(directory, 'described.json'), JSON.stringify(described));
  if (withoutLinks) return;
  symlinkSync('data.txt', join(directory, 'link.txt'));
  linkSync(join(directory, 'data.txt'), join(directory, 'hard.txt'));
});

it.each([
  [['train', 'data.txt', ...linear, '--force', '--out', 'data.txt']],
  [['train', 'data.txt', ...linear, '--force', '--log', './data.txt']],
  [
    [
      'train',
      'data.txt',
      ...linear,
      '--force',
      '--out',
      'twice.json',
      '--validate',
      'model.json',
      '--report',
      'model.json',
    ],
  ],
  [['train', 'data.txt', ...linear, '--out', 'new.json', '--report', './new.json']],
  [['train', 'data.txt', ...linear, '--out', 'many/new.json', '--log', './many/../many/new.json']],
  [['score', 'model.json', 'data.txt', '--out', join(directory, 'data.txt')]],
  [['convert-data', 'data.txt', 'data.txt', '--to', 'csv']],
  [['convert', 'model.json', 'model.json', '--force']],
  [['train', 'many', ...linear, '--force', '--out', 'many/a.txt']],
  [['train', 'many/*.txt', ...linear, '--force', '--out', 'many/b.txt']],
  [['train', 'data.txt', '--validate', 'many', ...linear, '--force', '--log', 'many/a.txt']],
  [['train', 'described.json', ...linear, '--force', '--out', 'many/b.txt']],
  [['compare', 'data.txt', '--system', 'a=model.json', '--system', 'b=model.json', '--out', 'model.json']],
  // Names that are made from those of the command line.
  [['convert-data', 'w.train.txt', 'w.txt', '--split', '0.5,0.5']],
  [['convert-data', 'w.validate.txt', 'w.txt', '--split=0.6,0.2,0.2']],
  [['convert-data', 'many/../w.part2.txt', './w.txt', '--split', '0.25,0.25,0.25,0.25']],
  [['convert-data', 'data.txt', 'w.txt', '--labels', 'other=w.txt.other']],
  // Where nothing is said of the output.
  [['train', 'data.txt', '--from', 'model.json', ...linear, '--force']],
  [['train', 'model.json', '--format', 'svmlight', ...linear, '--force']],
  [['train', 'data.txt', ...linear, '--force', '--log', 'model.json']],
])('%s', async args => {
  const before = read();
  const { code, stderr } = await run(args, { cwd: directory });
  expect(stderr).toContain('the command reads this file, or writes it twice; name another one [file-unwritable]');
  expect(code).toBe(2);
  expect(read()).toBe(before);
});

it('nor writes over how its data is read, where a run keeps that', async () => {
  mkdirSync(join(directory, 'described'));
  const described = await run(['inspect', 'data.txt', '--describe', 'described/data.json'], { cwd: directory });
  expect(described.stderr).toBe('');
  const file = join(directory, 'described/data.json');
  const before = readFileSync(file, 'utf8');
  const args = ['train', 'described/data.json', ...linear, '--dir', 'described'];
  const { code, stderr } = await run(args, { cwd: directory });
  expect(stderr).toContain('writes over it; name another folder [file-unwritable]');
  expect(code).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('nor takes it away to start over', async () => {
  const inFolder = ['train', 'data.txt', ...linear, '--dir', 'run'];
  expect((await run(inFolder, { cwd: directory })).code).toBe(0);
  const before = readFileSync(join(directory, 'run/model.json'), 'utf8');
  const { code, stderr } = await run([...inFolder, '--force', '--from', 'run/model.json'], { cwd: directory });
  expect(stderr).toContain(
    'the command reads this file, and takes it away or writes over it; name another folder [file-unwritable]',
  );
  expect(code).toBe(2);
  expect(readFileSync(join(directory, 'run/model.json'), 'utf8')).toBe(before);
  // What it writes there itself may be named.
  const named = await run([...inFolder, '--force', '--out', 'run/model.json'], { cwd: directory });
  expect(named.code).toBe(0);
});

it.each([
  [['score', 'model.json', 'many/a.txt', '--out', 'many/a.txt.weight']],
  [['score', 'model.json', 'data.txt', '--out', 'data.txt.weight']], // which is not there yet
  [['train', 'data.txt', ...linear, '--out', 'new.json', '--log', './data.txt.query.gz']],
  [['train', 'described.json', ...linear, '--out', 'many/b.txt.position']],
])('beside data: %s', async args => {
  const { code, stderr } = await run(args, { cwd: directory });
  expect(stderr).toContain('data that the command reads is read with a file of this name; name another one');
  expect(code).toBe(2);
  expect(existsSync(join(directory, 'data.txt.weight'))).toBe(false);
  expect(readFileSync(join(directory, 'many/a.txt.weight'), 'utf8')).toMatch(/^1\n/);
});

it.skipIf(withoutLinks)('a heartbeat that was put there as a link is not followed', async () => {
  mkdirSync(join(directory, 'planted'));
  symlinkSync('../many/b.txt', join(directory, 'planted/heartbeat'));
  const before = readFileSync(join(directory, 'many/b.txt'), 'utf8');
  await run(['train', 'data.txt', ...linear, '--dir', 'planted'], { cwd: directory });
  expect(readFileSync(join(directory, 'many/b.txt'), 'utf8')).toBe(before);
});

it.skipIf(withoutLinks).each(['link.txt', 'hard.txt'])('by way of %s', async name => {
  const { stderr } = await run(['score', 'model.json', 'data.txt', '--out', name], { cwd: directory });
  expect(stderr).toContain('the command reads this file');
});

it('writes over results of before', async () => {
  for (const _ of [1, 2]) {
    expect((await run(['score', 'model.json', 'data.txt', '--out', 'scores.txt'], { cwd: directory })).code).toBe(0);
  }
});
