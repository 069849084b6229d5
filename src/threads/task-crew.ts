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

export class TaskCrew {
  readonly #board: TaskBoard;
  readonly #crew: Crew;

  private constructor(board: TaskBoard, crew: Crew) {
    this.#board = board;
    this.#crew = crew;
  }

  /** One thread a job, beside the caller's; every thread is up when this comes back. */
  static async start(module: URL, jobs: readonly unknown[]): Promise<TaskCrew> {
    const crew = TaskCrew.startMeanwhile(module, jobs);
    await crew.#crew.ready;
    return crew;
  }

  /**
   * The same without waiting: tasks are done without the threads that are not up yet. One that cannot start fails the
   * next round. Not for tasks that wait for each other.
   */
  static startMeanwhile(module: URL, jobs: readonly unknown[]): TaskCrew {
    const board = createTaskBoard();
    return new TaskCrew(board, new Crew(module, jobs, { board }));
  }

  /** Threads at work, the calling one included. */
  get threads(): number {
    return 1 + this.#crew.size;
  }

  /** See `playTasks`. */
  play(run: TaskRunner, kind: number, count: number): void {
    if (this.#crew.size > 0) playTasks(this.#board, run, kind, count);
    else for (let task = 0; task < count; task++) run(kind, task);
  }

  /** See `taskSteps`. */
  steps(run: StepRunner, kind: number, count: number): Steps<void> {
    return this.#crew.size > 0 ? taskSteps(this.#board, run, kind, count) : aloneSteps(run, kind, count);
  }

  /** The same for short tasks. */
  shortSteps(run: TaskRunner, kind: number, count: number): Steps<void> {
    if (this.#crew.size === 0) return shortSteps(run, kind, count);
    return this.steps((_, task) => inOneStep(() => run(kind, task)), kind, count);
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}

function* aloneSteps(run: StepRunner, kind: number, count: number): Steps<void> {
  for (let task = 0; task < count; task++) {
    yield* partOf(run(kind, task), task / count, (task + 1) / count);
  }
}

/** Work between two steps: a step for each of very short tasks would take longer than they. */
const SHORT_MS = 5;

function* shortSteps(run: TaskRunner, kind: number, count: number): Steps<void> {
  let begun = performance.now();
  for (let task = 0; task < count; task++) {
    run(kind, task);
    if (performance.now() - begun < SHORT_MS) continue;
    yield (task + 1) / count;
    begun = performance.now();
  }
}
