/**
 * A run that records itself. `run.json` is replaced as a whole whenever something changes, the log grows line by line,
 * so that a reader can follow and always finds whole files. Writing is synchronous: it must also work when a signal
 * ends the process.
 */
import { closeSync, fsyncSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { Dataset } from '../data/dataset.js';
import { fingerprint } from '../data/fingerprint.js';
import { shareOf } from '../data/share.js';
import type { Lock } from '../io/lock.js';
import { unwritable } from '../io/unwritable.js';
import { openAnew, replaceFile } from '../io/whole-file.js';
import { Heartbeat } from './heartbeat.js';
import { type RunFile, runPath } from './layout.js';
import type { RunRecord, RunStatus } from './run-record.js';

export class RunRecording {
  readonly directory: string;
  #record: RunRecord;
  readonly #before: RunRecord | undefined;
  readonly #heartbeat: Heartbeat;
  readonly #lock: Lock;
  #log: number | undefined;

  /**
   * Use `RunFolder.create`, which looks at what is there first. `before` is the record of the run that is gone on
   * with.
   */
  constructor(directory: string, record: RunRecord, lock: Lock, before?: RunRecord) {
    this.directory = directory;
    this.#record = record;
    this.#lock = lock;
    this.#before = before;
    try {
      // First: whoever reads a run that goes on finds its heartbeat.
      closeSync(openAnew(this.path('heartbeat')));
      this.#write(record);
    } catch (error) {
      throw unwritable(directory, error);
    }
    this.#heartbeat = new Heartbeat(directory);
  }

  get record(): RunRecord {
    return this.#record;
  }

  path(file: RunFile): string {
    return runPath(this.directory, file);
  }

  /** Says what data the run works on. */
  addData(role: string, file: string, data: Dataset): void {
    const { features } = data;
    const { queries, rows: documents } = shareOf(data);
    const entry = { role, file, fingerprint: fingerprint(data), queries, documents, features };
    // Other data is read as the first was.
    if (this.#record.data.length === 0 && data.description !== undefined) {
      replaceFile(this.path('description'), `${JSON.stringify(data.description, undefined, 2)}\n`);
    }
    this.#write({ ...this.#record, data: [...this.#record.data, entry] });
  }

  /**
   * One line of the log, there for readers when this returns. A resumed run tells its iterations from the first again,
   * so the log of the run before is replaced with the first line, not sooner.
   */
  log(entry: object): void {
    try {
      this.#log ??= openAnew(this.path('log'));
      writeFileSync(this.#log, `${JSON.stringify(entry)}\n`); // completes short writes, which writeSync does not
    } catch (error) {
      throw unwritable(this.path('log'), error);
    }
  }

  /** `text` is the JSON object that the command prints. */
  writeResults(text: string): void {
    replaceFile(this.path('results'), `${text}\n`);
  }

  /** The run was asked to end and has yet to save what it has; killed before that, it was stopped all the same. */
  stopping(): void {
    this.#write({ ...this.#record, status: 'stopped' });
  }

  /** The end of the run, in this order: all other files first. */
  async end(status: Exclude<RunStatus, 'running'>, error?: RunRecord['error']): Promise<void> {
    await this.#heartbeat.stop();
    this.endNow(status, error);
  }

  /** As `end`, for a process that is about to end. */
  endNow(status: Exclude<RunStatus, 'running'>, error?: RunRecord['error']): void {
    const times = { ...this.#record.times, ended: new Date().toISOString() };
    // An attempt to go on that came to nothing, such as one with a misspelt file, leaves the run as it was.
    const nothing = this.#log === undefined && status !== 'finished';
    try {
      this.#endLog();
      const last = { ...this.#record, status, times };
      this.#writeLast((nothing && this.#before) || { ...last, ...(error && { error }) }, { ...this.#record, status });
    } finally {
      try {
        rmSync(this.path('heartbeat'), { force: true });
      } catch {} // the record says that the run has ended
      this.#lock.release();
    }
  }

  #endLog(): void {
    const log = this.#log;
    if (log === undefined) return;
    this.#log = undefined;
    try {
      fsyncSync(log);
    } catch (error) {
      throw unwritable(this.path('log'), error);
    } finally {
      closeSync(log);
    }
  }

  /**
   * On a full disk no file can take the place of another; the one that is there is written over, with as much as fits,
   * so that nobody waits for a run that has ended.
   */
  #writeLast(record: RunRecord, short: RunRecord): void {
    const path = this.path('record');
    try {
      this.#write(record);
    } catch (error) {
      const { size, blocks } = statSync(path);
      const texts = [record, short].map(one => Buffer.from(textOf(one)));
      const text = texts.find(({ length }) => length <= Math.max(size, 512 * blocks));
      if (text === undefined) throw error;
      writeFileSync(path, text, { flag: 'r+', flush: true });
      truncateSync(path, text.length);
    }
  }

  #write(record: RunRecord): void {
    this.#record = record;
    replaceFile(this.path('record'), textOf(record));
  }
}

function textOf(record: RunRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}
