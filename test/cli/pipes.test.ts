/** What the program does when nobody reads its output any more, or when it is asked to end. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutFullDevice, withoutSignals } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';
import { listwise, start, toFull } from './run.js';

const directory = temporaryDirectory();

beforeAll(() => {
  // Enough for outputs that do not fit a pipe.
  const many = ['generate', 'cubic', '--queries', '6000', '--docs', '2', '--features', '3', '--out', 'many.txt'];
  expect(listwise(many, { cwd: directory }).code).toBe(0);
  const few = ['generate', 'cubic', '--queries', '20', '--docs', '5', '--features', '3', '--out', 'few.txt'];
  expect(listwise(few, { cwd: directory }).code).toBe(0);
  const search = { rate: { choices: [0.1, 0.2] } };
  writeFileSync(join(directory, 'space.json'), JSON.stringify({ model: 'linear', options: { epochs: 1 }, search }));
  const model = ['train', 'many.txt', '--model', 'linear', '--set', 'epochs=1', '--out', 'model.json', '--quiet'];
  expect(listwise(model, { cwd: directory }).code).toBe(0);
});

interface End {
  code: number | null;
  stderr: string;
}

/** Runs with a reader that goes away at once, or after the first piece of output. */
function unread(
  args: readonly string[],
  after: 'nothing' | 'some',
  stream: 'stdout' | 'stderr' = 'stdout',
): Promise<End> {
  const child = start(args, { cwd: directory });
  child.stdin.end();
  let stderr = '';
  child.stderr.on('data', chunk => {
    stderr += chunk;
  });
  if (after === 'nothing') child[stream].destroy();
  else child[stream].once('data', () => child[stream].destroy());
  return new Promise(resolve => child.on('exit', code => setTimeout(() => resolve({ code, stderr }), 50)));
}

const short = ['--model', 'linear', '--set', 'epochs=1', '--quiet'];
const systems = ['--system', 'a=model.json', '--system', 'b=model.json'];

describe('a closed pipe ends quietly', () => {
  it.each([
    ['--help'],
    ['train', '--help'],
    ['train', '--schema'],
    ['evaluate', 'model.json', 'many.txt', '-m', 'ndcg', '--per-query'],
    ['evaluate', 'model.json', 'many.txt', '-m', 'ndcg', '--per-query', '--json'],
    ['evaluate', 'model.json', 'many.txt', '-m', 'ndcg', '--per-query', '--csv'],
    ['compare', 'many.txt', ...systems, '-m', 'ndcg', '--json'],
    ['score', 'model.json', 'many.txt'],
    ['score', 'model.json', 'many.txt', '--as', 'run'],
    ['score', 'model.json', 'many.txt', '--out', 'scores.txt', '--json'],
    ['inspect', 'many.txt', '--all'],
    ['convert-data', 'many.txt', 'copy.csv', '--json'],
    ['generate', 'net', '--queries', '10', '--out', 'net.txt'],
    ['train', 'many.txt', '--model', 'linear', '--set', 'epochs=1', '--out', 'other.json', '--quiet', '--json'],
    ['convert', 'model.json', 'copy.json', '--to', 'listwise'],
    ['cv', 'few.txt', ...short, '--folds', '2'],
    ['tune', 'few.txt', '--space', 'space.json', '--trials', '2', '--folds', '2', '--out', 'tuned.json', '--quiet'],
    ['reproduce'],
    ['reproduce', 'burges-2006-figure-2', '--scale', 'tiny'],
    ['analyse', 'importance', 'model.json', 'many.txt', '-m', 'ndcg', '--repeats', '1', '--json'],
    ['analyse', 'optimality', 'model.json', 'few.txt', '--directions', '3'],
    ['analyse', 'field', 'few.txt', '--queries', '1', '--points', '1'],
    ['analyse', 'informativeness', 'few.txt', ...systems],
    ['analyse', 'approximation', 'model.json', 'few.txt', '--objective', 'approx(ndcg)'],
    ['analyse', 'queries', 'few.txt', ...systems],
    ['analyse', 'why', 'model.json', 'model.json', 'few.txt', '--query', '1'],
    ['analyse', 'advise', 'few.txt', '--test-measure', 'ndcg', '--candidates', 'ap', '--seeds', '1', ...short],
    ['demo', '--queries', '10', '--report', 'demo.html', '--quiet'],
  ])('%s %s %s %s', async (...args) => {
    expect(await unread(args, 'nothing')).toEqual({ code: 0, stderr: '' });
  });

  it('in the middle of a large output', async () => {
    const args = ['evaluate', 'model.json', 'many.txt', '-m', 'ndcg', '--per-query'];
    for (const more of [[], ['--json']]) {
      expect(await unread([...args, ...more], 'some')).toEqual({ code: 0, stderr: '' });
    }
    expect(await unread(['score', 'model.json', 'many.txt'], 'some')).toEqual({ code: 0, stderr: '' });
  });

  it('a run whose result nobody reads is recorded as finished all the same', async () => {
    const args = ['train', 'many.txt', '--model', 'linear', '--set', 'epochs=1', '--quiet', '--dir', 'unread'];
    expect((await unread(args, 'nothing')).code).toBe(0);
    const again = listwise([...args], { cwd: directory });
    expect(again.stderr).toContain('the folder holds a finished run');
  });

  it('notes that nobody reads are no reason to end', async () => {
    const args = ['train', 'many.txt', '--model', 'linear', '--set', 'epochs=1', '--out', 'noted.json'];
    expect((await unread(args, 'nothing', 'stderr')).code).toBe(0);
    expect(readdirSync(directory)).toContain('noted.json');
  });
});

