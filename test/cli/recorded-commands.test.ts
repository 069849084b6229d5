/**
 * `--dir` of the commands that record themselves beside train: the files that docs/run-folder.md names, and how a run
 * is stopped.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { RunFolder } from '#listwise/runs/run-folder.js';
import { withoutSignals } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';
import { run, start } from './run.js';

const directory = temporaryDirectory();
const path = (...names: string[]) => join(directory, ...names);

const space = (epochs: number) => ({
  model: 'linear',
  options: { epochs, patience: 0 },
  search: { rate: { choices: [0.01, 0.1] } },
});

beforeAll(async () => {
  const args = ['--queries', '20', '--docs', '6', '--features', '3', '--out', 'data.txt'];
  await run(['generate', 'cubic', ...args], { cwd: directory });
  writeFileSync(path('quick.json'), JSON.stringify(space(2)));
  writeFileSync(path('endless.json'), JSON.stringify(space(1e9)));
});

const commands = {
  cv: {
    quick: ['cv', 'data.txt', '--model', 'linear', '--set', 'epochs=2', '--folds', '3', '-m', 'ap'],
    endless: ['cv', 'data.txt', '--model', 'linear', '--set', 'epochs=1e9', '--set', 'patience=0', '--folds', '3'],
    data: [{ role: 'data', file: 'data.txt', queries: 20 }],
    lines: 3,
    files: ['log.jsonl', 'report.html', 'results.json', 'run.json', 'scores.txt'],
  },
  tune: {
    quick: ['tune', 'data.txt', '--space', 'quick.json', '--method', 'grid', '--folds', '2'],
    endless: ['tune', 'data.txt', '--space', 'endless.json', '--method', 'grid', '--folds', '2'],
    data: [{ role: 'train', file: 'data.txt', queries: 20 }],
    // The defaults and two trials.
    lines: 3,
    files: ['checkpoint', 'log.jsonl', 'model.json', 'report.html', 'results.json', 'run.json', 'trials.jsonl'],
  },
  reproduce: {
    quick: ['reproduce', 'burges-2006-figure-2', '--scale', 'tiny'],
    endless: ['reproduce', 'burges-2006-figure-2', '--scale', 'paper'],
    data: [],
    lines: 8,
    files: ['checkpoint', 'log.jsonl', 'report.html', 'results.json', 'run.json'],
  },
};

describe.each(Object.entries(commands))('%s --dir', (name, { quick, endless, data, lines, files }) => {
  it('leaves the documented files', async () => {
    const { code, stdout, stderr } = await run([...quick, '--dir', name, '--json', '--quiet'], { cwd: directory });
    expect(code, stderr).toBe(0);
    expect(readdirSync(path(name)).sort()).toEqual(files);
    const folder = await RunFolder.open(path(name));
    expect(folder.state).toBe('finished');
    expect(folder.record).toMatchObject({ command: name, commandLine: [...quick, '--dir', name, '--json', '--quiet'] });
    expect(folder.record.data).toMatchObject(data);
    expect((await folder.readLog()).map(({ iteration }) => iteration)).toEqual(
      Array.from({ length: lines }, (_, i) => i + 1),
    );
    expect(readFileSync(path(name, 'results.json'), 'utf8')).toBe(stdout);
  });

  it.skipIf(withoutSignals)('is stopped by Ctrl-C, results left out', async () => {
    const folder = `${name}-stopped`;
    const child = start([...endless, '--dir', folder, '--quiet'], { cwd: directory });
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    while (!existsSync(path(folder, 'run.json'))) await new Promise(resolve => setTimeout(resolve, 20));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const { state, record } = await RunFolder.open(path(folder));
    expect(state).toBe('stopped');
    expect(record.times.ended).toBeDefined();
    expect(readdirSync(path(folder))).not.toContain('results.json');
    expect(readdirSync(path(folder))).not.toContain('heartbeat');
  });
});
