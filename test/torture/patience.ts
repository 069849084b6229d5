/**
 * Tells a process that hangs from one that others leave no time to: what hangs uses a processor and comes to no end, or
 * waits while nothing runs. A process that could run, but may not, or is stopped, is waited for.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Seconds on processors, and seconds in which no process of the group wanted one. */
const MOST_USED = 300;
const MOST_IDLE = 120;
/** Where the system does not say what processes do: seconds in all. */
const MOST = 600;

export class Patience {
  readonly #group: number;
  #usedBefore: number | undefined;
  #idle = 0;
  #looks = 0;

  /** Of a group of processes. */
  constructor(group: number) {
    this.#group = group;
  }

  /** Something was heard. */
  begin(): void {
    this.#usedBefore = undefined;
    this.#idle = 0;
    this.#looks = 0;
  }

  /** To be called once a second, as far as this process itself may run; in words why it hangs, where it does. */
  hangs(): string | undefined {
    this.#looks++;
    const processes = processesOf(this.#group);
    if (processes === undefined) return this.#looks > MOST ? `no end after ${MOST} s` : undefined;
    const used = processes.reduce((sum, { seconds }) => sum + seconds, 0);
    this.#usedBefore ??= used;
    this.#idle = processes.every(({ state }) => state === 'S' || state === 'Z') ? this.#idle + 1 : 0;
    if (used - this.#usedBefore > MOST_USED) return `no end after ${MOST_USED} s on a processor`;
    return this.#idle > MOST_IDLE ? `it waits for ${MOST_IDLE} s, and nothing runs` : undefined;
  }
}

interface Found {
  readonly state: string;
  /** On processors, with those of its children that have ended. */
  readonly seconds: number;
}

/** Undefined where the system does not say. */
function processesOf(group: number): Found[] | undefined {
  try {
    return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? foundIn(name, group) : []));
  } catch {
    return undefined;
  }
}

function foundIn(pid: string, group: number): Found[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may hold blanks: state, parent, group; times in hundredths of a second from the twelfth.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[2]) !== group) return [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ state: fields[0]!, seconds: ticks / 100 }];
  } catch {
    return []; // it has just ended
  }
}
