/**
 * The work that threads share while boosting. The main thread opens rounds of tasks of one kind; every thread, the main
 * one too, has a TreeTasks of its own and takes tasks as they come.
 */
import { atOnce, type Steps } from '../../../steps.js';
import type { Columns } from '../binning/columns.js';
import type { Sums } from '../growth/grower.js';
import { TASK } from '../memory/task-numbers.js';
import { BinningTasks } from './binning-tasks.js';
import { EvaluationTasks } from './evaluation-tasks.js';
import { LambdaTasks } from './lambda-tasks.js';
import { NodeTasks } from './node-tasks.js';
import { ScoreTasks } from './score-tasks.js';
import { TaskThread, type TreeTasksJob } from './task-thread.js';

export class TreeTasks {
  readonly #thread: TaskThread;
  readonly #binning: BinningTasks;
  readonly #lambdas: LambdaTasks;
  readonly #nodes: NodeTasks;
  readonly #scores: ScoreTasks;
  readonly #judging: EvaluationTasks;

  constructor(job: TreeTasksJob) {
    this.#thread = new TaskThread(job);
    this.#binning = new BinningTasks(this.#thread);
    this.#lambdas = new LambdaTasks(this.#thread);
    this.#nodes = new NodeTasks(this.#thread);
    this.#scores = new ScoreTasks(this.#thread);
    this.#judging = new EvaluationTasks(this.#thread);
  }

  readonly #does: Readonly<Record<number, (task: number) => void>> = {
    [TASK.edges]: task => this.#binning.edges(task),
    [TASK.bin]: task => this.#binning.bin(task),
    [TASK.rows]: task => this.#binning.rows(task),
    [TASK.lambdas]: task => atOnce(this.#lambdas.lambda(task)),
    [TASK.quantise]: task => this.#lambdas.quantise(task),
    [TASK.root]: task => this.#nodes.root(task),
    [TASK.childRows]: task => this.#nodes.childRows(task),
    [TASK.children]: task => this.#nodes.children(task),
    [TASK.leafSums]: task => this.#scores.leafSums(task),
    [TASK.addLeaf]: task => this.#scores.addLeaf(task),
    [TASK.addTree]: task => this.#scores.addTree(task),
    [TASK.addTreeToAll]: task => this.#scores.addTreeToAll(task),
    [TASK.partition]: task => this.#nodes.partition(task),
    [TASK.place]: task => this.#nodes.place(task),
    [TASK.evaluate]: task => atOnce(this.#judging.evaluate(task)),
    [TASK.evaluateTraining]: task => atOnce(this.#judging.evaluateTraining(task)),
  };

  /** Does a task; bound, so that it can be handed on. */
  readonly run = (kind: number, task: number): void => this.#does[kind]!(task);

  /** The same step by step: a query of some objectives or measures can take long. */
  *steps(kind: number, task: number): Steps<void> {
    if (kind === TASK.lambdas) yield* this.#lambdas.lambda(task);
    else if (kind === TASK.evaluate) yield* this.#judging.evaluate(task);
    else if (kind === TASK.evaluateTraining) yield* this.#judging.evaluateTraining(task);
    else this.run(kind, task);
  }

  get columns(): Columns {
    return this.#thread.columns;
  }

  /** Sums of the root's rows, from the histogram of any tile. */
  rootSums(tile: number): Sums {
    return this.#nodes.rootSums(tile);
  }
}
