/**
 * How a reader can tell a run that goes on from one that was killed: the folder is locked by a process that is there.
 * On other hosts and in other containers nobody can look for it; for them a thread of its own touches the file
 * `heartbeat` while the run goes on, however busy the main thread is.
 */
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { holderOf, isUnseen } from '../io/lock.js';
import { Crew } from '../threads/crew.js';
import { runPath } from './layout.js';
import type { RunRecord } from './run-record.js';

/** How often it is touched, and the age from which it says that nobody does. */
export const BEAT_MS = 2000;
export const DEAD_AFTER_MS = 30_000;

export function thisProcess(): RunRecord['process'] {
  return { pid: process.pid, host: hostname() };
}

export class Heartbeat {
  readonly #crew: Crew;

  /** Nothing is reported where the thread fails: the folder was taken away, and writing the next file of it says so. */
  constructor(directory: string) {
    const job = { file: runPath(directory, 'heartbeat'), everyMs: BEAT_MS };
    this.#crew = new Crew(new URL('./heartbeat-worker.js', import.meta.url), [job], { background: true });
  }

  stop(): Promise<void> {
    return this.#crew.close();
  }
}

/** Whether the process that writes the run is still there. */
export async function isAlive(directory: string, now = Date.now()): Promise<boolean> {
  const holder = holderOf(directory);
  if (holder === undefined || !isUnseen(holder)) return holder !== undefined;
  const beat = await stat(runPath(directory, 'heartbeat')).catch(() => undefined);
  return beat !== undefined && now - beat.mtimeMs <= DEAD_AFTER_MS;
}