describe.skipIf(withoutFullDevice)('a full disk behind stdout or stderr', () => {
  const full = 'standard output: cannot be written: no space left on the device';
  const at = { cwd: directory };
  const trained = (name: string) => ['train', 'few.txt', ...short.slice(0, -1), '--out', name];

  it('never costs a model', () => {
    expect(toFull(trained('unlogged.json'), 'stderr', at)).toMatchObject({ code: 0 });
    expect(toFull(trained('unsaid.json'), 'stdout', at)).toMatchObject({ code: 2 });
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['unlogged.json', 'unsaid.json']));
  });

  it.each([
    ['--version'],
    ['score', 'model.json', 'many.txt'],
    ['inspect', 'few.txt', '--json'],
    ['evaluate', 'model.json', 'many.txt', '-m', 'ndcg', '--per-query', '--csv'],
  ])('is a failure with a code: %s', (...args) => {
    const { code, stderr } = toFull(args, 'stdout', at);
    expect(code).toBe(2);
    expect(stderr).toContain(full);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('leaves a run finished', () => {
    const args = ['tune', 'few.txt', '--space', 'space.json', '--trials', '2', '--folds', '2', '--dir', 'tuned'];
    expect(toFull(args, 'stdout', at).stderr).toContain(full);
    expect(JSON.parse(readFileSync(join(directory, 'tuned/run.json'), 'utf8')).status).toBe('finished');
    expect(readdirSync(join(directory, 'tuned'))).not.toContain('heartbeat');
  });
});

describe.skipIf(withoutSignals)('signals', () => {
  it.each([
    ['SIGINT', 130, ['generate', 'mslr', '--queries', '100000', '--out', 'big.txt']],
    ['SIGTERM', 143, ['generate', 'mslr', '--queries', '100000', '--out', 'big.txt.gz']],
    ['SIGHUP', 129, ['generate', 'mslr', '--queries', '100000', '--out', 'big.txt']],
    ['SIGTERM', 143, ['convert-data', 'many.txt', 'none.parquet', '--quiet']],
    ['SIGINT', 130, ['inspect', '-']],
    ['SIGINT', 130, ['evaluate', 'model.json', '-', '-m', 'ap']],
    ['SIGINT', 130, ['compare', '-', ...systems, '-m', 'ap']],
    ['SIGINT', 130, ['score', 'model.json', '-', '--out', 'none.txt']],
    ['SIGINT', 130, ['convert-data', '-', 'none.csv']],
    ['SIGINT', 130, ['train', '-', '--force']],
    ['SIGINT', 130, ['analyse', 'importance', 'model.json', '-', '--repeats', '100000']],
  ] as const)('%s ends with %i and leaves nothing behind: %j', async (signal, expected, args) => {
    const before = readdirSync(directory).sort();
    const child = start([...args], { cwd: directory });
    let stderr = '';
    child.stderr.on('data', chunk => {
      stderr += chunk;
    });
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    if (!args.some(arg => arg === '-')) await until(() => readdirSync(directory).some(name => name.endsWith('.tmp')));
    else await taken(child.stdin, args[0] === 'analyse');
    child.kill(signal);
    expect(await ended).toBe(expected);
    expect(stderr).toBe('');
    expect(readdirSync(directory).sort()).toEqual(before);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 20));
}

/**
 * Gives the program more data than a pipe holds and waits until it has taken it; `all` ends the data and lets it work
 * on that.
 */
async function taken(stdin: Writable, all: boolean): Promise<void> {
  stdin.on('error', () => {}); // it ends before everything is read
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i % 3} qid:${i >> 3} 1:${i % 7} 2:${i % 5} 3:${i % 11}\n`);
  await new Promise(resolve => stdin.write(lines.join(''), resolve));
  if (!all) return;
  stdin.end();
  await new Promise(resolve => setTimeout(resolve, 1000));
}
