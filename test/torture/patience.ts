/**
 * Tells a process that hangs from one that others leave no time to: what hangs uses a processor and comes to no end, or
 * waits while nothing runs. A process that could run, but may not, or is stopped, is waited for.
 */
import { processesOf } from './processes.js';

/** Seconds on processors, and seconds in which none of the processes wanted one. */
const MOST_USED = 300;
const MOST_IDLE = 120;
/** Where the system does not say what processes do: seconds in all. */
const MOST = 600;

export class Patience {
  readonly #mark: string;
  #usedBefore: number | undefined;
  #idle = 0;
  #looks = 0;

  /** With a batch of this mark. */
  constructor(mark: string) {
    this.#mark = mark;
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
    const processes = processesOf(this.#mark);
    if (processes === undefined) return this.#looks > MOST ? `no end after ${MOST} s` : undefined;
    const used = processes.reduce((sum, { seconds }) => sum + seconds, 0);
    this.#usedBefore ??= used;
    this.#idle = processes.every(({ state }) => state === 'S' || state === 'Z') ? this.#idle + 1 : 0;
    if (used - this.#usedBefore > MOST_USED) return `no end after ${MOST_USED} s on a processor`;
    return this.#idle > MOST_IDLE ? `it waits for ${MOST_IDLE} s, and nothing runs` : undefined;
  }
}
