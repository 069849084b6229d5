/** What every task of a thread has at hand: the run, the kernels over the shared memory, and scratch. */
import type { Dataset } from '../../../data/dataset.js';
import type { Part } from '../../../data/parts.js';
import { HELD_APART, SMALL_TILE_BYTES, TILE_BYTES, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
import { levelsOf } from '../../../kernels/level-set.js';
import type { Measure } from '../../../measures/measure.js';
import { DatasetView } from '../../../measures/query-view.js';
import type { LearnedMemories } from '../../../objectives/learning.js';
import type { Objective } from '../../../objectives/objective.js';
import { type Columns, planColumns } from '../binning/columns.js';
import type { LevelBins } from '../binning/level-bins.js';
import type { Sums } from '../growth/grower.js';
import type { FeatureGroups } from '../growth/interactions.js';
import { nodeStep } from '../growth/node-step.js';
import type { RunMemory } from '../memory/run-memory.js';
import type { SeparableLambdas } from '../memory/separable-tables.js';
import type { EdgeSample } from '../rows/edge-sample.js';
import { type Section, spanAt } from '../rows/sections.js';
import { STARTS_APART } from '../rows/short-rows.js';
import { loadTreeKernels, type TreeKernels } from './tree-kernels.js';

export interface TreeTasksJob {
  readonly memory: RunMemory;
  readonly thread: number;
  readonly data: Dataset;
  /** Labels and weights of the data, documents in tie order. */
  readonly seen: Dataset;
  readonly validation: Dataset | undefined;
  readonly objective: Objective;
  /** What it learns for itself. */
  readonly learned?: LearnedMemories | undefined;
  /** What the separable kernel computes, where lambdas come from it; its tables are in place. */
  readonly separable: SeparableLambdas | undefined;
  /** What bin edges are taken from. */
  readonly sample: EdgeSample;
  /** Row of the data behind each row of this run: documents of a query stand in tie order. */
  readonly tieOrder: Uint32Array;
  readonly bins: number;
  readonly categories: readonly LevelBins[];
  /** Direction of each feature; undefined without monotone constraints. */
  readonly monotone: Int8Array | undefined;
  /** Features that may meet on a path; undefined without constraints. */
  readonly groups: FeatureGroups | undefined;
  readonly parts: readonly Part[];
  readonly sections: readonly Section[];
  /** What the trees are evaluated by, on the validation data or, where there is none, on the training data. */
  readonly measures: readonly Measure[];
  readonly evaluated: {
    readonly parts: readonly Part[];
    /** By measure and query. */
    readonly values: readonly Float64Array[];
    /** Of the training data, by the first measures: those that select. */
    readonly training: readonly Float64Array[];
  };
}

const MEET_MS = 10_000;

export class TaskThread {
  readonly job: TreeTasksJob;
  readonly memory: RunMemory;
  readonly kernels: TreeKernels;
  /** Where the thread's scratch begins. */
  readonly scratch: number;
  /** Queries of the training data; tasks in turn find their documents nearly in order. */
  readonly view: DatasetView;
  /** By feature. */
  readonly #categories: (LevelBins | undefined)[];
  #columns: Columns | undefined;

  constructor(job: TreeTasksJob) {
    const { at, layout, memory } = job.memory;
    this.job = job;
    this.memory = job.memory;
    this.kernels = loadTreeKernels(memory);
    this.scratch = at.threads + job.thread * layout.threadBytes;
    this.#categories = new Array(layout.features).fill(undefined);
    for (const category of job.categories) this.#categories[category.feature] = category;
    this.view = new DatasetView(job.seen, 'expected', { remember: true });
  }

  /** Waits for all threads to have come here: as none takes another task before, each does one. */
  meet(): void {
    const { met } = this.memory.arrays;
    Atomics.add(met, 0, 1);
    Atomics.notify(met, 0);
    for (;;) {
      const here = Atomics.load(met, 0);
      if (here >= this.memory.layout.threads) return;
      // Others may have ended, which nobody here is told of.
      if (Atomics.wait(met, 0, here, MEET_MS) === 'timed-out') return;
    }
  }

  /** Tells the kernel what splits of the tree keep to. */
  beginSplits(): void {
    const { tree } = this.memory;
    const { lambdaScale, hessianScale, l1, l2, maxStep, pathSmoothing, squares } = tree;
    const { splitter } = this.kernels;
    splitter.setUnits(1 / lambdaScale, 1 / hessianScale, l2, squares);
    splitter.setLimits(l1, maxStep, pathSmoothing);
    const isMonotone = Number(this.job.monotone !== undefined);
    splitter.setLeast(tree.leastDocuments, tree.leastHessian, tree.leastGain, tree.randomThresholds, isMonotone);
    splitter.setLevels(tree.leastLevel, tree.levelSmoothing, tree.oneHotLevels);
  }

  /** The step of a node below another, or of the root, from its integer sums. */
  stepOf({ lambda, hessian, documents }: Sums, parent: number | undefined): number {
    const { tree } = this.memory;
    const sums = { lambda: lambda / tree.lambdaScale, hessian: hessian / tree.hessianScale, documents };
    return nodeStep(sums, parent, tree);
  }

  /** The category that a feature is; undefined for a number. */
  category(feature: number): LevelBins | undefined {
    return this.#categories[feature];
  }

  /** The bins that the best split of a category sends left; undefined for a number. */
  levelsLeft(feature: number, side: number): number[] | undefined {
    const category = this.category(feature);
    if (category === undefined) return undefined;
    const first = category.set + side * category.words;
    return levelsOf(this.memory.arrays.sets.slice(first, first + category.words));
  }

  /** Adds the rows of a leaf and section to the cells that this thread has of all columns. */
  addRows(leaf: number, section: number): void {
    const { at, layout, arrays } = this.memory;
    const span = spanAt(leaf, section, layout.sections);
    const { tiles, rowTiles, rowStride, recordBytes } = this.columns;
    this.kernels.histogram.addRows(
      at.rows,
      rowStride,
      rowTiles,
      at.tiles,
      TILE_COLUMNS * layout.rows,
      tiles,
      at.index + 4 * arrays.spans[span]!,
      arrays.spans[span + 1]!,
      at.records,
      recordBytes,
      arrays.shortPairs[0]!,
      at.shortStarts + 4 * STARTS_APART * section,
      this.smallAt(this.job.thread),
      this.partAt(this.job.thread),
      this.held,
      this.scratch,
    );
  }

  /** Where the bytes of a column begin, one for each row, and how far apart they are. */
  bytesOf(column: number): { bytes: number; apart: number } {
    const { at, layout } = this.memory;
    if (layout.byColumn) return { bytes: at.columns + column * layout.rows, apart: 1 };
    const inTile = column % TILE_COLUMNS;
    return { bytes: at.tiles + (column - inTile) * layout.rows + inTile, apart: TILE_COLUMNS };
  }

  /** Tells the kernel where the cells of all threads are, and what it is to find in them. */
  setCells(): void {
    const { at, layout } = this.memory;
    const { tiles } = this.columns;
    const { splitter } = this.kernels;
    const [small, full] = [tiles * SMALL_TILE_BYTES, tiles * TILE_BYTES];
    splitter.setThreads(at.held, layout.threads, at.small, small, at.partial, full);
    splitter.setColumns(at.columnFeatures, at.features, at.place, at.commonest, at.counts);
    splitter.setSplits(layout.features, at.mask, at.draws, at.splits);
  }

  /** Where a node's histogram is. */
  slotAt(slot: number): number {
    return this.memory.at.histograms + slot * this.columns.tiles * TILE_BYTES;
  }

  /** Where this thread keeps account of its cells. */
  get held(): number {
    return this.memory.at.held + HELD_APART * this.job.thread;
  }

  /** Where a thread adds up the rows that come its way, in cells of full size. */
  partAt(thread: number): number {
    return this.memory.at.partial + thread * this.columns.tiles * TILE_BYTES;
  }

  /** The same in small cells, which come first. */
  smallAt(thread: number): number {
    return this.memory.at.small + thread * this.columns.tiles * SMALL_TILE_BYTES;
  }

  /** Known once every feature has its edges. */
  get columns(): Columns {
    return (this.#columns ??= planColumns(this.memory.arrays.bins, this.memory.layout.byColumn));
  }
}
