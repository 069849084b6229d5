/** A boosting run's rounds: bins the data, then per tree: lambdas, gradients, growth, leaf values, scores. */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import { BINS } from '../../kernels/layouts/boosting.js';
import { aggregate } from '../../measures/evaluate.js';
import type { Tree } from '../../models/trees/trees.js';
import { hash32 } from '../../numeric/random.js';
import { gatherNumbers, gatherValues } from '../../ranks/gathered.js';
import { alone, type Transport } from '../../ranks/transport.js';
import type { Steps } from '../../steps.js';
import { giveBackHeap } from '../../threads/give-back-heap.js';
import { writeColumns } from './binning/column-records.js';
import { settleMissing, treeInValues, writeNodes } from './growth/binned-tree.js';
import { type GrowthResult, growTree } from './growth/grower.js';
import { KernelWork } from './growth/kernel-work.js';
import { boundedValue } from './growth/monotone.js';
import { nodeStep } from './growth/node-step.js';
import type { GrownTree } from './growth/tree.js';
import { CHUNK_ROWS, WIDE_BINS } from './memory/layout.js';
import { featuresOfRank } from './rows/edge-sample.js';
import { isOneSided, oneSideOf } from './rows/one-side.js';
import { RowOrder } from './rows/row-order.js';
import { chooseFeatures, chooseRows } from './rows/sampling.js';
import { placeByLeaf, spanOf, spansOf } from './rows/sections.js';
import { placeColumns, storeRows } from './rows/stored-rows.js';
import { type TreeEngineJob, TreeThreads } from './tree-threads.js';

export interface GrownTreeWithValues {
  readonly tree: Tree;
  /** The same in bins. */
  readonly grown: GrownTree;
  readonly pairs: number;
  /** For the log. */
  readonly facts?: Readonly<Record<string, number>>;
}

type ScoredData = 'training' | 'validation';

/** The largest power of two of float32. */
const LARGEST_SCALE = 2 ** 127;

/** More documents than any node has; twice as many are still a 32-bit number. */
const NO_NODE = 2 ** 30 - 1;

/** Cells of the data that make forty milliseconds for some twenty megabytes of the heap worth it. */
const WORTH_CELLS = 1 << 24;

export class TreeEngine {
  readonly #job: TreeEngineJob;
  readonly #threads: TreeThreads;
  readonly #ranks: Transport;
  readonly #work: KernelWork;
  readonly #order: RowOrder;
  /** How many of the first tiles may gain from short rows. */
  #shortTiles = 0;

  static async start(job: TreeEngineJob, how?: { readonly bins: boolean }): Promise<TreeEngine> {
    // Beside the features, it would be part of the most memory.
    if (job.giveUpFeatures && job.data.rows * job.data.features >= WORTH_CELLS) await giveBackHeap();
    return TreeEngine.over(await TreeThreads.start(job), job, how);
  }

  /** An engine over threads that are up; they end with it. Trees are grown from bins, leaves are refitted without. */
  static async over(threads: TreeThreads, job: TreeEngineJob, { bins } = { bins: true }): Promise<TreeEngine> {
    const engine = new TreeEngine(job, threads);
    try {
      if (bins) engine.#bin();
      threads.fillTables();
      engine.startAt(0);
    } catch (error) {
      await engine.close();
      throw error;
    }
    return engine;
  }

  private constructor(job: TreeEngineJob, threads: TreeThreads) {
    this.#job = job;
    this.#threads = threads;
    this.#ranks = job.ranks ?? alone;
    this.#work = new KernelWork(threads, this.#ranks);
    this.#order = new RowOrder(threads);
  }

