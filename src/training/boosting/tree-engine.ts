/** A boosting run's memory, threads and rounds: bins the data, then per tree: forces, gradients, growth, leaf values, scores. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Dataset, DatasetParts } from '../../data/dataset.js';
import { aggregate } from '../../measures/evaluate.js';
import type { Tree } from '../../models/trees/trees.js';
import type { Objective } from '../../objectives/objective.js';
import type { Steps } from '../../steps.js';
import { createTaskBoard, playTasks, stopTasks, type TaskBoard, taskSteps } from '../../threads/task-board.js';
import type { JudgedMeasures } from '../judged-measures.js';
import { binInByte, fillSides } from './columns.js';
import { growTree } from './grower.js';
import { KernelWork } from './kernel-work.js';
import { CHUNK_ROWS, type Layout, planLayout } from './layout.js';
import type { TreeOptions } from './options.js';
import { type Part, partsOf } from './parts.js';
import type { QuantisedRows } from './reference/reference-work.js';
import { chooseFeatures, chooseRows, rowsForEdges } from './sampling.js';
import { fillSeparableTables, type SeparableForces, separableForces } from './separable-tables.js';
import { createNumbers, REAL, TASK, type TaskNumbers, WHOLE } from './task-numbers.js';
import type { TreeTasksJob } from './task-thread.js';
import { reorderLabels, tieOrder } from './tie-order.js';
import type { GrownTree } from './tree.js';
import { TreeTasks } from './tree-tasks.js';

export interface TreeEngineJob {
  readonly data: Dataset;
  readonly validate: Dataset | undefined;
  readonly objective: Objective;
  /** What the trees are judged by. */
  readonly measures: JudgedMeasures;
  /** Whether objective and measures can be made again from their strings in a thread. */
  readonly portable: boolean;
  /** Modules of measures that threads load too. */
  readonly modules: readonly string[];
  readonly options: TreeOptions;
  /** Whether a tree's values go into the scores that the next one starts from. */
  readonly boost: boolean;
  readonly threads: number;
  readonly seed: number;
}

/** Fewer cells than this are not worth starting a thread for. */
const CELLS_FOR_THREADS = 200_000;

export interface TreeWorkerJob {
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
  readonly numbers: TaskNumbers;
  readonly thread: number;
  readonly data: DatasetParts;
  readonly seen: DatasetParts;
  readonly validation: DatasetParts | undefined;
  readonly modules: readonly string[];
  readonly objective: string;
  readonly measures: readonly string[];
  readonly judged: TreeTasksJob['judged'];
  readonly separable: SeparableForces | undefined;
  readonly sampleRows: Uint32Array;
  readonly bins: number;
  readonly tieOrder: Uint32Array;
  readonly parts: readonly Part[];
  readonly board: TaskBoard;
}

export interface GrownTreeWithValues {
  readonly tree: Tree;
  /** The same in bins. */
  readonly grown: GrownTree;
  readonly pairs: number;
}

export class TreeEngine {
  readonly #job: TreeEngineJob;
  readonly #memory: WebAssembly.Memory;
  readonly #layout: Layout;
  readonly #numbers: TaskNumbers;
  readonly #tasks: TreeTasks;
  readonly #board: TaskBoard;
  readonly #workers: readonly Worker[];
  readonly #parts: readonly Part[];
  readonly #judged: TreeTasksJob['judged'];
  readonly #order: Uint32Array;
  /** Labels and weights of the training data, documents in tie order. */
  readonly seen: Dataset;
  readonly #work: KernelWork;
  /** Scores of the training rows before the first tree. */
  #start = new Float32Array();

