/**
 * The work that threads share while boosting: each kind of task over the one shared memory. The main thread opens rounds of
 * tasks; every thread, the main one too, has a TreeTasks of its own and takes tasks as they come.
 * One file because every kind of task reads the same memory by the same numbers.
 */
import type { Dataset } from '../../data/dataset.js';
import { countedValue } from '../../measures/evaluate.js';
import type { Measure } from '../../measures/measure.js';
import { DatasetView } from '../../measures/query-view.js';
import { startFinite } from '../../objectives/finite-forces.js';
import { type Forces, forceSteps, type Objective, type ObjectiveRun } from '../../objectives/objective.js';
import { atOnce, type Steps } from '../../steps.js';
import { binEdges } from './bin-edges.js';
import { type Columns, planColumns, shareOf } from './columns.js';
import type { Sums } from './grower.js';
import { BIN_ROWS, CHUNK_ROWS, COLUMN_BYTES, type Layout, SPLIT_BYTES, TILE_BYTES } from './layout.js';
import type { SeparableForces } from './separable-tables.js';
import { loadTreeKernels, type TreeKernels } from './tree-kernels.js';

/** Documents that are judged between two steps, at least. */
const ROWS_A_STEP = 256;

/** Kinds of tasks, by number. */
export const TASK = {
  /** Edges of feature t from the sample. */
  edges: 0,
  /** Bins of tile t, training and validation. */
  bin: 1,
  /** Row-major copy of rows, in parts. */
  rows: 2,
  /** Forces of the queries of part t, and their magnitudes. */
  forces: 3,
  /** Records of part t. */
  quantise: 4,
  /** Histogram of all rows and best splits, tile t. */
  root: 5,
  /** Histograms and best splits of two children, share t of the tiles. */
  children: 6,
  /** Exact sums of leaf t. */
  leafSums: 7,
  /** Value of leaf t to its rows. */
  addLeaf: 8,
  /** The tree to part t of the validation rows. */
  addTree: 9,
  /** The tree to part t of the training rows. */
  addTreeToAll: 10,
  /** Rows of chunk t by the side they go to. */
  partition: 11,
  /** Rows of chunk t to their places in the children. */
  place: 12,
  /** Values of the queries of part t of the data that selects. */
  judge: 13,
  /** Values of the queries of part t of the training data. */
  judgeTraining: 14,
} as const;

/** Numbers that a round is about, in shared memory, set by the main thread. */
export interface TaskNumbers {
  readonly whole: Int32Array;
  readonly real: Float64Array;
}

export const WHOLE = {
  iteration: 0,
  rows: 1,
  start: 2,
  documents: 3,
  smallSlot: 4,
  parentSlot: 5,
  shares: 6,
  /** Sums of the node, or of the small child: force, curvature, documents. */
  force: 7,
  curvature: 8,
  count: 9,
  otherForce: 10,
  otherCurvature: 11,
  otherCount: 12,
  leastDocuments: 13,
  /** 0 where every curvature counts as 1. */
  newton: 14,
  /** Where the bins of the feature that a node is split by begin, and the power of two of bytes from one row's to the next. */
  bins: 15,
  binsShift: 16,
  leaves: 17,
} as const;

export const REAL = {
  forceScale: 0,
  curvatureScale: 1,
  l2: 2,
  leastCurvature: 3,
  leastGain: 4,
  exactForceScale: 5,
  exactCurvatureScale: 6,
} as const;

export function createNumbers(leaves: number): TaskNumbers {
  return {
    whole: new Int32Array(new SharedArrayBuffer(4 * (WHOLE.leaves + 2 * leaves))),
    real: new Float64Array(new SharedArrayBuffer(8 * 8)),
  };
}

/** to[i] = values[from + order[first + i]] */
function gather(values: Float32Array, from: number, order: Uint32Array, first: number, to: Float32Array): void {
  for (let i = 0; i < to.length; i++) to[i] = values[from + order[first + i]!]!;
}

