/** The one memory of a boosting run and the threads that work on it. */

import { type Dataset, sharedFloat64 } from '../../data/dataset.js';
import { longestQuery } from '../../data/longest-query.js';
import { type Part, partsOf } from '../../data/parts.js';
import { type PortableDataset, toPortable } from '../../data/portable.js';
import type { LearnedMemories } from '../../objectives/learning.js';
import type { Objective } from '../../objectives/objective.js';
import type { PairPlan } from '../../objectives/pairs/pair-plan.js';
import type { Portable } from '../../objectives/portable.js';
import { alone, type Transport } from '../../ranks/transport.js';
import type { Steps } from '../../steps.js';
import { TaskCrew } from '../../threads/task-crew.js';
import { isWorthwhile } from '../../threads/worthwhile.js';
import type { EvaluatedMeasures } from '../evaluated-measures.js';
import { levelBins } from './binning/level-bins.js';
import { groupsOf } from './growth/interactions.js';
import { directionsOf } from './growth/monotone.js';
import { type Layout, planLayout } from './memory/layout.js';
import { type RunMemory, runMemory } from './memory/run-memory.js';
import { fillSeparableTables, separableLambdas } from './memory/separable-tables.js';
import type { TreeOptions } from './options.js';
import { edgeSample } from './rows/edge-sample.js';
import { sectionsFor, sectionsOf } from './rows/sections.js';
import { reorderLabels, tieOrder } from './rows/tie-order.js';
import type { TaskThread, TreeTasksJob } from './tasks/task-thread.js';
import { type TaskName, TreeTasks } from './tasks/tree-tasks.js';

export interface TreeEngineJob {
  readonly data: Dataset;
  readonly validate: Dataset | undefined;
  readonly objective: Objective;
  /** What the trees are evaluated by. */
  readonly measures: EvaluatedMeasures;
  /** Objective and measures for other threads; absent where there can be none. */
  readonly portable: Portable | undefined;
  readonly options: TreeOptions;
  readonly threads: number;
  readonly seed: number;
  /** Others that have more of the data; none by default. */
  readonly ranks?: Transport | undefined;
  /** What the objective learns for itself. */
  readonly learned?: LearnedMemories | undefined;
  /** Whether features may be given up once there are bins. */
  readonly giveUpFeatures?: boolean | undefined;
}

/** What a usual run of a hundred trees takes one thread, for each cell of the data. */
const MS_A_CELL = 4e-4;

/** The job of a thread as it is sent. */
export interface TreeWorkerJob
  extends Omit<TreeTasksJob, 'memory' | 'data' | 'seen' | 'validation' | 'objective' | 'measures'> {
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
  readonly data: PortableDataset;
  readonly seen: PortableDataset;
  readonly validation: PortableDataset | undefined;
  readonly portable: Portable;
}

export class TreeThreads {
  readonly memory: RunMemory;
  /** What tasks of this thread work with. */
  readonly thread: TaskThread;
  /** Queries of the training data as tasks take them. */
  readonly parts: readonly Part[];
  readonly evaluated: TreeTasksJob['evaluated'];
  /** Labels and weights of the training data, documents in tie order. */
  readonly seen: Dataset;
  /** Row of the data behind each row of this run. */
  readonly tieOrder: Uint32Array;
  readonly #tasks: TreeTasks;
  readonly #crew: TaskCrew;
  /** Those whose lambdas the separable kernel computes. */
  readonly #pairs: PairPlan | undefined;

  static async start(job: TreeEngineJob): Promise<TreeThreads> {
    const { data, validate, objective, measures, options, seed } = job;
    const cells = data.rows * data.features;
    const threads = job.portable !== undefined && isWorthwhile(MS_A_CELL * cells, job.threads) ? job.threads : 1;
    const parts = partsOf(data);
    const sections = sectionsFor(threads);
    const ranks = job.ranks ?? alone;
    const sample = edgeSample(data, seed, ranks, 'own');
    const categories = levelBins(data, options.minLevelDocuments, ranks);
    const isCategory = (feature: number) => categories.some(category => category.feature === feature);
    const monotone = directionsOf(options.monotone, data.featureNames, isCategory);
    const groups = groupsOf(options.interactions, data.featureNames);
    const layout = planLayout({
      rows: data.rows,
      validationRows: validate?.rows ?? 0,
      features: data.features,
      leaves: options.leaves,
      queries: data.queries,
      parts: parts.length,
      longest: longestQuery(data),
      threads,
      sections,
      sample: sample.rows.length,
      wide: categories.filter(({ wide }) => wide !== undefined).length,
      widest: categories.reduce((most, { codes }) => Math.max(most, codes.length), 0),
      setWords: categories.reduce((sum, { words }) => sum + 2 * words, 0),
    });
    const memory = runMemory(layout);
    const order = tieOrder(data, seed);
    const seen = reorderLabels(data, order);
    const byKernel = data.rowWeights === undefined ? separableLambdas(objective) : undefined;
    const separable = byKernel?.lambdas;
    const toEvaluate = validate ?? seen;
    const evaluated = {
      parts: partsOf(toEvaluate),
      values: measures.all.map(() => sharedFloat64(toEvaluate.queries)),
      training: measures.all.slice(0, measures.selecting).map(() => sharedFloat64(data.queries)),
    };
    const shared = {
      separable,
      sample,
      categories,
      monotone,
      groups,
      bins: options.bins,
      tieOrder: order,
      parts,
      sections: sectionsOf(parts, sections),
      evaluated,
      learned: job.learned,
    };
    const tasks = new TreeTasks({
      ...shared,
      memory,
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
        memory: memory.memory,
        layout,
        thread: i + 1,
        data: toPortable(data),
        seen: toPortable(seen),
        validation: validate && toPortable(validate),
        portable: job.portable!,
      }),
    );
    const crew = await TaskCrew.start(new URL('./tree-worker.js', import.meta.url), works);
    return new TreeThreads(tasks, crew, byKernel?.pairs);
  }

  private constructor(tasks: TreeTasks, crew: TaskCrew, pairs: PairPlan | undefined) {
    const { job } = tasks.thread;
    this.thread = tasks.thread;
    this.memory = job.memory;
    this.parts = job.parts;
    this.evaluated = job.evaluated;
    this.seen = job.seen;
    this.tieOrder = job.tieOrder;
    this.#tasks = tasks;
    this.#crew = crew;
    this.#pairs = pairs;
  }

  /** Before the first lambdas. Once there are bins: beside the features, tables would be part of the most memory. */
  fillTables(): void {
    if (this.#pairs !== undefined) fillSeparableTables(this.#pairs, this.seen, this.memory);
  }

  /** Has every thread do a task once, which must `meet` the others before it ends. */
  playAll(name: TaskName): void {
    this.memory.arrays.met[0] = 0;
    this.play(name, this.memory.layout.threads);
  }

  /** Does a round of tasks. */
  play(name: TaskName, count: number): void {
    this.#crew.play(this.#tasks.run, this.#tasks.kind(name), count);
  }

  /** The same step by step, for tasks that can take long. */
  steps(name: TaskName, count: number): Steps<void> {
    return this.#crew.steps((kind, task) => this.#tasks.steps(kind, task), this.#tasks.kind(name), count);
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}
