/** `train --dir`: what a run leaves behind when it ends well, is stopped, fails, or is killed. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { Output } from '#listwise/cli/output.js';
import { recorded } from '#listwise/cli/run-folder.js';
import { Signals } from '#listwise/cli/signals.js';
import type { RunRecording } from '#listwise/runs/recording.js';
import { RunFolder } from '#listwise/runs/run-folder.js';
import { withoutSignals } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';
import { run, start } from './run.js';

const directory = temporaryDirectory();
const file = (...names: string[]) => join(directory, ...names);
const text = (...names: string[]) => readFileSync(file(...names), 'utf8');
const runFolder = (...args: string[]) => run(['train', ...args], { cwd: directory });
const open = (name: string) => RunFolder.open(file(name));

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

beforeAll(async () => {
  const args = ['cubic', '--queries', '30', '--docs', '10', '--features', '5', '--split', '0.7,0.3'];
  await run(['generate', ...args, '--out', 'data.txt'], { cwd: directory });
});

describe('a run that cannot record its end', () => {
  const settled = { seed: 1, options: {}, makes: [] };
  const output = new Output(
    {
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      stdin: () => Readable.from([]),
      env: {},
      signals: new Signals(),
    },
    { json: false, quiet: true },
  );
  const recording = (dir: string, work: (run: RunRecording | undefined) => void) =>
    recorded({ options: { dir: file(dir), force: false }, words: ['train'] }, settled, async run => work(run), output);

  it('says what failed first', async () => {
    const failing = recording('gone', () => {
      rmSync(file('gone'), { recursive: true });
      throw new Error('the first failure');
    });
    await expect(failing).rejects.toThrow('the first failure');
  });

  it('says which of its files cannot be written', async () => {
    const failing = recording('full', run => {
      mkdirSync(file('full/log.jsonl'));
      run?.log({ iteration: 1 });
    });
    await expect(failing).rejects.toMatchObject({
      code: 'file-unwritable',
      message: `${file('full/log.jsonl')}: cannot be written: it is a directory`,
    });
    expect((await open('full')).record).toMatchObject({ status: 'failed', error: { code: 'file-unwritable' } });
  });
});

const net = (...args: string[]) => [
  'data.train.txt',
  '--validate',
  'data.test.txt',
  '--model',
  'net',
  '--set',
  'patience=0',
  ...args,
];

/** Starts a training without end, waits for its first checkpoint and sends a signal. */
async function endedBy(signal: NodeJS.Signals, name: string): Promise<{ code: number | null; stdout: string }> {
  const child = start(['train', ...net('--set', 'epochs=1000000', '--dir', name, '--json')], { cwd: directory });
  let stdout = '';
  child.stdout.on('data', chunk => {
    stdout += chunk;
  });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  while (!existsSync(file(name, 'checkpoint/checkpoint.json'))) await pause(20);
  expect((await open(name)).state).toBe('running');
  child.kill(signal);
  return { code: await ended, stdout };
}

const FLAT = `export const flat = {
  name: 'flat', title: 'Flat', description: 'One.', citation: 'none', cutoff: 'none', range: [0, 1], parameters: {},
  create: () => ({ value: () => 1 }),
};
`;

describe('a run folder that names modules', () => {
  it('starts none of them by itself: they are given again, or the run is refused with the line to type', async () => {
    writeFileSync(file('own.mjs'), FLAT);
    const loaded = ['--load', './own.mjs'];
    const begun = await runFolder(...net('--set', 'epochs=2', '--dir', 'loads', ...loaded));
    expect(begun.code).toBe(0);
    // Were it run, it would be heard.
    writeFileSync(file('own.mjs'), `${FLAT}console.log('was run');\n`);
    const refused = await runFolder('--dir', 'loads', '--resume', '--set', 'epochs=3');
    expect(refused.code).toBe(2);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toContain(
      'where you trust it: listwise train --dir loads --resume --set epochs=3 --load ./own.mjs [usage]',
    );
    // And what changed is said where it is given again.
    const changed = await runFolder('--dir', 'loads', '--resume', '--set', 'epochs=3', ...loaded);
    expect(changed.stderr).toContain('differs in module; give those again');
    writeFileSync(file('own.mjs'), FLAT);
    expect((await runFolder('--dir', 'loads', '--resume', '--set', 'epochs=3', ...loaded)).code).toBe(0);
    expect((await open('loads')).state).toBe('finished');
  });
});

