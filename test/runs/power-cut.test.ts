/** After exit code 0 a power cut takes nothing back: the disk is copied at that moment, and the copy looked at. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listwise } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const at = (name: string) => join(directory, name);
const disk = at('disk.img');

/** Only root may mount a file as a disk, and not in every container. */
function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    writeFileSync(disk, Buffer.alloc(32 << 20));
    execFileSync('mkfs.ext4', ['-q', '-F', disk], { stdio: 'ignore' });
    mounted(disk, () => {});
    return true;
  } catch {
    return false;
  }
}

function mounted<T>(image: string, look: (folder: string) => T): T {
  const folder = at('mounted');
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'ignore' });
  try {
    return look(folder);
  } finally {
    execFileSync('umount', [folder]);
  }
}

const run = (...files: string[]) => ['run.json', 'results.json', 'report.html', ...files].map(file => `run/${file}`);
const few = ['--set', 'epochs=2'];
const linear = ['--model', 'linear', ...few];
const tune = ['--space', at('space.json'), '--method', 'random', '--trials', '2', '--folds', '2'];
const SPACE = { model: 'linear', options: { epochs: 2 }, search: { rate: { from: 0.001, to: 0.1, scale: 'log' } } };
const data = at('data.txt');

const commands: [string, string[], string[]][] = [
  ['a model', ['train', data, ...linear, '--out', 'model.json'], ['model.json']],
  [
    'a checkpoint',
    ['train', data, ...linear, '--checkpoint', 'kept', '--out', 'm.json'],
    ['m.json', 'kept/checkpoint.json'],
  ],
  [
    'a run of train',
    ['train', data, ...linear, '--dir', 'run'],
    run('model.json', 'log.jsonl', 'checkpoint/checkpoint.json'),
  ],
  [
    'a run of trees',
    ['train', data, '--set', 'trees=3', '--dir', 'run'],
    run('model.json', 'log.jsonl', 'checkpoint/checkpoint.json'),
  ],
  [
    'a run of tune',
    ['tune', data, ...tune, '--dir', 'run'],
    run('model.json', 'log.jsonl', 'trials.jsonl', 'checkpoint/folds.jsonl'),
  ],
  ['a run of cv', ['cv', data, ...linear, '--folds', '2', '--dir', 'run'], run('scores.txt')],
  ['files of one set', ['convert-data', data, 'part.csv', '--split', '0.5,0.5'], ['part.train.csv', 'part.test.csv']],
  ['a Parquet file', ['convert-data', data, 'part.parquet'], ['part.parquet']],
];

describe.skipIf(!canMount())('after a power cut', () => {
  beforeAll(() => {
    const generate = ['generate', 'cubic', '--queries', '20', '--docs', '5', '--features', '3', '--out', data];
    expect(listwise(generate).code).toBe(0);
    writeFileSync(at('space.json'), JSON.stringify(SPACE));
  });

  it.each(commands)('%s is there, and whole', (name, args, files) => {
    const cut = at('cut.img');
    const contents = (folder: string) => files.map(file => readFileSync(join(folder, name, file)));
    const written = mounted(disk, folder => {
      mkdirSync(join(folder, name));
      expect(listwise([...args, '--quiet'], { cwd: join(folder, name) }).stderr).toBe('');
      copyFileSync(disk, cut);
      return contents(folder);
    });
    expect(written.every(({ length }) => length > 0)).toBe(true);
    expect(mounted(cut, contents)).toEqual(written);
    const record = files.indexOf('run/run.json');
    if (record >= 0) expect(JSON.parse(String(written[record])).status).toBe('finished');
  });
});
