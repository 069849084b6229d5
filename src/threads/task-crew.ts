/** A crew that works on a task board with the calling thread: no message a task. */
import { inOneStep, type Steps } from '../steps.js';
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
    const board = createTaskBoard();
    const crew = new Crew(module, jobs, { board });
    await crew.ready;
    return new TaskCrew(board, crew);
  }

  /** Threads at work, the calling one included. */
  get threads(): number {
    return 1 + this.#crew.size;
  }

  /** See `playTasks`. */
  play(run: TaskRunner, kind: number, count: number): void {
    playTasks(this.#board, run, kind, count);
  }

  /** See `taskSteps`. */
  steps(run: StepRunner, kind: number, count: number): Steps<void> {
    return taskSteps(this.#board, run, kind, count);
  }

  /** The same for short tasks. */
  shortSteps(run: TaskRunner, kind: number, count: number): Steps<void> {
    return this.steps((_, task) => inOneStep(() => run(kind, task)), kind, count);
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}