describe('train --dir', () => {
  it('records options, data, log, model and results', async () => {
    const result = await runFolder(...net('--set', 'epochs=4', '--dir', 'whole', '--seed', '5', '--json'));
    expect(result.stderr).toBe('');
    const folder = await open('whole');
    expect(folder.state).toBe('finished');
    expect(folder.record).toMatchObject({
      command: 'train',
      workingDirectory: directory,
      seed: 5,
      options: { model: 'net', objective: 'lambdarank(ndcg)', select: 'ndcg@10', options: { epochs: 4, hidden: [10] } },
      data: [
        { role: 'train', file: 'data.train.txt', queries: 21, documents: 210, features: 5 },
        { role: 'validate', file: 'data.test.txt', queries: 9 },
      ],
    });
    expect(folder.record.commandLine.slice(0, 4)).toEqual(['train', 'data.train.txt', '--validate', 'data.test.txt']);
    expect(text('whole/results.json')).toBe(result.stdout);
    expect(JSON.parse(result.stdout).model).toBe(join('whole', 'model.json'));
    expect(text('whole/report.html')).toMatch(/^<!doctype html>/);
    expect((await folder.readLog()).map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4]);
    const evaluated = await run(['evaluate', 'whole/model.json', 'data.test.txt'], { cwd: directory });
    expect(evaluated.code).toBe(0);
  });

  it('gives the model that training without a folder gives, in --out too', async () => {
    expect((await runFolder(...net('--set', 'epochs=4', '--dir', 'twice', '--out', 'out.json'))).stdout).toContain(
      'model written to out.json\nrun recorded in twice\n',
    );
    await runFolder(...net('--set', 'epochs=4', '--out', 'plain.json'));
    expect(text('out.json')).toBe(text('plain.json'));
    expect(text('twice/model.json')).toBe(text('plain.json'));
  });

  it.skipIf(withoutSignals)('is stopped by Ctrl-C with everything in place, and goes on from there', async () => {
    const { code, stdout } = await endedBy('SIGINT', 'stopped');
    expect(code).toBe(130);
    const { state, record } = await open('stopped');
    expect(state).toBe('stopped');
    expect(record.times.ended).toBeDefined();
    expect(existsSync(file('stopped/report.html'))).toBe(true);
    const { iterations } = JSON.parse(stdout);
    expect(await (await open('stopped')).readLog()).toHaveLength(iterations);
    const epochs = `epochs=${iterations + 5}`;
    expect(await runFolder('--dir', 'stopped', '--resume', '--set', epochs)).toMatchObject({ code: 0 });
    await runFolder(...net('--set', epochs, '--out', 'never-stopped.json'));
    expect(text('stopped/model.json')).toBe(text('never-stopped.json'));
    const after = await open('stopped');
    expect(after.state).toBe('finished');
    expect(after.record.times.resumed).toHaveLength(1);
    expect((await after.readLog()).map(({ iteration }) => iteration)).toEqual(
      Array.from({ length: iterations + 5 }, (_, i) => i + 1),
    );
  });

  it.skipIf(withoutSignals)('is stopped, not dead, when Ctrl-C comes again and again', async () => {
    const child = start(['train', ...net('--set', 'epochs=1000000', '--dir', 'impatient')], { cwd: directory });
    let over = false;
    const ended = new Promise<void>(resolve =>
      child.on('close', () => {
        over = true;
        resolve();
      }),
    );
    while (!existsSync(file('impatient/checkpoint/checkpoint.json'))) await pause(20);
    while (!over) {
      child.kill('SIGINT');
      await pause(1);
    }
    await ended;
    expect((await open('impatient')).state).toBe('stopped');
  });

  it('is seen to be dead after kill -9, and goes on to the same model', async () => {
    await endedBy('SIGKILL', 'killed');
    const folder = await open('killed');
    expect(folder.state).toBe('dead');
    expect(folder.record.status).toBe('running');
    expect(await runFolder(...net('--dir', 'killed'))).toMatchObject({ code: 2 });
    const epoch = JSON.parse(text('killed/checkpoint/checkpoint.json')).state.log.length;
    const epochs = `epochs=${epoch + 5}`;
    expect(await runFolder('--dir', 'killed', '--resume', '--set', epochs)).toMatchObject({ code: 0 });
    await runFolder(...net('--set', epochs, '--out', 'never-killed.json'));
    expect(text('killed/model.json')).toBe(text('never-killed.json'));
    expect((await open('killed')).state).toBe('finished');
    expect(await (await open('killed')).readLog()).toHaveLength(epoch + 5);
  });

  it.skipIf(withoutSignals)('is stopped while it reads its data', async () => {
    const child = start(['train', '-', '--dir', 'reading'], { cwd: directory });
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    while (!existsSync(file('reading/run.json'))) await pause(20);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect((await open('reading')).state).toBe('stopped');
    expect(existsSync(file('reading/heartbeat'))).toBe(false);
  });

  it('keeps the reason of a failure; the next try takes the folder', async () => {
    writeFileSync(file('bad.txt'), '0 qid:1 1:x\n');
    expect((await runFolder('bad.txt', '--dir', 'failed')).code).toBe(2);
    const { state, record } = await open('failed');
    expect(state).toBe('failed');
    expect(record.error).toMatchObject({ code: 'feature-value-invalid' });
    expect((await runFolder(...net('--set', 'epochs=1', '--dir', 'failed'))).code).toBe(0);
    expect((await open('failed')).state).toBe('finished');
  });

  it('starts over by force only', async () => {
    await runFolder(...net('--set', 'epochs=2', '--dir', 'again'));
    const refused = await runFolder(...net('--set', 'epochs=3', '--dir', 'again'));
    expect(refused.stderr).toMatch(
      /^listwise: again: the folder holds a finished run .*--force starts over.* \[run-exists\]\n$/,
    );
    expect(refused.code).toBe(2);
    expect((await runFolder(...net('--set', 'epochs=3', '--dir', 'again', '--force'))).code).toBe(0);
    expect(JSON.parse(text('again/results.json')).iterations).toBe(3);
  });

  it.each([
    [['data.train.txt', '--resume'], '--resume needs --checkpoint DIR or --dir DIR'],
    [
      ['data.train.txt', '--dir', 'x', '--force', '--resume'],
      '--resume does not go with --force: one goes on, the other starts over',
    ],
    [['data.train.txt', '--dir', 'x', '--checkpoint', 'y'], '--checkpoint does not go with --dir'],
    [['--dir', 'nowhere', '--resume'], 'nowhere: not a run folder: it has no run.json'],
    [['data.train.txt', '--dir', 'data.train.txt'], 'data.train.txt: cannot be written: a file is in the way'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await runFolder(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(existsSync(file('x'))).toBe(false);
  });

  it('resumes without naming data only where names mean the same', async () => {
    await runFolder(...net('--set', 'epochs=1', '--dir', 'here'));
    const elsewhere = await run(['train', '--dir', file('here'), '--resume'], { cwd: '/' });
    expect(elsewhere.stderr).toContain(`the run was started in ${directory}; resume it there`);
  });
});
