/** Whether a process of this host is there. Numbers of processes come again: the time of its start tells one apart. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

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

let here: ProcessName | undefined;

export function thisProcess(): ProcessName {
  const { pid } = process;
  here ??= { pid, started: look(pid)?.started ?? markOf(String(performance.timeOrigin)) };
  return here;
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

function boot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return ''; // some containers hide it
  }
}

function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
