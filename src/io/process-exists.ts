/** Whether a process of this host is there. Numbers of processes come again: the time of its start tells one apart. */
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

export interface ProcessName {
  readonly pid: number;
  /** When it was started, in a unit of the system's own. */
  readonly started: number;
}

/** Of the start of a process, since the system was started, on Linux. */
const TICKS_PER_SECOND = 100;

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0); // no signal, only the check
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

/** Clocks of file systems may be off by some. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** Whether the process that had this number at a time, in ms, may be there still; another may have the number now. */
export function maybeStillThere(pid: number, time: number): boolean {
  if (!processExists(pid)) return false;
  const found = look(pid);
  if (found === undefined) return true;
  const began = Date.now() - 1000 * uptime() + (1000 * found.started) / TICKS_PER_SECOND;
  return !found.ended && began < time + CLOCKS_DIFFER_MS;
}

let here: ProcessName | undefined;

export function thisProcess(): ProcessName {
  const { pid } = process;
  here ??= { pid, started: look(pid)?.started ?? Math.round(performance.timeOrigin) };
  return here;
}

/** Whether this very process is there; a stopped one is. */
export function isProcess({ pid, started }: ProcessName): boolean {
  if (!processExists(pid)) return false;
  const found = look(pid);
  return found === undefined || (found.started === started && !found.ended);
}

/** What Linux says of a process: its state and start are behind its name, which may hold anything. */
function look(pid: number): { readonly started: number; readonly ended: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { started: Number(fields[19]), ended: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined; // other systems
  }
}
