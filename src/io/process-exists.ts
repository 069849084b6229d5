/** Whether a process of this host is there. Numbers of processes come again: the time of its start tells one apart. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Where a process is, as marks: of the machine, of its start, and of the space that numbers of processes are from, such
 * as that of a container. Alike where the system does not say.
 */
export interface Whereabouts {
  readonly machine: string;
  readonly boot: string;
  readonly space: string;
}

export interface ProcessName {
  readonly pid: number;
  /** When it was started, as a mark of 8 hexadecimal digits: to be compared, not to be read. */
  readonly started: string;
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0); // no signal, only the check
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

let self: ProcessName | undefined;

export function thisProcess(): ProcessName {
  const { pid } = process;
  self ??= { pid, started: look(pid)?.started ?? markOf(String(performance.timeOrigin)) };
  return self;
}

/** Whether this very process is there; a stopped one is. */
export function isProcess({ pid, started }: ProcessName): boolean {
  if (!processExists(pid)) return false;
  const found = look(pid);
  return found === undefined || (found.started === started && !found.ended);
}

/**
 * What Linux says of a process: its state and start are behind its name, which may hold anything. The start is counted
 * from that of the system, which a container may be told another time of: it is never compared with a clock, and goes
 * with the name of this start of the system.
 */
function look(pid: number): { readonly started: string; readonly ended: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { started: markOf(`${boot()} ${fields[19]}`), ended: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined; // other systems
  }
}

let here: Whereabouts | undefined;

/** Of this process. */
export function whereabouts(): Whereabouts {
  here ??= {
    machine: markOf(said(() => readFileSync('/etc/machine-id', 'latin1').trim())),
    boot: markOf(boot()),
    space: markOf(said(() => readlinkSync('/proc/self/ns/pid'))),
  };
  return here;
}

/** Alike for processes that can see each other. */
export function sight(): string {
  const { boot: start, space } = whereabouts();
  return markOf(`${start} ${space}`);
}

/** Whether a file is of the user of this process; yes where users have no numbers. */
export function isOwn({ uid }: { readonly uid: number }): boolean {
  return uid === (process.getuid?.() ?? uid);
}

/** Whether machines can be told from each other. */
export function isMachine(): boolean {
  return whereabouts().machine !== markOf('');
}

function boot(): string {
  return said(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
}

/** Empty on other systems, and where a container hides it. */
function said(look: () => string): string {
  try {
    return look();
  } catch {
    return '';
  }
}

function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