  static async start(job: TreeEngineJob): Promise<TreeEngine> {
    const { data, validate, objective, measures, options, seed } = job;
    const cells = data.rows * data.features;
    const threads = job.portable && cells >= CELLS_FOR_THREADS ? Math.max(1, job.threads) : 1;
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
    const board = createTaskBoard();
    const order = tieOrder(data, seed);
    const seen = reorderLabels(data, order);
    const byKernel = data.rowWeights === undefined ? separableForces(objective) : undefined;
    if (byKernel !== undefined) fillSeparableTables(byKernel.pairs, seen, memory, layout);
    const separable = byKernel?.forces;
    const toJudge = validate ?? seen;
    const judged = {
      parts: partsOf(toJudge),
      values: measures.all.map(() => sharedFloat64(toJudge.queries)),
      training: measures.all.slice(0, measures.selecting).map(() => sharedFloat64(data.queries)),
    };
    const shared = {
      ...{ memory, layout, numbers, separable, sampleRows, bins: options.bins, tieOrder: order, parts, judged },
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
    const workers = Array.from({ length: threads - 1 }, (_, i) => {
      const workerData: TreeWorkerJob = {
        ...{ ...shared, thread: i + 1, board, modules: job.modules, objective: objective.spec },
        measures: measures.all.map(measure => measure.spec),
        ...{ data: plain(data), seen: plain(seen), validation: validate && plain(validate) },
      };
      return new Worker(new URL('./tree-worker.js', import.meta.url), { workerData });
    });
    // A thread is up when it says so itself; blocking on it earlier would hang.
    await Promise.all(workers.map(worker => once(worker, 'message')));
    const engine = new TreeEngine(job, { memory, layout, numbers, board, parts, judged, seen, tasks, workers, order });
    engine.#bin();
    return engine;
  }

  private constructor(
    job: TreeEngineJob,
    parts: {
      memory: WebAssembly.Memory;
      layout: Layout;
      numbers: TaskNumbers;
      board: TaskBoard;
      parts: readonly Part[];
      judged: TreeTasksJob['judged'];
      seen: Dataset;
      tasks: TreeTasks;
      workers: readonly Worker[];
      order: Uint32Array;
    },
  ) {
    this.#job = job;
    this.#memory = parts.memory;
    this.#layout = parts.layout;
    this.#numbers = parts.numbers;
    this.#board = parts.board;
    this.#parts = parts.parts;
    this.#judged = parts.judged;
    this.seen = parts.seen;
    this.#tasks = parts.tasks;
    this.#workers = parts.workers;
    this.#order = parts.order;
    this.#work = new KernelWork(parts.memory, parts.layout, parts.numbers, parts.tasks, (kind, count) =>
      this.#play(kind, count),
    );
  }

  #play(kind: number, count: number): void {
    playTasks(this.#board, this.#tasks.run, kind, count);
  }

  #steps(kind: number, count: number): Steps<void> {
    return taskSteps(this.#board, (own, task) => this.#tasks.steps(own, task), kind, count);
  }

