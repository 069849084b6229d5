/**
 * One writer a folder. A process that is to write puts a file of its own there first, named after itself, and looks
 * after that who else has one: of two that come at once, the later sees the earlier. So no two are let in, and nobody
 * takes away what may be another's: names are never used again. A file of a process that is gone counts for nothing.
 */
import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListwiseError } from '../errors.js';
import { makeFolder } from './durable.js';
import { isProcess, type ProcessName, thisProcess } from './process-exists.js';
import { removedOnSignal } from './temporary-files.js';
import { unwritable } from './unwritable.js';

const NAME = /^lock\.(\d+)\.([0-9a-f]+)\.(.+)$/;
/** Two that come at once may both step back; then each tries again. */
const TRIES = 4;

export class Lock {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Refuses where another process, or this one, writes to the folder; `what` is what goes on there then. */
  static async take(directory: string, what: string): Promise<Lock> {
    makeFolder(directory);
    for (let tries = 1; ; tries++) {
      const lock = Lock.#make(directory);
      const other = lock === undefined ? { ...thisProcess(), host: hostname() } : lock.#other(directory);
      if (lock !== undefined && other === undefined) return lock;
      lock?.release();
      if (lock === undefined || tries === TRIES) throw taken(directory, other!, what);
      await sleep(5 + 40 * Math.random());
    }
  }

  /** Undefined where this process has one already. */
  static #make(directory: string): Lock | undefined {
    const { pid, started } = thisProcess();
    const file = join(directory, `lock.${pid}.${started}.${encodeURIComponent(hostname())}`);
    try {
      closeSync(openSync(file, 'wx'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
      throw unwritable(directory, error);
    }
    removedOnSignal.add(file);
    return new Lock(file);
  }

  /** Another process that is there; what those that are gone have left is taken away. */
  #other(directory: string): Holder | undefined {
    for (const { file, ...holder } of holders(directory)) {
      if (file === this.#file) continue;
      if (isThere(holder)) return holder;
      remove(file);
    }
    return undefined;
  }

  release(): void {
    remove(this.#file);
    removedOnSignal.delete(this.#file);
  }
}

/** As far as the system lets us: a lock of a process that is gone counts for nothing. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}

export interface Holder extends ProcessName {
  readonly host: string;
}

function decoded(host: string): string | undefined {
  try {
    return decodeURIComponent(host);
  } catch {
    return undefined;
  }
}

function* holders(directory: string): Generator<Holder & { readonly file: string }> {
  for (const name of readdirSync(directory)) {
    const [, pid, started, host] = NAME.exec(name) ?? [];
    const of = host === undefined ? undefined : decoded(host);
    // Nobody takes a lock under a name that is no name of a host.
    if (of === undefined) continue;
    yield { pid: Number(pid), started: started!, host: of, file: join(directory, name) };
  }
}

/** Of another host nothing is known: its processes count as there. */
function isThere(holder: Holder): boolean {
  return holder.host !== hostname() || isProcess(holder);
}

/** Who writes to a folder; undefined where nobody does. */
export function holderOf(directory: string): Holder | undefined {
  for (const holder of holders(directory)) if (isThere(holder)) return holder;
  return undefined;
}

function taken(directory: string, { pid, started, host }: Holder, what: string): ListwiseError {
  const file = `lock.${pid}.${started}.${encodeURIComponent(host)}`;
  const gone = host === hostname() ? '' : `; where that process is gone, take away ${file}`;
  return new ListwiseError('run-exists', `${what} (process ${pid} on ${host})${gone}`, { file: directory });
}