/** Parts of the queries: consecutive ones of about the same number of rows, the same for any number of threads. */
export interface Part {
  readonly firstQuery: number;
  readonly lastQuery: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

export function partsOf(data: Dataset, rowsPerPart = 4096): Part[] {
  const parts: Part[] = [];
  for (let q = 0; q < data.queries; ) {
    const firstQuery = q;
    const firstRow = data.offsets[q]!;
    do q++;
    while (q < data.queries && data.offsets[q + 1]! - firstRow <= rowsPerPart);
    parts.push({ firstQuery, lastQuery: q, firstRow, lastRow: data.offsets[q]! });
  }
  return parts;
}

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
  /** What the separable kernel computes, where forces come from it; its tables are in place. */
  readonly separable: SeparableForces | undefined;
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

export class TreeTasks {
  readonly #job: TreeTasksJob;
  readonly kernels: TreeKernels;
  readonly #own: number;
  readonly #floats: Float32Array;
  /** Bins of each feature, and whether this tree may use it. */
  readonly #bins: Int32Array;
  readonly #mask: Uint8Array;
  readonly #pairs: Float64Array;
  #columns: Columns | undefined;
  readonly #run: ObjectiveRun;
  readonly #view: DatasetView;
  readonly #judgedView: DatasetView;
  readonly #forces: Forces;
  #iteration = 0;

  constructor(job: TreeTasksJob) {
    this.#job = job;
    this.kernels = loadTreeKernels(job.memory);
    this.#own = job.layout.at.threads + job.thread * job.layout.threadBytes;
    this.#floats = new Float32Array(job.memory.buffer);
    this.#bins = new Int32Array(job.memory.buffer, job.layout.at.bins, job.layout.features);
    this.#mask = new Uint8Array(job.memory.buffer, job.layout.at.mask, job.layout.features);
    this.#pairs = new Float64Array(job.memory.buffer, job.layout.at.pairs, job.layout.parts);
    this.#run = startFinite(job.objective, job.seen);
    this.#view = new DatasetView(job.seen, 'input', { remember: true });
    this.#judgedView = job.validation ? new DatasetView(job.validation, 'input', { remember: true }) : this.#view;
    this.#forces = {
      lambda: new Float64Array(job.layout.longest),
      curvature: new Float64Array(job.layout.longest),
    };
  }

