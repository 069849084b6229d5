/**
 * One writer a folder. A process that is to write puts a file of its own there first, named after itself, and looks
 * after that who else has one: of two that come at once, the later sees the earlier. So no two are let in, and nobody
 * takes away what may be another's: names are never used again. A file of a process that is gone counts for nothing;
 * one of a process that cannot be seen, on another host or in another container, counts as if it were there.
 */
import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListwiseError } from '../errors.js';
import { makeFolder } from './durable.js';
import {
  isMachine,
  isProcess,
  type ProcessName,
  thisProcess,
  type Whereabouts,
  whereabouts,
} from './process-exists.js';
import { removedOnSignal } from './temporary-files.js';
import { unwritable } from './unwritable.js';

/** Process, its start, where it is (machine, start of that, space of processes), and the name of the host. */
const NAME = /^lock\.(\d+)\.([0-9a-f]+)\.([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})\.(.+)$/;
/** Two that come at once may both step back; then each tries again. */
const TRIES = 4;

export class Lock {
  readonly #file: string;
  /** A process that cannot be seen from here and may have the lock, too. */
  #beside: Holder | undefined;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Refuses where another process, or this one, writes to the folder; `what` is what goes on there then. */
  static async take(directory: string, what: string): Promise<Lock> {
    return Lock.#take(directory, what, false);
  }

  static async #take(directory: string, what: string, isBesideUnseen: boolean): Promise<Lock> {
    makeFolder(directory);
    for (let tries = 1; ; tries++) {
      const lock = Lock.#make(directory);
      const other = lock === undefined ? self() : lock.#other(directory);
      if (lock !== undefined && (other === undefined || (isBesideUnseen && isUnseen(other)))) {
        lock.#beside = other;
        return lock;
      }
      lock?.release();
      if (lock === undefined || tries === TRIES) throw taken(directory, other!, what);
      await sleep(5 + 40 * Math.random());
    }
  }

  /**
   * The same, but one that cannot be seen from here keeps nobody out: a container that was killed never says that it is
   * gone. For work that several can do in one folder; `beside` says who may be there.
   */
  static async takeBeside(directory: string, what: string): Promise<Lock> {
    return Lock.#take(directory, what, true);
  }

  /** Who may have the lock, too, and what to do about it. */
  get beside(): string | undefined {
    return this.#beside && named(this.#beside);
  }

  /** Undefined where this process has one already. */
  static #make(directory: string): Lock | undefined {
    const file = join(directory, lockName(self()));
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
    let unseen: Holder | undefined;
    for (const { file, ...holder } of holders(directory)) {
      if (file === this.#file) continue;
      const state = stateOf(holder);
      if (state === 'there') return holder;
      if (state === 'unseen') unseen = holder;
      else remove(file);
    }
    return unseen;
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

export interface Holder extends ProcessName, Whereabouts {
  readonly host: string;
}

function self(): Holder {
  return { ...thisProcess(), ...whereabouts(), host: hostname() };
}

/** The file that says that a process has the lock. */
export function lockName({ pid, started, machine, boot, space, host }: Holder): string {
  return `lock.${pid}.${started}.${machine}-${boot}-${space}.${encodeURIComponent(host)}`;
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
    const [, pid, started, machine, boot, space, host] = NAME.exec(name) ?? [];
    const of = host === undefined ? undefined : decoded(host);
    // Nobody takes a lock under a name that is no name of a host.
    if (of === undefined) continue;
    const where = { machine: machine!, boot: boot!, space: space!, host: of };
    yield { pid: Number(pid), started: started!, ...where, file: join(directory, name) };
  }
}

/** Whether a process is there; unseen where nobody here can tell. */
function stateOf(holder: Holder): 'there' | 'gone' | 'unseen' {
  const { machine, boot, space, host } = self();
  if (holder.host !== host) return 'unseen';
  // Machines may have one name, and containers are often told none of the machine.
  if (holder.boot !== boot) return holder.machine === machine && isMachine() ? 'gone' : 'unseen';
  // Containers of one machine may have one name, too, and see their own processes only.
  if (holder.space !== space) return 'unseen';
  return isProcess(holder) ? 'there' : 'gone';
}

function isThere(holder: Holder): boolean {
  return stateOf(holder) !== 'gone';
}

/** Whether a process that counts as there cannot be looked for from here. */
export function isUnseen(holder: Holder): boolean {
  return stateOf(holder) === 'unseen';
}

/** Who writes to a folder; undefined where nobody does. */
export function holderOf(directory: string): Holder | undefined {
  for (const holder of holders(directory)) if (isThere(holder)) return holder;
  return undefined;
}

function taken(directory: string, holder: Holder, what: string): ListwiseError {
  return new ListwiseError('run-exists', `${what} ${named(holder)}`, { file: directory });
}

function named(holder: Holder): string {
  const { pid, host } = holder;
  const where = `${host}${isUnseen(holder) && host === hostname() ? ', which cannot be seen from here' : ''}`;
  const gone = isUnseen(holder) ? `; where that process is gone, take away ${lockName(holder)}` : '';
  return `(process ${pid} on ${where})${gone}`;
}