  #bin(): void {
    this.#play(TASK.edges, this.#layout.features);
    this.#play(TASK.bin, this.#tasks.columns.tiles);
    this.#play(TASK.rows, this.#parts.length);
    const { initialScores } = this.seen;
    if (initialScores !== undefined) this.scores.set(initialScores);
    const validation = this.#job.validate?.initialScores;
    if (validation !== undefined) this.validationScores.set(validation);
    this.#start = this.scores.slice();
  }

  /** Scores of the training rows, in tie order. */
  get scores(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#layout.at.scores, this.#layout.rows);
  }

  get validationScores(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#layout.at.validationScores, this.#layout.validationRows);
  }

  /** Adds scores of a model to start from; one value a row of the data as it is. */
  addScores(training: Float64Array, validation: Float64Array | undefined): void {
    const { scores, validationScores } = this;
    for (let i = 0; i < scores.length; i++) scores[i]! += training[this.#order[i]!]!;
    validation?.forEach((score, i) => {
      validationScores[i]! += score;
    });
    this.#start = scores.slice();
  }

  /** Figures on the validation data, or on the training data where there is none. */
  *judge(): Steps<number[]> {
    yield* this.#steps(TASK.judge, this.#judged.parts.length);
    return this.#judged.values.map((values, m) => aggregate(this.#job.measures.all[m]!, values).mean);
  }

  /** Figures of the selecting measures on the training data. */
  *judgeTraining(): Steps<number[]> {
    yield* this.#steps(TASK.judgeTraining, this.#parts.length);
    return this.#judged.training.map((values, m) => aggregate(this.#job.measures.all[m]!, values).mean);
  }

  /** Grows the next tree and adds it to all scores; the forces come step by step, the rest is quick. */
  *grow(iteration: number): Steps<GrownTreeWithValues> {
    const { options, objective, seed } = this.#job;
    const { whole, real } = this.#numbers;
    whole[WHOLE.iteration] = iteration;
    whole[WHOLE.newton] = Number(
      options.step === 'newton' || (options.step === 'auto' && objective.curvature === 'positive'),
    );
    yield* this.#forces();
    this.#setScales();
    this.#sample(iteration, seed);
    this.#play(TASK.quantise, this.#parts.length);
    real[REAL.l2] = options.l2;
    real[REAL.leastCurvature] = options.minCurvature;
    real[REAL.leastGain] = options.minGain;
    whole[WHOLE.leastDocuments] = options.minDocuments;
    const { tree, leaves } = growTree(this.#work, {
      leaves: options.leaves,
      depth: options.depth || Infinity,
      leastDocuments: options.minDocuments,
    });
    this.#settleMissing(tree);
    leaves.forEach((leaf, i) => {
      whole[WHOLE.leaves + 2 * i] = leaf.start;
      whole[WHOLE.leaves + 2 * i + 1] = leaf.documents;
    });
    const values = this.#leafValues(leaves.length);
    const sampled = whole[WHOLE.rows]! < this.#layout.rows;
    if (!sampled) this.#play(TASK.addLeaf, leaves.length);
    const valued = this.#treeOf(tree, values);
    this.#addTo(tree, sampled);
    const pairs = new Float64Array(this.#memory.buffer, this.#layout.at.pairs, this.#parts.length);
    return { tree: valued, grown: tree, pairs: pairs.reduce((sum, part) => sum + part, 0) };
  }

  /** Trees that are not boosted all start from the same scores: those before the first. */
  *#forces(): Steps<void> {
    const grown = this.#job.boost ? undefined : this.scores.slice();
    if (grown !== undefined) this.scores.set(this.#start);
    yield* this.#steps(TASK.forces, this.#parts.length);
    if (grown !== undefined) this.scores.set(grown);
  }

  /** Where training never saw a missing value of a feature, one counts as zero: what engines without missing values do. */
  #settleMissing(tree: GrownTree): void {
    const missing = new Int32Array(this.#memory.buffer, this.#layout.at.missing, this.#layout.features);
    tree.feature.forEach((feature, node) => {
      if (missing[feature]! > 0) return;
      tree.missingLeft[node] = 0 <= this.#threshold(feature, tree.bin[node]!);
    });
  }

  #threshold(feature: number, bin: number): number {
    return new Float32Array(this.#memory.buffer, this.#layout.at.edges + 1024 * feature, 256)[bin]!;
  }

  /** Adds a tree of an earlier run to all scores, as if it had just been grown. */
  replay(tree: GrownTree, values: readonly number[]): Tree {
    const leafValues = new Float32Array(this.#memory.buffer, this.#layout.at.leafValues, values.length);
    leafValues.set(values);
    this.#addTo(tree, true);
    return this.#treeOf(tree, leafValues);
  }

  /** What the last tree was grown from, for the reference. */
  quantised(): QuantisedRows {
    const { at, features, rows } = this.#layout;
    const { whole, real } = this.#numbers;
    const { columns } = this.#tasks;
    const bytes = new Uint8Array(this.#memory.buffer);
    const records = new Int32Array(this.#memory.buffer, at.records, 2 * rows);
    const column = (f: number) => {
      const base = at.tiles + (columns.column[f]! >> 3) * 8 * rows + (columns.column[f]! & 7);
      return Uint8Array.from({ length: rows }, (_, row) => binInByte(columns, f, bytes[base + 8 * row]!));
    };
    const used = Uint32Array.from(new Uint32Array(this.#memory.buffer, at.index, whole[WHOLE.rows]!)).sort();
    return {
      bins: Array.from({ length: features }, (_, f) => column(f)),
      binCounts: [...new Int32Array(this.#memory.buffer, at.bins, features)],
      force: Int32Array.from({ length: rows }, (_, row) => records[2 * row]!),
      curvature: Int32Array.from({ length: rows }, (_, row) => records[2 * row + 1]!),
      rows: used,
      mask: Uint8Array.from(new Uint8Array(this.#memory.buffer, at.mask, features)),
      forceUnit: 1 / real[REAL.forceScale]!,
      curvatureUnit: 1 / real[REAL.curvatureScale]!,
      l2: real[REAL.l2]!,
      leastDocuments: whole[WHOLE.leastDocuments]!,
      leastCurvature: real[REAL.leastCurvature]!,
      leastGain: real[REAL.leastGain]!,
    };
  }

  /** Powers of two that take the sums of all magnitudes to at most 2^30 (32-bit cells) and 2^51 (exact leaf sums). */
  #setScales(): void {
    const { real } = this.#numbers;
    const sums = new Float64Array(this.#memory.buffer, this.#layout.at.sums, 2 * this.#parts.length);
    let force = 0;
    let curvature = 0;
    for (let p = 0; p < this.#parts.length; p++) {
      force += sums[2 * p]!;
      curvature += sums[2 * p + 1]!;
    }
    real[REAL.forceScale] = powerBelow(2 ** 30, force);
    real[REAL.curvatureScale] = powerBelow(2 ** 30, curvature);
    real[REAL.exactForceScale] = powerBelow(2 ** 51, force);
    real[REAL.exactCurvatureScale] = powerBelow(2 ** 51, curvature);
  }

  /** The rows and features of this tree. */
  #sample(iteration: number, seed: number): void {
    const { featureShare, queryShare } = this.#job.options;
    const { at, rows, features } = this.#layout;
    chooseFeatures(new Uint8Array(this.#memory.buffer, at.mask, features), featureShare, seed, iteration);
    const index = new Uint32Array(this.#memory.buffer, at.index, rows);
    // Of every row, threads fill the index.
    this.#numbers.whole[WHOLE.rows] = queryShare < 1 ? chooseRows(index, this.seen, queryShare, seed, iteration) : rows;
  }

  #leafValues(leaves: number): Float32Array {
    const { options } = this.#job;
    const { real } = this.#numbers;
    this.#play(TASK.leafSums, leaves);
    const sums = new Float64Array(this.#memory.buffer, this.#layout.at.leafSums, 2 * leaves);
    const values = new Float32Array(this.#memory.buffer, this.#layout.at.leafValues, leaves);
    for (let leaf = 0; leaf < leaves; leaf++) {
      const force = sums[2 * leaf]! / real[REAL.exactForceScale]!;
      const curvature = sums[2 * leaf + 1]! / real[REAL.exactCurvatureScale]!;
      const below = curvature + options.l2;
      values[leaf] = below > 0 ? (options.rate * force) / below : 0;
    }
    return values;
  }

  #treeOf(tree: GrownTree, values: Float32Array): Tree {
    const threshold = Float32Array.from(tree.feature, (f, node) => this.#threshold(f, tree.bin[node]!));
    return {
      feature: Int32Array.from(tree.feature),
      threshold,
      missingLeft: Uint8Array.from(tree.missingLeft, Number),
      left: Int32Array.from(tree.left),
      right: Int32Array.from(tree.right),
      value: Float64Array.from(values),
      gain: Float64Array.from(tree.gain, gain => Number(gain.toPrecision(6))),
      documents: Float64Array.from(tree.documents),
    };
  }

  /** Adds the tree to the validation scores, and to the training scores too where its rows were a sample. */
  #addTo(tree: GrownTree, trainingToo: boolean): void {
    const { at, validationRows, rows } = this.#layout;
    const { columns } = this.#tasks;
    const count = Math.max(1, tree.feature.length);
    const nodes = new DataView(this.#memory.buffer, at.nodes, 8 * count);
    const sides = new Uint8Array(this.#memory.buffer, at.sides, 256 * count);
    tree.feature.forEach((feature, node) => {
      nodes.setUint16(8 * node, columns.column[feature]!, true);
      const split = { feature, bin: tree.bin[node]!, missingLeft: tree.missingLeft[node]! };
      fillSides(sides.subarray(256 * node, 256 * node + 256), columns, split);
      nodes.setInt16(8 * node + 4, tree.left[node]!, true);
      nodes.setInt16(8 * node + 6, tree.right[node]!, true);
    });
    if (tree.feature.length === 0) {
      // A lone leaf: both sides of a node that nobody passes.
      nodes.setInt32(0, 0, true);
      nodes.setInt16(4, -1, true);
      nodes.setInt16(6, -1, true);
    }
    this.#play(TASK.addTree, Math.ceil(validationRows / CHUNK_ROWS));
    if (trainingToo) this.#play(TASK.addTreeToAll, Math.ceil(rows / CHUNK_ROWS));
  }

  async close(): Promise<void> {
    stopTasks(this.#board);
    await Promise.all(this.#workers.map(worker => worker.terminate()));
  }
}

/** The largest power of two whose product with `sum` is at most `limit`; 1 where there is nothing to scale. */
function powerBelow(limit: number, sum: number): number {
  return sum > 0 ? 2 ** Math.floor(Math.log2(limit / sum)) : 1;
}

function sharedFloat64(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * length));
}

/** What a thread needs of a data set. */
function plain(data: Dataset): DatasetParts {
  return {
    featureNames: data.featureNames,
    blocks: data.blocks,
    offsets: data.offsets,
    queryIds: [],
    labels: data.labels,
    rowWeights: data.rowWeights,
    queryWeights: data.queryWeights,
    positions: data.positions,
  };
}
