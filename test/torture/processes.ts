/**
 * All processes that a batch has started, as Linux shows them: a browser makes sessions of its own, and some of its
 * processes leave their parent, so that no group and no family holds them all. Their environment tells them apart, and
 * those that hide theirs are in the session of one that does not.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** The variable that a batch gives to all that it starts; its value is the batch's own. */
export const MARK = 'LISTWISE_TORTURE';

export interface Found {
  readonly pid: number;
  readonly state: string;
  readonly session: number;
  /** On processors, with those of its children that have ended. */
  readonly seconds: number;
}

/** Those that are there; undefined where the system does not say. */
export function processesOf(mark: string): Found[] | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  const all = names.flatMap(foundIn);
  const words = `\0${MARK}=${mark}\0`;
  const marked = all.filter(({ pid }) => environmentOf(pid).includes(words));
  const sessions = new Set(marked.map(({ session }) => session));
  return all.filter(({ session }) => sessions.has(session));
}

function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`;
  } catch {
    return ''; // another user's, or it has just ended
  }
}

function foundIn(pid: string): Found[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the name, which may hold blanks: state, parent, group, session; times in hundredths of a second.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(pid), state: fields[0]!, session: Number(fields[3]), seconds: ticks / 100 }];
  } catch {
    return []; // it has just ended
  }
}
