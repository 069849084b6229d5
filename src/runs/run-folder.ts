/** Run folders: made by commands that record themselves (--dir), read by whatever comes later. */
import { existsSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ListwiseError, quote } from '../errors.js';
import { isObject } from '../io/is-object.js';
import { Lock } from '../io/lock.js';
import { unreadable } from '../io/unreadable.js';
import { unwritable } from '../io/unwritable.js';
import type { IterationRecord } from '../training/iteration-record.js';
import { isAlive, thisProcess } from './heartbeat.js';
import { KEPT_FILES, type KeptFile, RUN_FILES, type RunFile, runPath } from './layout.js';
import { isThere, refuseOthers, remove, removeLeftovers } from './own-files.js';
import { RunRecording } from './recording.js';
import { RUN_FORMAT, type RunRecord, type RunStatus, readRecord } from './run-record.js';
import { textOf } from './text-of.js';

/**
 * What is known of a run before it starts.
 *
 * @example
 * import type { RunStart } from 'listwise/runs';
 *
 * const started = ({ command, seed }: RunStart): string => `${command}, seed ${seed}`;
 */
export type RunStart = Pick<
  RunRecord,
  'command' | 'commandLine' | 'workingDirectory' | 'options' | 'seed' | 'versions' | 'files'
>;

/**
 * As the record's status, but a run whose process has vanished is `dead`.
 *
 * @example
 * import type { RunState } from 'listwise/runs';
 *
 * const alive = (state: RunState): boolean => state === 'running';
 */
export type RunState = RunStatus | 'dead';

/**
 * A line of the log as it is in the file: what is NaN in memory is null there.
 *
 * @example
 * import { type LoggedIteration, RunFolder } from 'listwise/runs';
 *
 * const run = await RunFolder.open('runs/1');
 * const log: LoggedIteration[] = await run.readLog();
 */
export type LoggedIteration = { readonly iteration: number } & {
  readonly [Key in keyof IterationRecord]?: IterationRecord[Key] | null;
};

/**
 * The folder of a run: what was asked for, how it went, and what came of it.
 *
 * @example
 * import { RunFolder } from 'listwise/runs';
 *
 * for (const run of await RunFolder.list('runs')) console.log(run.directory, run.state, run.record.command);
 */
export class RunFolder {
  readonly directory: string;
  readonly record: RunRecord;
  readonly state: RunState;

  private constructor(directory: string, record: RunRecord, state: RunState) {
    this.directory = directory;
    this.record = record;
    this.state = state;
  }

