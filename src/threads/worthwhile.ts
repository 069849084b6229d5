/**
 * When more threads than the calling one pay: one rule for all that share work out. Nobody knows beforehand how long
 * training takes. So the calling thread works alone until others, had they been there, would have saved as much time
 * as it costs to start them; no more than that is lost by either choice. Time in which others had the processors does
 * not count: threads would have to wait for these, too. Figures: docs/decisions/threads.md.
 */
import { cpuUsage } from 'node:process';

/** In milliseconds. Tests of what threads do set the first to 0: threads are then started at once. */
export const costs = {
  /** Until a thread is up and its code is no longer cold, while those that are wait for it at the end of rounds. */
  start: 400,
  /** Of a round on several threads: they are woken up, and the last one is waited for. */
  round: 0.05,
  /** A round tells how long its rest will take after this: code is cold at first, on the calling thread too. */
  told: 100,
};

/** What threads, the calling one included, save of work that takes one of them so long. */
function savedOf(ms: number, threads: number): number {
  return Math.max(0, ms * (1 - 1 / threads) - costs.round);
}

/** Whether threads are worth starting for work that takes one of them about so long. */
export function isWorthwhile(ms: number, threads: number): boolean {
  return threads > 1 && savedOf(ms, threads) >= costs.start;
}

/** Milliseconds by the clock, and of processors that this process had. */
export interface Clock {
  now(): number;
  processor(): number;
}

const clock: Clock = {
  now: () => performance.now(),
  processor() {
    const { user, system } = cpuUsage();
    return (user + system) / 1000;
  },
};

/** The same for rounds of tasks, while one thread works on them alone. */
export class Worthwhile {
  readonly #threads: number;
  readonly #clock: Clock;
  /** When this was made, by the clock and of processors. */
  readonly #made: readonly [number, number];
  /** What others would have saved in the rounds before. */
  #missed = 0;
  #tasks = 0;
  #began = 0;

  /** Of so many threads, the calling one included. */
  constructor(threads: number, by = clock) {
    this.#threads = threads;
    this.#clock = by;
    this.#made = [by.now(), by.processor()];
  }

  /** A round of so many tasks begins. */
  begin(tasks: number): void {
    this.#tasks = tasks;
    this.#began = this.#clock.now();
  }

  /** Whether it is time to start the others, after so many tasks of the round; to be asked after the last, too. */
  after(done: number): boolean {
    const ms = this.#clock.now() - this.#began;
    const threads = Math.min(this.#threads, this.#tasks);
    const missed = this.#missed + savedOf(ms, threads);
    if (done === this.#tasks) this.#missed = missed;
    const left = ms < costs.told ? 0 : savedOf((ms * (this.#tasks - done)) / done, threads);
    const saved = Math.max(missed, left);
    // Asking for the time of processors takes longer than a short task.
    return saved >= costs.start && saved * this.#shareOfProcessor() >= costs.start;
  }

  /** How much of the time this process had a processor, so far. */
  #shareOfProcessor(): number {
    const [now, processor] = this.#made;
    return Math.min(1, (this.#clock.processor() - processor) / Math.max(1, this.#clock.now() - now));
  }
}
