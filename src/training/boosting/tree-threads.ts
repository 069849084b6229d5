/** The one memory of a boosting run and the threads that work on it. */
import { type Dataset, sharedFloat64 } from '../../data/dataset.js';
import { type PortableDataset, toPortable } from '../../data/portable.js';
import type { Objective } from '../../objectives/objective.js';
import type { Portable } from '../../objectives/portable.js';
import type { Steps } from '../../steps.js';
import { TaskCrew } from '../../threads/task-crew.js';
import type { EvaluatedMeasures } from '../evaluated-measures.js';
import { type Layout, planLayout } from './memory/layout.js';
import { fillSeparableTables, separableLambdas } from './memory/separable-tables.js';
import { createNumbers, type TaskNumbers } from './memory/task-numbers.js';
import type { TreeOptions } from './options.js';
import { type Part, partsOf } from './rows/parts.js';
import { rowsForEdges } from './rows/sampling.js';
import { reorderLabels, tieOrder } from './rows/tie-order.js';
import type { TreeTasksJob } from './tasks/task-thread.js';
import { TreeTasks } from './tasks/tree-tasks.js';

export interface TreeEngineJob {
  readonly data: Dataset;
  readonly validate: Dataset | undefined;
  readonly objective: Objective;
  /** What the trees are judged by. */
  readonly measures: EvaluatedMeasures;
  /** Objective and measures for other threads; absent where there can be none. */
  readonly portable: Portable | undefined;
  readonly options: TreeOptions;
  readonly threads: number;
  readonly seed: number;
}

/** Fewer cells than this are not worth starting a thread for. */
const CELLS_FOR_THREADS = 200_000;

/** The job of a thread as it is sent. */
export interface TreeWorkerJob extends Omit<TreeTasksJob, 'data' | 'seen' | 'validation' | 'objective' | 'measures'> {
  readonly data: PortableDataset;
  readonly seen: PortableDataset;
  readonly validation: PortableDataset | undefined;
  readonly portable: Portable;
}

export class TreeThreads {
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
  readonly numbers: TaskNumbers;
  /** Queries of the training data as tasks take them. */
  readonly parts: readonly Part[];
  readonly judged: TreeTasksJob['judged'];
  /** Labels and weights of the training data, documents in tie order. */
  readonly seen: Dataset;
  /** Row of the data behind each row of this run. */
  readonly tieOrder: Uint32Array;
  /** Those of this thread. */
  readonly tasks: TreeTasks;
  readonly #crew: TaskCrew;

  static async start(job: TreeEngineJob): Promise<TreeThreads> {
    const { data, validate, objective, measures, options, seed } = job;
    const cells = data.rows * data.features;
    const threads = job.portable !== undefined && cells >= CELLS_FOR_THREADS ? Math.max(1, job.threads) : 1;
    const parts = partsOf(data);
    let longest = 0;
    for (let q = 0; q < data.queries; q++) longest = Math.max(longest, data.offsets[q + 1]! - data.offsets[q]!);
    const sampleRows = rowsForEdges(data.rows, seed);
    const layout = planLayout({
      rows: data.rows,
      validationRows: validate?.rows ?? 0,
      features: data.features,
      leaves: options.leaves,
      queries: data.queries,
      parts: parts.length,
      longest,
      threads,
      sample: sampleRows.length,
    });
    const memory = new WebAssembly.Memory({ initial: layout.pages, maximum: 65536, shared: true });
    const numbers = createNumbers(options.leaves);
    const order = tieOrder(data, seed);
    const seen = reorderLabels(data, order);
    const byKernel = data.rowWeights === undefined ? separableLambdas(objective) : undefined;
    if (byKernel !== undefined) fillSeparableTables(byKernel.pairs, seen, memory, layout);
    const separable = byKernel?.lambdas;
    const toEvaluate = validate ?? seen;
    const judged = {
      parts: partsOf(toEvaluate),
      values: measures.all.map(() => sharedFloat64(toEvaluate.queries)),
      training: measures.all.slice(0, measures.selecting).map(() => sharedFloat64(data.queries)),
    };
    const shared = {
      memory,
      layout,
      numbers,
      separable,
      sampleRows,
      bins: options.bins,
      tieOrder: order,
      parts,
      judged,
    };
    const tasks = new TreeTasks({
      ...shared,
      thread: 0,
      data,
      seen,
      validation: validate,
      objective,
      measures: measures.all,
    });
    const works = Array.from(
      { length: threads - 1 },
      (_, i): TreeWorkerJob => ({
        ...shared,
        thread: i + 1,
        data: toPortable(data),
        seen: toPortable(seen),
        validation: validate && toPortable(validate),
        portable: job.portable!,
      }),
    );
    const crew = await TaskCrew.start(new URL('./tree-worker.js', import.meta.url), works);
    return new TreeThreads(tasks, { ...shared, seen }, crew);
  }

  private constructor(
    tasks: TreeTasks,
    shared: Pick<TreeTasksJob, 'memory' | 'layout' | 'numbers' | 'parts' | 'judged' | 'seen' | 'tieOrder'>,
    crew: TaskCrew,
  ) {
    this.memory = shared.memory;
    this.layout = shared.layout;
    this.numbers = shared.numbers;
    this.parts = shared.parts;
    this.judged = shared.judged;
    this.seen = shared.seen;
    this.tieOrder = shared.tieOrder;
    this.tasks = tasks;
    this.#crew = crew;
  }

  /** Does a round of tasks. */
  play(kind: number, count: number): void {
    this.#crew.play(this.tasks.run, kind, count);
  }

  /** The same step by step, for tasks that can take long. */
  steps(kind: number, count: number): Steps<void> {
    return this.#crew.steps((own, task) => this.tasks.steps(own, task), kind, count);
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}