  readonly #does: Readonly<Record<number, (task: number) => void>> = {
    [TASK.edges]: task => this.#edges(task),
    [TASK.bin]: task => this.#bin(task),
    [TASK.rows]: task => this.#rows(task),
    [TASK.forces]: task => atOnce(this.#force(task)),
    [TASK.quantise]: task => this.#quantise(task),
    [TASK.root]: task => this.#root(task),
    [TASK.children]: task => this.#children(task),
    [TASK.leafSums]: task => this.#leafSums(task),
    [TASK.addLeaf]: task => this.#addLeaf(task),
    [TASK.addTree]: task => this.#addTree(task),
    [TASK.addTreeToAll]: task => this.#addTreeToAll(task),
    [TASK.partition]: task => this.#partition(task),
    [TASK.place]: task => this.#place(task),
    [TASK.judge]: task => atOnce(this.#judge(task)),
    [TASK.judgeTraining]: task => atOnce(this.#judgeTraining(task)),
  };

  /** Does a task; bound, so that it can be handed on. */
  readonly run = (kind: number, task: number): void => this.#does[kind]!(task);

  /** The same step by step: a query of some objectives or measures can take long. */
  *steps(kind: number, task: number): Steps<void> {
    if (kind === TASK.forces) yield* this.#force(task);
    else if (kind === TASK.judge) yield* this.#judge(task);
    else if (kind === TASK.judgeTraining) yield* this.#judgeTraining(task);
    else this.run(kind, task);
  }

  /** Known once every feature has its edges. */
  get columns(): Columns {
    return (this.#columns ??= planColumns(this.#bins));
  }

  #edges(feature: number): void {
    const { data, layout, bins, memory, sampleRows } = this.#job;
    const sample = new Float32Array(memory.buffer, this.#own, layout.sample);
    let n = 0;
    let next = 0;
    for (const block of data.blocks) {
      const from = feature * block.stride - block.start;
      const end = block.start + block.rows;
      for (; next < sampleRows.length && sampleRows[next]! < end; next++) {
        const value = block.data[from + sampleRows[next]!]!;
        if (!Number.isNaN(value)) sample[n++] = value;
      }
    }
    const counts = this.#own + 8 * layout.sample;
    this.kernels.binning.sortFloats(this.#own, n, this.#own + 4 * layout.sample, counts);
    const edges = binEdges(sample.subarray(0, n), bins);
    const out = new Float32Array(memory.buffer, layout.at.edges + 1024 * feature, 256);
    out.fill(Infinity);
    out.set(edges);
    this.#bins[feature] = edges.length + 1;
  }

  #bin(tile: number): void {
    const { data, validation, layout, tieOrder, memory } = this.#job;
    const { at, features } = layout;
    const missing = new Int32Array(memory.buffer, at.missing, features);
    this.#binTile({ data, order: tieOrder, tile, out: at.tiles + tile * 8 * layout.rows, stride: 8, missing });
    if (validation === undefined) return;
    const [out, { stride }] = [at.validation + 8 * tile, this.columns];
    this.#binTile({ data: validation, order: undefined, tile, out, stride, missing: new Int32Array(features) });
  }

  /**
   * Bins of a tile's columns, every row's eight bytes `stride` from the last one's. Where rows are in order, those of training, the
   * columns are kept too if there is room. Adds the missing values of each feature to `missing`.
   */
  #binTile(work: {
    data: Dataset;
    order: Uint32Array | undefined;
    tile: number;
    out: number;
    stride: number;
    missing: Int32Array;
  }): void {
    const { data, order, tile, out, stride, missing } = work;
    const { at, rows, byColumn } = this.#job.layout;
    const keep = byColumn && order !== undefined;
    const apart = keep ? rows : BIN_ROWS;
    for (const block of data.blocks) {
      for (let i = 0; i < block.rows; i += BIN_ROWS) {
        const n = Math.min(BIN_ROWS, block.rows - i);
        const first = block.start + i;
        const columns = keep ? at.columns + 8 * tile * rows + first : this.#own + 5 * BIN_ROWS;
        this.columns.features.slice(8 * tile, 8 * tile + 8).forEach((features, k) => {
          for (const feature of features) {
            const from = feature * block.stride;
            const to = this.#floats.subarray(this.#own / 4, this.#own / 4 + n);
            if (order === undefined) to.set(block.data.subarray(from + i, from + i + n));
            else gather(block.data, from - block.start, order, first, to);
            missing[feature]! += this.#binFeature(feature, n, columns + k * apart);
          }
        });
        this.kernels.binning.rowsOfColumns(columns, apart, n, out + first * stride, stride);
      }
    }
  }

  /** Bins of n values, at the start of this thread's scratch, into a column, or added to those of others there. */
  #binFeature(feature: number, n: number, column: number): number {
    const { features, step, states, column: columnOf } = this.columns;
    const { binning } = this.kernels;
    const edges = this.#job.layout.at.edges + 1024 * feature;
    if (features[columnOf[feature]!]!.length === 1) return binning.binColumn(this.#own, n, edges, column);
    const bytes = this.#own + 4 * BIN_ROWS;
    const missing = binning.binColumn(this.#own, n, edges, bytes);
    binning.addBins(bytes, n, step[feature]!, states[feature]!, column);
    return missing;
  }

  #rows(part: number): void {
    const { layout, parts } = this.#job;
    const { firstRow, lastRow } = parts[part]!;
    const { tiles, stride } = this.columns;
    const { at, rows } = layout;
    this.kernels.binning.rowsOfTiles(at.tiles, 8 * rows, tiles, firstRow, lastRow, at.rows, stride);
  }

  *#force(number: number): Steps<void> {
    const { layout, parts, separable } = this.#job;
    const { whole } = this.#job.numbers;
    const { at } = layout;
    const part = parts[number]!;
    const iteration = Atomics.load(whole, WHOLE.iteration);
    if (iteration !== this.#iteration) {
      this.#iteration = iteration;
      this.#run.beginIteration?.(iteration);
    }
    this.#pairs[number] = separable
      ? this.kernels.separable.forcesOfQueries(
          part.firstQuery,
          part.lastQuery,
          at.offsets,
          at.judged,
          at.depths,
          at.norms,
          at.weights,
          at.places,
          at.gains,
          at.ends,
          at.worths,
          at.orders,
          at.scores,
          Number(separable.weight === 'unit'),
          Number(separable.scaling === 'deviation'),
          this.#own,
          at.forces,
        ) >>> 0
      : yield* this.#forcesByQuery(part);
    const { firstRow, lastRow } = part;
    if (whole[WHOLE.newton] === 0) this.kernels.partition.setCurvature(at.forces, firstRow, lastRow, 1);
    this.kernels.partition.sumMagnitudes(at.forces, firstRow, lastRow, at.sums + 16 * number);
  }