  /**
   * Begins a run in `directory`, which is made where it does not exist. A folder that holds the work of a run is
   * refused unless `resume` goes on with it or `force` starts over; one that is being written to by a live process is
   * always refused.
   */
  static async create(
    directory: string,
    start: RunStart,
    how: { resume?: boolean; force?: boolean } = {},
  ): Promise<RunRecording> {
    // Before looking: what is there cannot change any more.
    const lock = await Lock.take(directory, 'a run is going on in this folder');
    try {
      return await RunFolder.#begin(directory, start, how, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static async #begin(
    directory: string,
    start: RunStart,
    how: { resume?: boolean; force?: boolean },
    lock: Lock,
  ): Promise<RunRecording> {
    const before = await readRecord(directory);
    const kept = KEPT_FILES.filter(file => isThere(runPath(directory, file), file));
    if (how.resume) refuseUnresumable(directory, before, kept, start.command);
    else if (kept.length > 0) {
      if (before === undefined) throw foreign(directory, kept);
      if (!how.force) throw occupied(directory, before, kept);
      refuseOthers(directory, before, kept);
    }
    await removeLeftovers(directory);
    if (!how.resume) for (const file of kept) await remove(directory, file);
    const now = new Date().toISOString();
    const resumed = how.resume ? before : undefined;
    const times = resumed
      ? { started: resumed.times.started, resumed: [...resumed.times.resumed, now] }
      : { started: now, resumed: [] };
    return new RunRecording(
      directory,
      { format: RUN_FORMAT, ...start, data: [], status: 'running', process: thisProcess(), times },
      lock,
      resumed,
    );
  }

  /** A folder that a run was recorded in. */
  static async open(directory: string): Promise<RunFolder> {
    const record = await readRecord(directory);
    if (record === undefined) {
      throw new ListwiseError('run-invalid', `not a run folder: it has no ${RUN_FILES.record}`, { file: directory });
    }
    const dead = record.status === 'running' && !(await isAlive(directory));
    return new RunFolder(directory, record, dead ? 'dead' : record.status);
  }

  /** The run folders right below a directory, the one that was started first at the start. */
  static async list(directory: string): Promise<RunFolder[]> {
    const entries = await readdir(directory, { withFileTypes: true }).catch(error => {
      throw unreadable(directory, error, 'no such directory');
    });
    const folders = entries
      .filter(entry => entry.isDirectory() && existsSync(runPath(join(directory, entry.name), 'record')))
      .map(entry => RunFolder.open(join(directory, entry.name)));
    const key = ({ record, directory: name }: RunFolder) => `${record.times.started} ${name}`;
    return (await Promise.all(folders)).sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }

  /**
   * Takes a run away: its files, and the folder where nothing else is in it. What others have put there stays, and is
   * named. One that is being written to by a live process is refused.
   */
  static async remove(directory: string): Promise<string[]> {
    const { record } = await RunFolder.open(directory);
    const lock = await Lock.take(directory, 'a run is going on in this folder');
    try {
      await removeLeftovers(directory);
      // The record last: until then it is still known what the files are.
      const { files = [...KEPT_FILES] } = record;
      for (const file of [...files, 'description', 'heartbeat', 'record'] as const) await remove(directory, file);
    } catch (error) {
      throw unwritable(directory, error);
    } finally {
      lock.release();
    }
    try {
      const others = await readdir(directory);
      if (others.length === 0) await rmdir(directory);
      return others;
    } catch (error) {
      throw unwritable(directory, error);
    }
  }

  path(file: RunFile): string {
    return runPath(this.directory, file);
  }

  /** The iterations so far. A last line that is still being written is left out. */
  async readLog(): Promise<LoggedIteration[]> {
    const text = textOf(this.path('log')) ?? '';
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    lines.pop();
    return lines.map((line, index) => {
      const entry = parseJson(line);
      if (isObject(entry) && typeof entry.iteration === 'number') return { ...entry, iteration: entry.iteration };
      throw new ListwiseError('run-invalid', `a line of the log is no iteration: ${quote(line)}`, {
        file: this.path('log'),
        line: index + 1,
      });
    });
  }

  /** Whether it has stopped before its end, and there is something to go on from. */
  get canResume(): boolean {
    if (this.state === 'running' || this.state === 'finished') return false;
    const kept = KEPT_FILES.filter(file => existsSync(this.path(file)));
    return kept.length === 0 || kept.includes('checkpoint');
  }

  /** What the command printed with --json; undefined where it has not come so far. */
  async readResults(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const text = textOf(this.path('results'));
    if (text === undefined) return undefined;
    const results = parseJson(text);
    if (isObject(results)) return results;
    throw new ListwiseError('run-invalid', 'the results are no JSON object', { file: this.path('results') });
  }
}

function refuseUnresumable(
  directory: string,
  before: RunRecord | undefined,
  kept: readonly KeptFile[],
  command: string,
): void {
  if (before !== undefined && before.command !== command) {
    throw new ListwiseError('run-exists', `the folder holds a run of ${before.command}, not of ${command}`, {
      file: directory,
    });
  }
  if (kept.length > 0 && !kept.includes('checkpoint')) {
    throw new ListwiseError('run-exists', 'the folder has no checkpoint to go on from; `force: true` starts over', {
      file: directory,
    });
  }
}

/** Only a run's files are taken away: without its record, nobody knows whose they are. */
function foreign(directory: string, kept: readonly KeptFile[]): ListwiseError {
  const files = kept.map(file => RUN_FILES[file]).join(', ');
  return new ListwiseError(
    'run-exists',
    `the folder holds ${files} but no ${RUN_FILES.record}: no run made them; take them away, or name another folder`,
    { file: directory },
  );
}

function occupied(directory: string, before: RunRecord, kept: readonly KeptFile[]): ListwiseError {
  const what = `a ${before.status === 'running' ? 'killed' : before.status} run`;
  const files = kept.map(file => RUN_FILES[file]).join(', ');
  const resume = kept.includes('checkpoint') ? '`resume: true` goes on with it, ' : '';
  return new ListwiseError(
    'run-exists',
    `the folder holds ${what} (${files}); ${resume}\`force: true\` starts over, or name another folder`,
    { file: directory },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
