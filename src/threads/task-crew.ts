/** A crew that works on a task board with the calling thread: no message a task. */
import { inOneStep, partOf, type Steps } from '../steps.js';
import { Crew } from './crew.js';
import {
  createTaskBoard,
  playTasks,
  type StepRunner,
  type TaskBoard,
  type TaskRunner,
  taskSteps,
} from './task-board.js';
import { isWorthwhile, Worthwhile } from './worthwhile.js';

/** Threads that may be started later. */
interface Others {
  readonly worthwhile: Worthwhile;
  start(): Crew;
}

/** Threads that live as long as a run work in shared memory: room for more new objects would be memory for nothing. */
const YOUNG_MEGABYTES = 2;

/** Work between two steps: a step for each of very short tasks would take longer than they. */
const SHORT_MS = 5;

export class TaskCrew {
  readonly #board: TaskBoard;
  #crew: Crew | undefined;
  #others: Others | undefined;

  /** One thread a job, beside the caller's; every thread is up when this comes back. */
  static async start(module: URL, jobs: readonly unknown[]): Promise<TaskCrew> {
    const crew = new TaskCrew(1 + jobs.length);
    if (jobs.length === 0) return crew;
    crew.#crew = new Crew(module, jobs, { board: crew.#board, youngMegabytes: YOUNG_MEGABYTES });
    await crew.ready;
    return crew;
  }

  /**
   * So many threads beside the caller's, at most: they are started when that pays (see worthwhile.ts), and tasks are
   * done without those that are not up yet. One that cannot start fails the next round. Not for tasks that wait for
   * each other.
   */
  static late(module: URL, others: number, jobOf: (thread: number) => unknown): TaskCrew {
    const crew = new TaskCrew(1 + Math.max(0, others));
    if (others <= 0) return crew;
    const start = () => {
      const jobs = Array.from({ length: others }, (_, i) => jobOf(1 + i));
      return new Crew(module, jobs, { board: crew.#board });
    };
    crew.#others = { worthwhile: new Worthwhile(1 + others), start };
    // Only where starting costs nothing: no work is known of.
    if (isWorthwhile(0, 1 + others)) crew.#startOthers();
    return crew;
  }

  private constructor(threads: number) {
    this.#board = createTaskBoard(threads);
  }

  /** When the threads that were started are up. */
  get ready(): Promise<void> {
    return this.#crew?.ready ?? Promise.resolve();
  }

  /** Threads at work, the calling one included. */
  get threads(): number {
    return 1 + (this.#crew?.size ?? 0);
  }

  /** See `playTasks`. */
  play(run: TaskRunner, kind: number, count: number): void {
    let task = 0;
    for (let alone = this.#begin(count); alone && task < count; alone = this.#goOn(task)) run(kind, task++);
    if (task < count) playTasks(this.#board, run, kind, count, task);
  }

  /** See `taskSteps`. */
  *steps(run: StepRunner, kind: number, count: number): Steps<void> {
    let task = 0;
    for (let alone = this.#begin(count); alone && task < count; alone = this.#goOn(++task)) {
      yield* partOf(run(kind, task), task / count, (task + 1) / count);
    }
    if (task < count) yield* taskSteps(this.#board, run, kind, count, task);
  }

  /** The same for short tasks. */
  *shortSteps(run: TaskRunner, kind: number, count: number): Steps<void> {
    let task = 0;
    let begun = performance.now();
    for (let alone = this.#begin(count); alone && task < count; alone = this.#goOn(task)) {
      run(kind, task++);
      if (performance.now() - begun < SHORT_MS) continue;
      yield task / count;
      begun = performance.now();
    }
    if (task < count) yield* taskSteps(this.#board, (_, own) => inOneStep(() => run(kind, own)), kind, count, task);
  }

  /** Whether the caller's thread begins a round alone. */
  #begin(count: number): boolean {
    this.#others?.worthwhile.begin(count);
    return this.#crew === undefined;
  }

  /** Whether it goes on alone after so many tasks. */
  #goOn(done: number): boolean {
    if (!this.#others?.worthwhile.after(done)) return true;
    this.#startOthers();
    return false;
  }

  #startOthers(): void {
    this.#crew = this.#others?.start();
    this.#others = undefined;
  }

  async close(): Promise<void> {
    this.#others = undefined;
    await this.#crew?.close();
  }
}