  /** Forces of any objective, query by query. */
  *#forcesByQuery(part: Part): Steps<number> {
    const { layout, seen } = this.#job;
    const floats = this.#floats;
    const scores = floats.subarray(layout.at.scores / 4, layout.at.scores / 4 + layout.rows);
    const { rowWeights, queryWeights, offsets } = seen;
    let pairs = 0;
    for (let q = part.firstQuery; q < part.lastQuery; q++) {
      const start = offsets[q]!;
      if (q > part.firstQuery) yield 0;
      pairs += yield* forceSteps(this.#run, this.#view.moveTo(q, scores), this.#forces);
      const to = layout.at.forces / 4 + 2 * start;
      const weight = queryWeights?.[q] ?? 1;
      for (let i = 0; i < this.#view.n; i++) {
        const own = weight * (rowWeights?.[start + i] ?? 1);
        floats[to + 2 * i] = own * this.#forces.lambda[i]!;
        floats[to + 2 * i + 1] = own * this.#forces.curvature[i]!;
      }
    }
    return pairs;
  }

  #quantise(part: number): void {
    const { layout, parts, numbers } = this.#job;
    const { at } = layout;
    // Whole groups of two rows: parts meet at rows that both may write, with the same value.
    const first = parts[part]!.firstRow & ~1;
    const n = parts[part]!.lastRow - first;
    const { real } = numbers;
    this.kernels.partition.quantise(
      at.forces + 8 * first,
      n,
      real[REAL.forceScale]!,
      real[REAL.curvatureScale]!,
      at.records + 8 * first,
    );
    if (numbers.whole[WHOLE.rows] === layout.rows) {
      this.kernels.partition.countUp(at.index, parts[part]!.firstRow, parts[part]!.lastRow);
    }
  }

  #root(tile: number): void {
    const { layout, numbers } = this.#job;
    const { at } = layout;
    const { whole } = numbers;
    const histogram = at.histograms + tile * TILE_BYTES;
    this.kernels.histogram.clearTiles(histogram, 1);
    if (whole[WHOLE.rows] === layout.rows) {
      this.kernels.histogram.addTile(at.tiles + tile * 8 * layout.rows, at.records, layout.rows, histogram);
    } else {
      this.kernels.histogram.addRows(
        at.rows,
        this.columns.stride,
        tile,
        tile + 1,
        at.index,
        whole[WHOLE.rows]!,
        at.records,
        at.histograms,
        this.#own,
      );
    }
    const { force, curvature, documents } = this.rootSums(tile);
    this.#setUnits();
    for (const f of this.columns.features.slice(8 * tile, 8 * tile + 8).flat()) {
      this.#split(f, 0, 0, force, curvature, documents);
    }
  }

  /** Sums of the root's rows, which every tile's histogram tells. */
  rootSums(tile: number): Sums {
    const { layout, memory } = this.#job;
    this.kernels.histogram.sumCells(layout.at.histograms + tile * TILE_BYTES, this.#own);
    const [force, curvature, documents] = new Int32Array(memory.buffer, this.#own, 3);
    return { force: force!, curvature: curvature!, documents: documents! };
  }

  #setUnits(): void {
    const { real } = this.#job.numbers;
    this.kernels.splitter.setUnits(1 / real[REAL.forceScale]!, 1 / real[REAL.curvatureScale]!, real[REAL.l2]!);
  }

  #children(share: number): void {
    const { layout, numbers } = this.#job;
    const { at } = layout;
    const { features, tiles, stride } = this.columns;
    const { whole } = numbers;
    const [first, last] = shareOf(this.columns, share, whole[WHOLE.shares]!);
    const slot = (number: number) => at.histograms + number * tiles * TILE_BYTES;
    const small = slot(whole[WHOLE.smallSlot]!);
    const parent = slot(whole[WHOLE.parentSlot]!);
    this.kernels.histogram.clearTiles(small + first * TILE_BYTES, last - first);
    this.kernels.histogram.addRows(
      at.rows,
      stride,
      first,
      last,
      at.index + 4 * whole[WHOLE.start]!,
      whole[WHOLE.documents]!,
      at.records,
      small,
      this.#own,
    );
    this.#setUnits();
    const force = whole[WHOLE.force]!;
    const curvature = whole[WHOLE.curvature]!;
    const count = whole[WHOLE.count]!;
    const otherForce = whole[WHOLE.otherForce]!;
    const otherCurvature = whole[WHOLE.otherCurvature]!;
    const otherCount = whole[WHOLE.otherCount]!;
    // Column by column, so that its cells are still near when they are scanned.
    for (let column = 8 * first; column < Math.min(8 * last, features.length); column++) {
      const own = features[column]!;
      const from = column * COLUMN_BYTES;
      const bins = own.length === 1 ? this.#bins[own[0]!]! : 255;
      this.kernels.histogram.subtractColumn(parent + from, small + from, bins);
      for (const f of own) {
        this.#split(f, whole[WHOLE.smallSlot]!, 0, force, curvature, count);
        this.#split(f, whole[WHOLE.parentSlot]!, 1, otherForce, otherCurvature, otherCount);
      }
    }
  }

  /** Best split of a feature from the histogram in a slot, to side 0 or 1 of the splits. */
  #split(feature: number, slot: number, side: number, force: number, curvature: number, count: number): void {
    const { layout, numbers } = this.#job;
    const { at, features } = layout;
    const { column, step, states, tiles, features: byColumn } = this.columns;
    const { real, whole } = numbers;
    const out = at.splits + (side * features + feature) * SPLIT_BYTES;
    if (this.#mask[feature] === 0 || count < 2 * whole[WHOLE.leastDocuments]!) {
      this.#floats.fill(0, out / 4, out / 4 + 2);
      return;
    }
    let cells = at.histograms + slot * tiles * TILE_BYTES + column[feature]! * COLUMN_BYTES;
    if (byColumn[column[feature]!]!.length > 1) {
      this.kernels.histogram.cellsOfFeature(cells, step[feature]!, states[feature]!, this.#own);
      cells = this.#own;
    }
    this.kernels.splitter.bestSplit(
      cells,
      this.#bins[feature]!,
      states[feature]! - 1,
      out,
      force,
      curvature,
      count,
      whole[WHOLE.leastDocuments]!,
      real[REAL.leastCurvature]!,
      real[REAL.leastGain]!,
    );
  }

  /** A chunk of the node's rows, and where it is kept until it has its places. */
  #chunk(number: number): { first: number; documents: number; index: number; kept: number; lefts: Int32Array } {
    const { layout, numbers, memory } = this.#job;
    const { at } = layout;
    const { whole } = numbers;
    const first = CHUNK_ROWS * number;
    const from = 4 * (whole[WHOLE.start]! + first);
    return {
      first,
      documents: Math.min(CHUNK_ROWS, whole[WHOLE.documents]! - first),
      index: at.index + from,
      kept: at.scratch + from,
      lefts: new Int32Array(memory.buffer, at.lefts + 8 * number, 2),
    };
  }

  #partition(number: number): void {
    const { at } = this.#job.layout;
    const { whole } = this.#job.numbers;
    const { index, documents, kept, lefts } = this.#chunk(number);
    const bins = whole[WHOLE.bins]! >>> 0;
    const shift = whole[WHOLE.binsShift]!;
    lefts[0] = this.kernels.partition.partitionChunk(bins, shift, at.goesLeft, index, documents, kept);
  }

  #place(number: number): void {
    const { at } = this.#job.layout;
    const { whole } = this.#job.numbers;
    const { first, documents, kept, lefts } = this.#chunk(number);
    const left = at.index + 4 * (whole[WHOLE.start]! + lefts[1]!);
    const right = at.index + 4 * (whole[WHOLE.start]! + whole[WHOLE.count]! + first - lefts[1]!);
    this.kernels.partition.placeChunk(kept, documents, lefts[0]!, left, right);
  }

  #leafSums(leaf: number): void {
    const { at } = this.#job.layout;
    const { real } = this.#job.numbers;
    const { index, documents } = this.#leafRows(leaf);
    this.kernels.partition.sumRows(
      index,
      documents,
      at.forces,
      real[REAL.exactForceScale]!,
      real[REAL.exactCurvatureScale]!,
      at.leafSums + 16 * leaf,
    );
  }

  #addLeaf(leaf: number): void {
    const { at } = this.#job.layout;
    const { index, documents } = this.#leafRows(leaf);
    this.kernels.partition.addToRows(index, documents, this.#floats[at.leafValues / 4 + leaf]!, at.scores);
  }

  #leafRows(leaf: number): { index: number; documents: number } {
    const { whole } = this.#job.numbers;
    return {
      index: this.#job.layout.at.index + 4 * whole[WHOLE.leaves + 2 * leaf]!,
      documents: whole[WHOLE.leaves + 2 * leaf + 1]!,
    };
  }

  *#judge(part: number): Steps<void> {
    const { layout, memory, validation, judged } = this.#job;
    const { at, validationRows } = layout;
    const scores =
      validation === undefined
        ? this.#trainingScores()
        : new Float32Array(memory.buffer, at.validationScores, validationRows);
    yield* this.#judgeQueries(judged.parts[part]!, this.#judgedView, scores, judged.values);
  }

  *#judgeTraining(part: number): Steps<void> {
    const { parts, judged } = this.#job;
    yield* this.#judgeQueries(parts[part]!, this.#view, this.#trainingScores(), judged.training);
  }

  #trainingScores(): Float32Array {
    const { memory, layout } = this.#job;
    return new Float32Array(memory.buffer, layout.at.scores, layout.rows);
  }

  /** `out` has the values of the first measures, by query. */
  *#judgeQueries(part: Part, view: DatasetView, scores: Float32Array, out: readonly Float64Array[]): Steps<void> {
    let rows = 0;
    for (let q = part.firstQuery; q < part.lastQuery; q++) {
      view.moveTo(q, scores);
      rows += view.n;
      if (rows >= ROWS_A_STEP) {
        rows = 0;
        yield 0;
      }
      out.forEach((values, m) => {
        const measure = this.#job.measures[m]!;
        values[q] = countedValue(measure, measure.value(view));
      });
    }
  }

  #addTree(part: number): void {
    const { at, validationRows } = this.#job.layout;
    this.#addTreeTo(at.validation, validationRows, at.validationScores, part);
  }

  #addTreeToAll(part: number): void {
    const { at, rows } = this.#job.layout;
    this.#addTreeTo(at.rows, rows, at.scores, part);
  }

  #addTreeTo(bins: number, rows: number, scores: number, part: number): void {
    const { at } = this.#job.layout;
    const { stride } = this.columns;
    const first = CHUNK_ROWS * part;
    const last = Math.min(first + CHUNK_ROWS, rows);
    this.kernels.partition.addTree(bins, stride, first, last, at.nodes, at.sides, at.leafValues, scores);
  }
}
