/**
 * What every task of a thread has at hand: the run, the kernels over the one shared memory, and scratch of the thread's
 * own.
 */
import type { Dataset } from '../../../data/dataset.js';
import type { Measure } from '../../../measures/measure.js';
import { DatasetView } from '../../../measures/query-view.js';
import type { Objective } from '../../../objectives/objective.js';
import { type Columns, planColumns } from '../binning/columns.js';
import type { Layout } from '../memory/layout.js';
import type { SeparableLambdas } from '../memory/separable-tables.js';
import type { TaskNumbers } from '../memory/task-numbers.js';
import type { Part } from '../rows/parts.js';
import { loadTreeKernels, type TreeKernels } from './tree-kernels.js';

export interface TreeTasksJob {
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
  readonly numbers: TaskNumbers;
  readonly thread: number;
  readonly data: Dataset;
  /** Labels and weights of the data, documents in tie order. */
  readonly seen: Dataset;
  readonly validation: Dataset | undefined;
  readonly objective: Objective;
  /** What the separable kernel computes, where lambdas come from it; its tables are in place. */
  readonly separable: SeparableLambdas | undefined;
  /** Rows that bin edges are taken from, ascending. */
  readonly sampleRows: Uint32Array;
  /** Row of the data behind each row of this run: documents of a query stand in tie order. */
  readonly tieOrder: Uint32Array;
  readonly bins: number;
  readonly parts: readonly Part[];
  /** What the trees are judged by, on the validation data or, where there is none, on the training data. */
  readonly measures: readonly Measure[];
  readonly judged: {
    readonly parts: readonly Part[];
    /** By measure and query. */
    readonly values: readonly Float64Array[];
    /** Of the training data, by the first measures: those that select. */
    readonly training: readonly Float64Array[];
  };
}

export class TaskThread {
  readonly job: TreeTasksJob;
  readonly kernels: TreeKernels;
  /** Where the thread's scratch begins. */
  readonly own: number;
  /** The whole memory. */
  readonly floats: Float32Array;
  /** Bins of each feature. */
  readonly bins: Int32Array;
  /** Queries of the training data; tasks in turn find their documents nearly in order. */
  readonly view: DatasetView;
  #columns: Columns | undefined;

  constructor(job: TreeTasksJob) {
    const { memory, layout, thread } = job;
    this.job = job;
    this.kernels = loadTreeKernels(memory);
    this.own = layout.at.threads + thread * layout.threadBytes;
    this.floats = new Float32Array(memory.buffer);
    this.bins = new Int32Array(memory.buffer, layout.at.bins, layout.features);
    this.view = new DatasetView(job.seen, 'input', { remember: true });
  }

  /** Known once every feature has its edges. */
  get columns(): Columns {
    return (this.#columns ??= planColumns(this.bins));
  }
}
