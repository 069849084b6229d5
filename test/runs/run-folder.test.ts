import fs, {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fingerprint } from '#listwise/data/fingerprint.js';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { lockName } from '#listwise/io/lock.js';
import { isMachine, thisProcess, whereabouts } from '#listwise/io/process-exists.js';
import { BEAT_MS, DEAD_AFTER_MS, isAlive } from '#listwise/runs/heartbeat.js';
import { RunFolder, type RunStart } from '#listwise/runs/run-folder.js';
import { parseRecord, type RunRecord, runSchema } from '#listwise/runs/run-record.js';
import { withoutLinks } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';

const root = temporaryDirectory();
let count = 0;
let directory = '';
beforeEach(() => {
  directory = join(root, `run${count++}`);
});

const start: RunStart = {
  command: 'train',
  commandLine: ['train', 'data.txt'],
  workingDirectory: '/',
  options: { model: 'trees', options: { trees: 10 } },
  seed: 3,
  files: ['log', 'model', 'results', 'report', 'checkpoint'],
  versions: { listwise: '0.1.0', node: '20.0.0' },
};
const write = (name: string, text = '') => writeFileSync(join(directory, name), text);
const onDisk = () => JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')) as RunRecord;

/** A process number that no process has. */
const NOBODY = 2 ** 22 + 1;

describe('a recording', () => {
  it('is running with this process until it ends', async () => {
    const run = await RunFolder.create(directory, start);
    expect(onDisk()).toMatchObject({
      ...start,
      format: 'listwise/run/1',
      status: 'running',
      data: [],
      process: { pid: process.pid, host: hostname() },
    });
    expect((await RunFolder.open(directory)).state).toBe('running');
    await run.end('finished');
    expect(onDisk().status).toBe('finished');
    const { started, ended, resumed } = onDisk().times;
    expect(resumed).toEqual([]);
    expect(Date.parse(ended!)).toBeGreaterThanOrEqual(Date.parse(started));
    expect(readdirSync(directory)).toEqual(['run.json']);
  });

  it('is not running any more where the disk was full at its end', async () => {
    const run = await RunFolder.create(directory, start);
    vi.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw Object.assign(new Error('no'), { code: 'ENOSPC', syscall: 'rename' });
    });
    syncBuiltinESMExports();
    await run.end('failed', { code: 'file-unwritable', message: 'x'.repeat(9000) });
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    expect(onDisk()).toMatchObject({ ...start, status: 'failed' });
    expect(onDisk().error).toBeUndefined();
    expect(readdirSync(directory)).toEqual(['run.json']);
  });

  it('ends where its heartbeat and its lock cannot be taken away', async () => {
    const run = await RunFolder.create(directory, start);
    vi.spyOn(fs, 'rmSync').mockImplementation(() => {
      throw Object.assign(new Error('no'), { code: 'EIO', syscall: 'unlink' });
    });
    syncBuiltinESMExports();
    await run.end('finished');
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    expect(onDisk().status).toBe('finished');
  });

  it('names its data and what it holds', async () => {
    const data = generateDataset('cubic', { queries: 3, documents: 4, features: 5, seed: 1 });
    const run = await RunFolder.create(directory, start);
    run.addData('train', 'data.txt', data);
    await run.end('finished');
    expect(onDisk().data).toEqual([
      { role: 'train', file: 'data.txt', fingerprint: fingerprint(data), queries: 3, documents: 12, features: 5 },
    ]);
  });

  it('can be followed line by line; a half-written line is not read', async () => {
    const run = await RunFolder.create(directory, start);
    const folder = await RunFolder.open(directory);
    expect(await folder.readLog()).toEqual([]);
    run.log({ iteration: 1, cost: Number.NaN });
    expect(await folder.readLog()).toEqual([{ iteration: 1, cost: null }]);
    run.log({ iteration: 2, cost: 0.5 });
    appendFileSync(run.path('log'), '{"iteration":3,"co');
    expect(await folder.readLog()).toEqual([
      { iteration: 1, cost: null },
      { iteration: 2, cost: 0.5 },
    ]);
    await run.end('finished');
  });

  it('keeps results and the reason of a failure', async () => {
    const run = await RunFolder.create(directory, start);
    const folder = await RunFolder.open(directory);
    expect(await folder.readResults()).toBeUndefined();
    run.writeResults('{"schema":"listwise/train/1"}');
    expect(await folder.readResults()).toEqual({ schema: 'listwise/train/1' });
    await run.end('failed', { code: 'data-empty', message: 'no documents' });
    expect(onDisk()).toMatchObject({ status: 'failed', error: { code: 'data-empty', message: 'no documents' } });
  });

  it('touches its heartbeat while the main thread is busy', async () => {
    const run = await RunFolder.create(directory, start);
    utimesSync(run.path('heartbeat'), 0, 0);
    const late = Date.now() + 10 * BEAT_MS;
    while (statSync(run.path('heartbeat')).mtimeMs === 0) if (Date.now() > late) break;
    expect(statSync(run.path('heartbeat')).mtimeMs).toBeGreaterThan(0);
    await run.end('finished');
    expect(existsSync(run.path('heartbeat'))).toBe(false);
  });
});