  #bin(): void {
    const { memory, thread } = this.#threads;
    const { data, validate, giveUpFeatures } = this.#job;
    this.#edges();
    this.#threads.play('binWide', memory.layout.wide);
    // What was left behind on the way here.
    if (giveUpFeatures) this.#threads.playAll('giveUp');
    [data, validate].forEach((own, validation) => {
      const blocks = own?.blocks.length ?? 0;
      // Memory never holds much more than the features: one block at a time becomes bins and is given up.
      const each = giveUpFeatures ? 1 : Math.max(1, blocks);
      for (let first = 0; first < blocks; first += each) {
        memory.binning.write({ validation, first, last: Math.min(first + each, blocks) });
        this.#threads.play('bin', thread.columns.tiles);
        if (giveUpFeatures) this.#threads.playAll('giveUp');
      }
    });
    writeColumns(this.#threads);
    this.#shortTiles = placeColumns(this.#threads);
    storeRows(this.#threads);
    this.#ranks.sum(memory.arrays.missing);
  }

  /** Each rank finds those of some features. */
  #edges(): void {
    const { features } = this.#threads.memory.layout;
    const { edges, bins } = this.#threads.memory.arrays;
    const [first, last] = featuresOfRank(features, this.#ranks.rank, this.#ranks.size);
    this.#threads.play('edges', last - first);
    if (this.#ranks.size === 1) return;
    const own = Array.from({ length: last - first }, (_, f) => bins[first + f]!);
    bins.set(gatherValues(this.#ranks, own).flat());
    edges.set(gatherValues(this.#ranks, edges.slice(BINS * first, BINS * last)).flatMap(part => [...part]));
  }

  /** Scores are those that the data starts from, and `base`. */
  startAt(base: number): void {
    const set = (scores: Float32Array, initial: Float64Array | undefined) => {
      for (let i = 0; i < scores.length; i++) scores[i] = base + (initial?.[i] ?? 0);
    };
    set(this.scores, this.#threads.seen.initialScores);
    set(this.validationScores, this.#job.validate?.initialScores);
  }

  get ranks(): Transport {
    return this.#ranks;
  }

  /** Labels and weights of the training data, documents in tie order. */
  get seen(): Dataset {
    return this.#threads.seen;
  }

  /** Scores of the training rows, in tie order. */
  get scores(): Float32Array {
    return this.#threads.memory.arrays.scores;
  }

  get validationScores(): Float32Array {
    return this.#threads.memory.arrays.validationScores;
  }

  /** Adds scores of a model to start from; one value a row of the data as it is. */
  addScores(training: Float64Array, validation: Float64Array | undefined): void {
    const { scores, validationScores } = this;
    const { tieOrder } = this.#threads;
    for (let i = 0; i < scores.length; i++) scores[i]! += training[tieOrder[i]!]!;
    validation?.forEach((score, i) => {
      validationScores[i]! += score;
    });
  }

  /** Values on the validation data, or on the training data where there is none. */
  *evaluate(): Steps<number[]> {
    const { evaluated } = this.#threads;
    yield* this.#threads.steps('evaluate', evaluated.parts.length);
    return this.#means(evaluated.values);
  }

  /** Over the queries of all ranks. */
  #means(values: readonly Float64Array[]): number[] {
    return values.map((own, m) => aggregate(this.#job.measures.all[m]!, gatherNumbers(this.#ranks, own)).mean);
  }

  /** Values of the selecting measures on the training data. */
  *evaluateTraining(): Steps<number[]> {
    const { evaluated, parts } = this.#threads;
    yield* this.#threads.steps('evaluateTraining', parts.length);
    return this.#means(evaluated.training);
  }

  /**
   * Grows the next tree and adds it to all scores; the lambdas come step by step, the rest is quick. They are those at
   * the scores `at`, or at the sum of all trees so far. Leaf values are multiplied by `weight`.
   */
  *grow(
    iteration: number,
    { at, weight = 1 }: { readonly at?: Float32Array; readonly weight?: number } = {},
  ): Steps<GrownTreeWithValues> {
    const { options } = this.#job;
    const { memory, parts } = this.#threads;
    const { arrays, layout, tree: treeRecord } = memory;
    this.#order.follow(this.#shortTiles);
    yield* this.#lambdas(iteration, at);
    treeRecord.rows = this.#chooseRows(iteration);
    this.#beginSpans(treeRecord.rows);
    if (treeRecord.rows < layout.rows) this.#order.toPlaces(arrays.index.subarray(0, treeRecord.rows));
    this.#setScales();
    this.#chooseFeatures(iteration);
    this.#threads.play('quantise', parts.length);
    // Without l2, a side of no hessian would gain infinitely much.
    treeRecord.leastHessian = options.l2 > 0 ? options.minHessian : Math.max(options.minHessian, Number.MIN_VALUE);
    treeRecord.leastGain = options.minGain;
    treeRecord.leastDocuments = Math.min(options.minDocuments, NO_NODE);
    treeRecord.levelSmoothing = options.levelSmoothing;
    treeRecord.leastLevel = Math.min(options.minLevelDocuments, NO_NODE);
    treeRecord.oneHotLevels = Math.min(options.oneHotLevels, WIDE_BINS);
    treeRecord.randomThresholds = Number(options.randomThresholds);
    treeRecord.squares = Number(options.split === 'squares');
    const { tree, leaves, parentSteps } = growTree(this.#work, {
      leaves: options.leaves,
      depth: options.depth || Infinity,
      leastDocuments: options.minDocuments,
      key: hash32(hash32(this.#job.seed, iteration), 0),
      step: (sums, parent) => this.#threads.thread.stepOf(sums, parent),
    });
    settleMissing(this.#threads, tree);
    treeRecord.leaves = leaves.length;
    const values = this.#leafValues(leaves, parentSteps, weight);
    const sampled = treeRecord.rows < layout.rows;
    if (!sampled) this.#threads.play('addLeaves', layout.sections);
    this.#addTo(tree, sampled ? ['validation', 'training'] : ['validation']);
    if (!sampled) this.#order.grew();
    return {
      tree: treeInValues(this.#threads, tree, values),
      grown: tree,
      pairs: this.#pairs(),
    };
  }

  /**
   * New values of the leaves of a tree, which each document's leaf is known of, at the scores as they are; then they
   * are added. `valueAt` has the step of a leaf, undefined where no document reaches it.
   */
  *refit(
    iteration: number,
    leafOf: { readonly training: Float64Array; readonly validation: Float64Array | undefined },
    leaves: number,
    valueAt: (step: number | undefined, leaf: number) => number,
  ): Steps<{ values: Float64Array; pairs: number }> {
    const { arrays, tree, layout } = this.#threads.memory;
    yield* this.#lambdas(iteration);
    this.#setScales();
    tree.leaves = leaves;
    const { tieOrder, thread } = this.#threads;
    const leafOfRow = (row: number) => leafOf.training[tieOrder[row]!]!;
    const documents = placeByLeaf(thread.job.sections, leafOfRow, leaves, arrays);
    this.#ranks.sum(new Int32Array(documents.buffer));
    this.#sumLeaves(leaves);
    for (let leaf = 0; leaf < leaves; leaf++) {
      const [lambda, hessian] = this.#leafSums(leaf);
      const step = nodeStep({ lambda, hessian, documents: documents[leaf]! }, undefined, tree);
      arrays.leafValues[leaf] = valueAt(documents[leaf] === 0 ? undefined : step, leaf);
      refuseInfiniteValue(arrays.leafValues[leaf]!);
    }
    this.#threads.play('addLeaves', layout.sections);
    leafOf.validation?.forEach((leaf, i) => {
      this.validationScores[i]! += arrays.leafValues[leaf]!;
    });
    return { values: Float64Array.from(arrays.leafValues.subarray(0, leaves)), pairs: this.#pairs() };
  }

  /** All rows that a tree is grown from are those of leaf 0. */
  #beginSpans(rows: number): void {
    const { memory, thread } = this.#threads;
    const { arrays, layout } = memory;
    const { sections } = thread.job;
    const spans = rows < layout.rows ? spansOf(sections, arrays.index.subarray(0, rows)) : sections.map(spanOf);
    arrays.spans.set(spans.flat());
  }

  #pairs(): number {
    const { pairs } = this.#threads.memory.arrays;
    return gatherNumbers(this.#ranks, pairs).reduce((sum, part) => sum + part, 0);
  }

  *#lambdas(iteration: number, at?: Float32Array): Steps<void> {
    const { options, objective } = this.#job;
    const { tree } = this.#threads.memory;
    tree.iteration = iteration;
    tree.newton = Number(options.step === 'newton' || (options.step === 'auto' && objective.hessian === 'positive'));
    tree.l1 = options.l1;
    tree.l2 = options.l2;
    tree.maxStep = options.maxStep || Infinity;
    tree.pathSmoothing = options.pathSmoothing;
    const sums = at && this.scores.slice();
    if (at !== undefined) this.scores.set(at);
    yield* this.#threads.steps('lambdas', this.#threads.parts.length);
    if (sums !== undefined) this.scores.set(sums);
  }

  /** Powers of two that take the sums of all magnitudes to at most 2^30 (32-bit cells) and 2^51 (exact leaf sums). */
  #setScales(): void {
    const { arrays, tree } = this.#threads.memory;
    const sums = gatherNumbers(this.#ranks, arrays.sums);
    let lambda = 0;
    let hessian = 0;
    for (let i = 0; i < sums.length; i += 2) {
      lambda += sums[i]!;
      hessian += sums[i + 1]!;
    }
    if (!Number.isFinite(lambda + hessian)) {
      throw new ListwiseError(
        'lambda-invalid',
        `the lambdas of ${this.#job.objective.spec} times weights are too large for 32-bit numbers: their sum is ${lambda}, that of hessians ${hessian}; ` +
          'scale weights or labels down, or lower the rate',
      );
    }
    if (tree.iteration === 1 && lambda > 0 && lambda * LARGEST_SCALE < 2 ** 29) {
      throw new ListwiseError(
        'lambda-invalid',
        `the lambdas of ${this.#job.objective.spec} times weights are too small for 32-bit numbers: their sum is ${lambda}; scale weights or labels up`,
      );
    }
    // Where trees fit so well that next to nothing is left, what is left comes in fewer steps.
    tree.lambdaScale = Math.min(powerBelow(2 ** 30, lambda), LARGEST_SCALE);
    tree.hessianScale = Math.min(powerBelow(2 ** 30, hessian), LARGEST_SCALE);
    tree.exactLambdaScale = powerBelow(2 ** 51, lambda);
    tree.exactHessianScale = powerBelow(2 ** 51, hessian);
  }

  #chooseFeatures(iteration: number): void {
    const { featureShare, nodeFeatureShare } = this.#job.options;
    const { memory, thread } = this.#threads;
    const chosen = new Uint8Array(memory.layout.features);
    chooseFeatures(chosen, featureShare, this.#job.seed, iteration);
    this.#work.features = { tree: chosen, share: nodeFeatureShare, groups: thread.job.groups };
  }

  /** The rows of this tree, in the index; returns how many. */
  #chooseRows(iteration: number): number {
    const { seed, options } = this.#job;
    const { memory, seen, parts } = this.#threads;
    const { arrays, layout, at, oneSide } = memory;
    if (options.queryShare < 1) return chooseRows(arrays.index, seen, options.queryShare, seed, iteration, this.#ranks);
    // Of every row, threads fill the index.
    if (!isOneSided(options, iteration)) return layout.rows;
    const magnitudes = new Float32Array(memory.memory.buffer, at.scratch, layout.rows);
    this.#threads.play('magnitudes', parts.length);
    oneSide.write(oneSideOf(options, magnitudes, seed, iteration, this.#ranks));
    this.#threads.play('oneSide', parts.length);
    let n = 0;
    for (let row = 0; row < layout.rows; row++) if (magnitudes[row]! > 0) arrays.index[n++] = row;
    return n;
  }

  #leafValues(of: GrowthResult['leaves'], parentSteps: readonly number[], weight: number): Float32Array {
    const { monotone } = this.#job.options;
    const rate = weight * this.#job.options.rate;
    const leaves = parentSteps.length;
    const { arrays, tree } = this.#threads.memory;
    this.#sumLeaves(leaves);
    const values = arrays.leafValues.subarray(0, leaves);
    for (let leaf = 0; leaf < leaves; leaf++) {
      const [lambda, hessian] = this.#leafSums(leaf);
      const { documents, bounds } = of[leaf]!;
      values[leaf] =
        monotone.length > 0
          ? rate * boundedValue(lambda, hessian + tree.l2, bounds)
          : nodeStep({ lambda, hessian, documents }, parentSteps[leaf]!, tree, rate);
      refuseInfiniteValue(values[leaf]!);
    }
    return values;
  }

  /** The exact sums of a leaf, in real numbers: lambda and hessian. */
  #leafSums(leaf: number): [number, number] {
    const { arrays, tree } = this.#threads.memory;
    return [
      arrays.leafSums[2 * leaf]! / tree.exactLambdaScale,
      arrays.leafSums[2 * leaf + 1]! / tree.exactHessianScale,
    ];
  }

  /** Exact sums of all leaves, over the sections of all ranks: whole numbers below 2^51, in any order. */
  #sumLeaves(leaves: number): void {
    const { arrays, layout } = this.#threads.memory;
    this.#threads.play('leafSums', layout.sections);
    const sums = arrays.leafSums.subarray(0, 2 * leaves).fill(0);
    for (let section = 0; section < layout.sections; section++) {
      for (let i = 0; i < sums.length; i++) sums[i]! += arrays.sectionSums[section * sums.length + i]!;
    }
    this.#ranks.sum(sums);
  }

  /** Adds the tree, whose leaf values are in place. */
  #addTo(tree: GrownTree, to: readonly ScoredData[]): void {
    const { validationRows, rows } = this.#threads.memory.layout;
    if (validationRows === 0 && !to.includes('training')) return;
    writeNodes(this.#threads, tree);
    if (to.includes('validation')) this.#threads.play('addTree', Math.ceil(validationRows / CHUNK_ROWS));
    if (to.includes('training')) this.#threads.play('addTreeToAll', Math.ceil(rows / CHUNK_ROWS));
  }

  /** A tree of an earlier run as models have it. */
  inValues(tree: GrownTree, values: ArrayLike<number>): Tree {
    return treeInValues(this.#threads, tree, Float32Array.from(values));
  }

  /** Adds a tree with other leaf values to scores. */
  add(tree: GrownTree, values: ArrayLike<number>, ...to: readonly ScoredData[]): void {
    this.#threads.memory.arrays.leafValues.set(values);
    this.#addTo(tree, to);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

/** The largest power of two whose product with `sum` is at most `limit`; 1 where there is nothing to scale. */
function powerBelow(limit: number, sum: number): number {
  return sum > 0 ? 2 ** Math.floor(Math.log2(limit / sum)) : 1;
}

function refuseInfiniteValue(value: number): void {
  if (Number.isFinite(value)) return;
  throw new ListwiseError(
    'training-diverged',
    `the value of a leaf is ${value}; lower the rate, or raise l2 or min-hessian`,
  );
}
