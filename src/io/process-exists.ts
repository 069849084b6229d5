/** Whether a process of this host is there. Numbers of processes come again: the time of its start tells one apart. */
import { readFileSync } from 'node:fs';

export interface ProcessName {
  readonly pid: number;
  /** When it was started, in a unit of the system's own. */
  readonly started: number;
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