describe('whether a run goes on', () => {
  const here = { ...thisProcess(), ...whereabouts(), host: hostname() };
  const other = '00000000';

  async function left(owner: Partial<typeof here>, ageMs: number): Promise<string> {
    const run = await RunFolder.create(directory, start);
    await run.end('finished');
    const { ended: _, ...times } = run.record.times;
    const { pid, host } = { ...here, ...owner };
    write('run.json', JSON.stringify({ ...run.record, times, status: 'running', process: { pid, host } }));
    write(lockName({ ...here, ...owner }));
    write('heartbeat');
    const then = (Date.now() - ageMs) / 1000;
    utimesSync(join(directory, 'heartbeat'), then, then);
    return (await RunFolder.open(directory)).state;
  }

  it.each([
    ['a process that is there', {}, 0, 'running'],
    ['a process that is there and was stopped a while ago', {}, DEAD_AFTER_MS + 1000, 'running'],
    ['a process that is gone', { pid: NOBODY }, 0, 'dead'],
    ['another host', { pid: NOBODY, host: 'elsewhere' }, 0, 'running'],
    ['another host, silent', { pid: NOBODY, host: 'elsewhere' }, DEAD_AFTER_MS + 1000, 'dead'],
    ['another container of the same name', { pid: NOBODY, space: other }, 0, 'running'],
    ['another container of the same name, silent', { pid: NOBODY, space: other }, DEAD_AFTER_MS + 1000, 'dead'],
    ['another machine of the same name', { pid: NOBODY, machine: other, boot: other }, 0, 'running'],
  ])('%s', async (_, owner, age, state) => {
    expect(await left(owner, age)).toBe(state);
  });

  it.runIf(process.platform === 'linux')('a process number that another process has by now', async () => {
    expect(await left({ started: '00000000' }, 0)).toBe('dead');
  });

  it('without a lock it does not', async () => {
    const run = await RunFolder.create(directory, start);
    await run.end('finished');
    expect(await isAlive(directory)).toBe(false);
  });

  it('what a process that is gone has left is taken over, what one of another host has is not', async () => {
    expect(await left({ pid: NOBODY }, 0)).toBe('dead');
    await (await RunFolder.create(directory, start)).end('finished');
    expect(readdirSync(directory).filter(name => name.startsWith('lock'))).toEqual([]);
    for (const owner of [{ host: 'elsewhere' }, { space: other }, { boot: other, machine: other }]) {
      const lock = lockName({ ...here, ...owner, pid: 7, started: '7' });
      write(lock);
      await expect(RunFolder.create(directory, start, { force: true })).rejects.toThrow(
        `a run is going on in this folder (process 7 on ${owner.host ?? `${hostname()}, which cannot be seen from here`}); where that process is gone, take away ${lock}`,
      );
      rmSync(join(directory, lock));
    }
  });

  it.skipIf(!isMachine())('a process of before the machine was started again is gone', async () => {
    expect(await left({ boot: other }, 0)).toBe('dead');
    await (await RunFolder.create(directory, start, { force: true })).end('finished');
  });
});

