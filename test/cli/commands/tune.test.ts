import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { trainers } from '#listwise/training/all.js';
import { readySpaces } from '#listwise/tuning/ready-spaces.js';
import { temporaryDirectory } from '../../temporary.js';
import { run, start } from '../run.js';

const directory = temporaryDirectory();
const file = (name: string) => join(directory, name);

function data(queries: number, from: number): string {
  const lines: string[] = [];
  for (let q = from; q < from + queries; q++) {
    for (let d = 0; d < 8; d++) {
      const x = ((q * 7 + d * 13) % 17) / 17;
      const noise = ((q * 31 + d * 17) % 11) / 11;
      lines.push(`${x + noise > 1.3 ? 2 : x + noise > 0.9 ? 1 : 0} qid:${q} 1:${x} 2:${((q * d) % 5) / 5} 3:${d}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

beforeAll(() => {
  writeFileSync(file('data.txt'), data(24, 0));
  writeFileSync(file('vali.txt'), data(12, 100));
  writeFileSync(file('test.txt'), data(12, 200));
  const search = { rate: { from: 0.01, to: 1, scale: 'log' }, leaves: { choices: [2, 4, 8] } };
  writeFileSync(file('space.json'), JSON.stringify({ model: 'trees', options: { trees: 8 }, search }));
  // Each training takes long enough to be killed in.
  writeFileSync(file('slow.json'), JSON.stringify({ model: 'trees', options: { trees: 400, patience: 0 }, search }));
});

const tune = (...args: string[]) => run(['tune', ...args], { cwd: directory });
const lines = (name: string) => readFileSync(file(name), 'utf8').split('\n').filter(Boolean);
const timeless = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && 'seconds' in value ? { ...value, seconds: 0 } : value;

describe('tune', () => {
  it('finds, trains and saves the best, and keeps all trials', async () => {
    const result = await tune(
      'data.txt',
      '--space',
      'space.json',
      '--trials',
      '3',
      '--folds',
      '2',
      '--dir',
      'run',
      '--json',
    );
    expect(result.stderr).toBe('');
    expect(result.code).toBe(0);
    const json = JSON.parse(result.stdout);
    expect(json).toMatchObject({
      schema: 'listwise/tune/1',
      model: join('run', 'model.json'),
      method: 'sequential',
      folds: 2,
      seeds: 1,
      queries: 24,
      select: 'ndcg@10',
      ciOver: 'queries',
      defaults: { id: 0, options: {}, status: 'done' },
    });
    expect(json.trials.map((trial: { id: number }) => trial.id)).toEqual([1, 2, 3]);
    const values = [...json.trials, json.defaults].map((trial: { value: number }) => trial.value);
    expect(json.best.value).toBe(Math.max(...values));
    expect(json.best.ci[0]).toBeLessThan(json.best.value);
    expect(JSON.parse(readFileSync(file('run/results.json'), 'utf8'))).toEqual(json);
    const kept = lines('run/trials.jsonl').map(line => JSON.parse(line));
    expect(kept.sort((a, b) => a.id - b.id)).toEqual(json.trials);
    const evaluated = await run(['evaluate', 'run/model.json', 'data.txt', '-m', 'ndcg@10', '--json'], {
      cwd: directory,
    });
    expect(JSON.parse(evaluated.stdout).measures[0].mean).toBeGreaterThan(0.7);
    expect(readFileSync(file('run/report.html'), 'utf8')).toContain('"kind":"scatter"');
    expect(JSON.parse(readFileSync(file('run/run.json'), 'utf8'))).toMatchObject({
      command: 'tune',
      status: 'finished',
    });
  });

  it('evaluates the winner and the defaults on data that had no part in it', async () => {
    const args = ['data.txt', '--validate', 'vali.txt', '--test', 'test.txt', '--space', 'space.json', '--trials', '4'];
    const result = await tune(...args, '--method', 'random', '--out', 'best.json', '--json');
    const json = JSON.parse(result.stdout);
    expect(json).toMatchObject({ folds: 1, queries: 12, test: { queries: 12, measure: 'ndcg@10' } });
    const evaluated = await run(['evaluate', 'best.json', 'test.txt', '-m', 'ndcg@10', '--json'], { cwd: directory });
    expect(JSON.parse(evaluated.stdout).measures[0].mean).toBe(json.test.best.value);
    const text = (await tune(...args, '--method', 'random', '--out', 'best.json', '--force', '--seeds', '2')).stdout;
    expect(text).toContain('trees: 4 trials (random), one split, 2 seeds, evaluated on 12 queries');
    expect(text).toContain('On 12 test queries the winner has ndcg@10 0.');
  });

  it('has trials and log on disk before the run is said to be finished', async () => {
    const [names, synced] = [new Map<number, string>(), [] as string[]];
    const [open, fsync] = [fs.openSync, fs.fsyncSync];
    vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
      const handle = open(path, ...rest);
      names.set(handle, basename(String(path)).replace(/\.\d+\.\w+\.\w+\.tmp$/, ''));
      return handle;
    });
    vi.spyOn(fs, 'fsyncSync').mockImplementation(handle => {
      synced.push(names.get(handle)!);
      fsync(handle);
    });
    syncBuiltinESMExports();
    const how = ['--space', 'space.json', '--method', 'random', '--trials', '1', '--folds', '2', '--threads', '1'];
    expect((await tune('data.txt', ...how, '--dir', 'synced', '--quiet')).code).toBe(0);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    const last = synced.lastIndexOf('run.json');
    for (const name of ['trials.jsonl', 'log.jsonl', 'results.json']) {
      expect(synced.slice(0, last)).toContain(name);
    }
  });

  it('goes on after kill -9: nothing finished is lost or run twice, and the result is the same', async () => {
    const args = ['data.txt', '--space', 'slow.json', '--trials', '4', '--folds', '2', '--seed', '3', '--threads', '1'];
    const child = start(['tune', ...args, '--dir', 'killed'], { cwd: directory });
    const ended = new Promise(resolve => child.on('close', resolve));
    const journal = 'killed/checkpoint/folds.jsonl';
    const trials = () => (existsSync(file('killed/trials.jsonl')) ? lines('killed/trials.jsonl') : []);
    while (child.exitCode === null && trials().length === 0) await sleep(10);
    child.kill('SIGKILL');
    await ended;
    const before = { pieces: lines(journal), trials: trials() };
    expect(before.trials).not.toEqual([]);
    expect(before.pieces.length).toBeLessThan(11);
    expect(existsSync(file('killed/model.json'))).toBe(false);
    expect((await tune(...args, '--dir', 'killed')).stderr).toContain('--resume goes on with it');
    // Data and options are those of the run in the folder; another number of threads changes nothing.
    const resumed = await tune('--dir', 'killed', '--resume', '--threads', '2', '--json');
    expect(resumed.stderr).toBe('');
    const whole = await tune(...args, '--dir', 'whole', '--json');
    const [ours, theirs] = [resumed, whole].map(({ stdout }) => ({ ...JSON.parse(stdout, timeless), model: '' }));
    expect(ours).toEqual(theirs);
    expect(readFileSync(file('killed/model.json'), 'utf8')).toBe(readFileSync(file('whole/model.json'), 'utf8'));
    const after = lines(journal);
    expect(after.slice(0, before.pieces.length)).toEqual(before.pieces);
    // Four trials and the defaults on two folds, and the head.
    expect(after).toHaveLength(11);
    expect(new Set(after.slice(1).map(line => JSON.stringify(JSON.parse(line).entry.piece))).size).toBe(10);
    expect(trials()).toEqual(expect.arrayContaining(before.trials));
    expect(
      trials()
        .map(line => JSON.parse(line).id)
        .sort(),
    ).toEqual([1, 2, 3, 4]);
    expect(readdirSync(file('killed')).filter(name => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each([
    [[], 'trees'],
    [['--model', 'linear'], 'linear'],
    [['--space', 'svm-map'], 'svm'],
  ])('searches a ready space: %j', async (args, kind) => {
    const quick = ['--trials', '1', '--folds', '2', '--method', 'random', '--out', 'ready.json', '--force', '--json'];
    const few = kind === 'trees' ? ['--set', 'trees=3'] : [];
    const result = await tune('data.txt', ...args, ...few, ...quick);
    expect(result.code, result.stderr).toBe(0);
    expect(JSON.parse(result.stdout).best.configuration.model).toBe(kind);
  });

  it('names the ready spaces in help, one for each kind of model', async () => {
    const help = (await tune('--help')).stdout.replaceAll(/\s+/g, ' ');
    expect(help).toContain('a ready space (adarank, burges-2006,');
    expect(readySpaces()).toEqual(expect.arrayContaining(Object.keys(trainers)));
  });

  it('prints the schema of search spaces', async () => {
    expect(JSON.parse((await tune('--schema')).stdout).anyOf.length).toBeGreaterThan(1);
  });

  it('says what is wrong before it trains', async () => {
    const stderr = async (...args: string[]) => {
      const result = await tune(...args);
      expect(result.code).toBe(2);
      return result.stderr;
    };
    const space = ['--space', 'space.json'];
    expect(await stderr()).toContain('give the data');
    expect(await stderr('data.txt', '--space', 'trees', '--model', 'net')).toContain(
      '--model does not go with --space',
    );
    expect(await stderr('data.txt', '--space', 'tres')).toContain('did you mean "trees"? Ready ones: adarank, ');
    expect(await stderr('data.txt', '--space', 'none.json')).toContain('no such search space');
    expect(await stderr('data.txt', ...space, '--resume')).toContain('--resume needs --dir');
    expect(await stderr('data.txt', ...space, '--folds', '2', '--holdout', '0.2')).toContain(
      '--holdout does not go with --folds',
    );
    expect(await stderr('data.txt', ...space, '--method', 'grid', '--folds', '2')).toContain(
      'search.rate: a grid needs "steps"',
    );
    expect(await stderr('data.txt', ...space, '--set', 'rate=1')).toContain(
      'both fixed in "options" and searched over',
    );
    expect(await stderr('data.txt', ...space, '--trials', '0')).toContain('--trials is a whole number of at least 1');
  });
});
