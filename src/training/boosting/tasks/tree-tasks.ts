/**
 * The work that threads share while boosting. The main thread opens rounds of tasks of one kind; every thread, the main
 * one too, has a TreeTasks of its own and takes tasks as they come.
 */
import { atOnce, type Steps } from '../../../steps.js';
import { binningTasks } from './binning-tasks.js';
import { evaluationTasks } from './evaluation-tasks.js';
import { histogramTasks } from './histogram-tasks.js';
import { lambdaTasks } from './lambda-tasks.js';
import { levelTasks } from './level-tasks.js';
import { partitionTasks } from './partition-tasks.js';
import { samplingTasks } from './sampling-tasks.js';
import { scoreTasks } from './score-tasks.js';
import { TaskThread, type TreeTasksJob } from './task-thread.js';

/** Every kind of task by name; a task that can take long comes in steps. */
function tasksOf(thread: TaskThread) {
  return {
    ...binningTasks(thread),
    ...lambdaTasks(thread),
    ...samplingTasks(thread),
    ...histogramTasks(thread),
    ...levelTasks(thread),
    ...partitionTasks(thread),
    ...scoreTasks(thread),
    ...evaluationTasks(thread),
  };
}

export type TaskName = keyof ReturnType<typeof tasksOf>;

export class TreeTasks {
  readonly thread: TaskThread;
  /** By kind: kinds are numbers on the board, the same in every thread. */
  readonly #tasks: readonly ((task: number) => Steps<void> | void)[];
  readonly #names: readonly string[];

  constructor(job: TreeTasksJob) {
    this.thread = new TaskThread(job);
    const tasks = tasksOf(this.thread);
    this.#tasks = Object.values(tasks);
    this.#names = Object.keys(tasks);
  }

  kind(name: TaskName): number {
    return this.#names.indexOf(name);
  }

  /** Does a task; bound, so that it can be handed on. */
  readonly run = (kind: number, task: number): void => {
    const steps = this.#tasks[kind]!(task);
    if (steps) atOnce(steps);
  };

  *steps(kind: number, task: number): Steps<void> {
    const steps = this.#tasks[kind]!(task);
    if (steps) yield* steps;
  }
}