describe('a folder that is not empty', () => {
  async function finished(): Promise<void> {
    const run = await RunFolder.create(directory, start);
    run.log({ iteration: 1 });
    run.writeResults('{}');
    mkdirSync(run.path('checkpoint'));
    writeFileSync(run.path('model'), 'the model');
    await run.end('finished');
  }

  it('is not written over', async () => {
    await finished();
    const before = readFileSync(join(directory, 'run.json'), 'utf8');
    await expect(RunFolder.create(directory, start)).rejects.toThrow(
      'the folder holds a finished run (log.jsonl, model.json, results.json, checkpoint); `resume: true` goes on with it, `force: true` starts over, or name another folder',
    );
    expect(readFileSync(join(directory, 'run.json'), 'utf8')).toBe(before);
  });

  it('is emptied of the run, and of nothing else, by force', async () => {
    await finished();
    write('notes.md', 'mine');
    const run = await RunFolder.create(directory, start, { force: true });
    expect(readdirSync(directory).sort()).toEqual([
      'heartbeat',
      expect.stringMatching(/^lock\./),
      'notes.md',
      'run.json',
    ]);
    await run.end('finished');
  });

  it('keeps what is not ours among the checkpoints by force, and is refused where it is in the way', async () => {
    await finished();
    const checkpoint = join(directory, 'checkpoint');
    mkdirSync(join(checkpoint, 'refit-3'));
    const own = [
      'checkpoint.json',
      'folds.jsonl',
      'refit-3/checkpoint.json',
      lockName({ ...whereabouts(), host: hostname(), pid: NOBODY, started: '01234567' }),
    ];
    for (const name of own) writeFileSync(join(checkpoint, name), 'ours');
    writeFileSync(join(checkpoint, 'notes.txt'), 'mine');
    await (await RunFolder.create(directory, start, { force: true })).end('finished');
    expect(readdirSync(checkpoint)).toEqual(['notes.txt']);
    write('scores.txt', 'mine'); // no run here has made scores
    await expect(RunFolder.create(directory, start, { force: true })).rejects.toThrow(
      'the run in this folder did not make scores.txt; take that away, or name another folder',
    );
    expect(await RunFolder.remove(directory)).toEqual(['checkpoint', 'scores.txt']);
    expect(readFileSync(join(directory, 'scores.txt'), 'utf8')).toBe('mine');
  });

  it.skipIf(withoutLinks)('a log that was put there as a link is not followed', async () => {
    mkdirSync(directory);
    const victim = join(temporaryDirectory(), 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, join(directory, 'log.jsonl'));
    const run = await RunFolder.create(directory, start, { resume: true }).catch(() => undefined);
    expect(run).toBeUndefined(); // nothing to go on from
    rmSync(join(directory, 'log.jsonl'));
    const begun = await RunFolder.create(directory, start);
    symlinkSync(victim, join(directory, 'log.jsonl'));
    begun.log({ iteration: 1 });
    await begun.end('finished');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(await (await RunFolder.open(directory)).readLog()).toEqual([{ iteration: 1 }]);
  });

  it.skipIf(process.platform === 'win32')('a log that only its owner may read stays one', async () => {
    await finished();
    mkdirSync(join(directory, 'checkpoint'), { recursive: true });
    chmodSync(join(directory, 'log.jsonl'), 0o600);
    const run = await RunFolder.create(directory, start, { resume: true });
    run.log({ iteration: 1 });
    await run.end('finished');
    expect(statSync(join(directory, 'log.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('is taken where it holds nothing of a run, or a run that came to nothing', async () => {
    mkdirSync(directory);
    write('notes.md', 'mine');
    await (await RunFolder.create(directory, start)).end('failed', { code: 'usage', message: 'a typing mistake' });
    await (await RunFolder.create(directory, start)).end('finished');
    expect(onDisk()).toMatchObject({ status: 'finished' });
    expect(onDisk().error).toBeUndefined();
  });

  it('is refused where a model lies there without a run', async () => {
    mkdirSync(directory);
    write('model.json', '{}');
    for (const how of [{}, { force: true }]) {
      await expect(RunFolder.create(directory, start, how)).rejects.toThrow(
        'the folder holds model.json but no run.json: no run made them',
      );
    }
    expect(readFileSync(join(directory, 'model.json'), 'utf8')).toBe('{}');
  });

  it('is refused while a run goes on, even by force', async () => {
    const run = await RunFolder.create(directory, start);
    for (const how of [{}, { force: true }, { resume: true }]) {
      await expect(RunFolder.create(directory, start, how)).rejects.toThrow(
        `a run is going on in this folder (process ${process.pid} on ${hostname()})`,
      );
    }
    await run.end('finished');
  });

  it('is gone on with: all is kept, the time is noted, half-written files go', async () => {
    await finished();
    write('model.json.123.01234567.0123456789ab.tmp', 'half');
    write('other.123.01234567.0123456789ab.tmp', 'not ours');
    const { started } = onDisk().times;
    const run = await RunFolder.create(directory, { ...start, seed: 4 }, { resume: true });
    expect(onDisk()).toMatchObject({ status: 'running', seed: 4, times: { started } });
    expect(onDisk().times.resumed).toHaveLength(1);
    expect(readdirSync(directory)).toEqual(
      expect.arrayContaining(['model.json', 'other.123.01234567.0123456789ab.tmp', 'log.jsonl']),
    );
    expect(readdirSync(directory)).not.toContain('model.json.123.01234567.0123456789ab.tmp');
    run.log({ iteration: 1, again: true });
    expect(await (await RunFolder.open(directory)).readLog()).toEqual([{ iteration: 1, again: true }]);
    await run.end('stopped');
    expect(onDisk().status).toBe('stopped');
  });

  it('is as it was after an attempt to go on that came to nothing', async () => {
    await finished();
    const before = readFileSync(join(directory, 'run.json'), 'utf8');
    const run = await RunFolder.create(directory, { ...start, seed: 4 }, { resume: true });
    await run.end('failed', { code: 'file-not-found', message: 'no such file' });
    expect(readFileSync(join(directory, 'run.json'), 'utf8')).toBe(before);
    expect(readFileSync(join(directory, 'log.jsonl'), 'utf8')).toBe('{"iteration":1}\n');
  });

  it('is not gone on with by another command, or without a checkpoint', async () => {
    await finished();
    await expect(RunFolder.create(directory, { ...start, command: 'tune' }, { resume: true })).rejects.toThrow(
      'the folder holds a run of train, not of tune',
    );
    directory += 'b';
    const run = await RunFolder.create(directory, start);
    run.log({ iteration: 1 });
    await run.end('stopped');
    await expect(RunFolder.create(directory, start, { resume: true })).rejects.toThrow('no checkpoint to go on from');
  });
});

describe('reading', () => {
  it('lists the runs below a directory in the order of their start', async () => {
    mkdirSync(join(directory, 'no run'), { recursive: true });
    for (const name of ['b', 'a']) {
      await (await RunFolder.create(join(directory, name), start)).end('finished');
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    expect((await RunFolder.list(directory)).map(run => run.directory)).toEqual([
      join(directory, 'b'),
      join(directory, 'a'),
    ]);
    await expect(RunFolder.list(join(directory, 'c'))).rejects.toThrow('no such directory');
  });

  it.each([
    ['no JSON', '{', 'not the record of a run: it is no JSON'],
    ['another format', '{"format":"x"}', '"format": Invalid input: expected "listwise/run/1"'],
    ['a status that there is not', '{"status":"lost"}', '"status"'],
  ])('says what is wrong with a record: %s', (_, text, message) => {
    const record = text.startsWith('{"status')
      ? { ...start, format: 'listwise/run/1', data: [], process: { pid: 1, host: '' }, status: 'lost' }
      : undefined;
    const file = join(directory, 'run.json');
    const full = record && { ...record, times: { started: new Date().toISOString(), resumed: [] } };
    expect(() => parseRecord(full ? JSON.stringify(full) : text, file)).toThrow(message);
  });

  it('says so where there is no run, no result, no iteration', async () => {
    await expect(RunFolder.open(directory)).rejects.toThrow(`${directory}: not a run folder: it has no run.json`);
    const run = await RunFolder.create(directory, start);
    write('log.jsonl', '{"iteration":1}\nnonsense\n');
    write('results.json', '[]');
    const folder = await RunFolder.open(directory);
    await expect(folder.readLog()).rejects.toThrow('log.jsonl:2: a line of the log is no iteration: "nonsense"');
    await expect(folder.readResults()).rejects.toThrow('the results are no JSON object');
    await run.end('finished');
  });

  it('has a JSON schema', () => {
    expect(runSchema()).toMatchObject({ type: 'object', properties: { status: { type: 'string' } } });
  });
});
