/** The grower's work by kernels and threads. */
import { BLOCK_ROWS, CELL, TILE_BYTES, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
import type { Transport } from '../../../ranks/transport.js';
import { fillSides } from '../binning/columns.js';
import { CHUNK_ROWS } from '../memory/layout.js';
import { GAINS_APART, gainsOf, rootSums, TILE_PARTS } from '../tasks/histogram-tasks.js';
import type { TreeThreads } from '../tree-threads.js';
import type { NodeWork, OpenNode, Split, Sums } from './grower.js';
import { type Bounds, boundedValue, boundsBelow, NO_BOUNDS } from './monotone.js';
import { type NodeFeatures, nodeMask } from './node-features.js';
import { readSplit, type TilePiece, tilePiece, writeSplit } from './rank-splits.js';

/** What the splits of a node by wide categories depend on. */
type WideNode = Pick<OpenNode, 'start' | 'rows' | 'sums' | 'step' | 'key' | 'bounds'>;

/** Chunks of a node's rows that are worth sharing out. */
const CHUNKS_FOR_THREADS = 3;
/**
 * Rows of a node, for each thread, from which on threads take rows instead of tiles to build its histogram: every row
 * is then fetched once, for the price of adding up the parts.
 */
const ROWS_FOR_PARTS = 4096;

export class KernelWork implements NodeWork {
  readonly #threads: TreeThreads;
  readonly #ranks: Transport;
  /** Of the tree; set before it is grown. */
  features: NodeFeatures = { tree: new Uint8Array(0), share: 1 };
  readonly #gains: Float64Array;
  /** Once there are columns. */
  #known: TilePiece | undefined;

  constructor(threads: TreeThreads, ranks: Transport) {
    this.#threads = threads;
    this.#ranks = ranks;
    this.#gains = gainsOf(threads.memory);
  }

  root(key: number): { rows: number; sums: Sums; split: Split | undefined } {
    const { thread, memory } = this.#threads;
    memory.children.key = key;
    this.#chooseFeatures(0, key, []);
    const { tiles } = thread.columns;
    const { rows } = memory.tree;
    const { first, count } = this.#piece;
    memory.children.firstTile = first;
    memory.children.start = 0;
    memory.children.rows = rows;
    memory.children.slot = 0;
    const whole = rows === memory.layout.rows;
    this.#beginRows(whole);
    if (whole) this.#threads.play('tileRows', TILE_PARTS * tiles);
    else this.#threads.play('nodeRows', Math.ceil(rows / BLOCK_ROWS));
    this.#sumRanks();
    this.#threads.play('root', count);
    // Rank 0 has the first tile.
    const [lambda, hessian, documents] = this.#ranks.gatherAlike(rootNumbers(rootSums(thread, first)));
    const sums = { lambda: lambda!, hessian: hessian!, documents: documents! };
    this.#playWide([{ start: 0, rows, sums, step: thread.stepOf(sums, undefined), key, bounds: NO_BOUNDS }]);
    return { rows, sums, split: this.#bestSplits(1)[0] };
  }

  /** The tiles whose histograms and splits are this rank's. */
  get #piece(): TilePiece {
    return (this.#known ??= tilePiece(this.#threads.thread, this.#ranks));
  }

  /** Before rows of the node at hand are added up. */
  #beginRows(whole: boolean): void {
    const { layout, children, held } = this.#threads.memory;
    children.whole = Number(whole);
    for (let thread = 0; thread < layout.threads; thread++) {
      held.at(thread).write({ documents: 0, lambda: 0, hessian: 0, full: 0 });
    }
  }

  /** Where there are several ranks: what the threads of all have added up of its tiles comes to a rank's slot. */
  #sumRanks(): void {
    const { at, memory, children } = this.#threads.memory;
    children.summed = Number(this.#ranks.size > 1);
    if (this.#ranks.size === 1) return;
    const { tiles } = this.#threads.thread.columns;
    this.#threads.play('takeParts', tiles);
    const bytes = tiles * TILE_BYTES;
    const slot = new Int32Array(memory.buffer, at.histograms + children.slot * bytes, bytes / 4);
    this.#ranks.sumPieces(slot, this.#piece.numbers);
  }

  bounds(node: OpenNode, split: Split, right: Sums): [Bounds, Bounds] {
    const { monotone } = this.#threads.thread.job;
    if (monotone === undefined) return [NO_BOUNDS, NO_BOUNDS];
    const { lambdaScale, hessianScale, l2 } = this.#threads.memory.tree;
    return boundsBelow(split, right, node.bounds, monotone[split.feature]!, ({ lambda, hessian }, bounds) =>
      boundedValue(lambda * (1 / lambdaScale), hessian * (1 / hessianScale) + l2, bounds),
    );
  }

  partition(node: OpenNode, split: Split): number {
    const { at, layout, arrays, partition, chunks } = this.#threads.memory;
    const { rows, byColumn } = layout;
    const { columns } = this.#threads.thread;
    const column = columns.column[split.feature]!;
    const tile = at.tiles + (column - (column % TILE_COLUMNS)) * rows + (column % TILE_COLUMNS);
    const wide = this.#threads.thread.category(split.feature)?.wide;
    if (wide === undefined) fillSides(arrays.goesLeft, columns, split);
    else {
      arrays.goesLeft.fill(0);
      for (const bin of split.levels ?? []) arrays.goesLeft[bin] = 1;
    }
    const narrow = byColumn ? at.columns + column * rows : tile;
    partition.write({
      start: node.start,
      documents: node.rows,
      leftDocuments: 0,
      bins: wide === undefined ? narrow : at.wide + 2 * rows * wide,
      binsShift: byColumn ? 0 : Math.log2(TILE_COLUMNS),
      wide: Number(wide !== undefined),
    });
    const count = Math.ceil(node.rows / CHUNK_ROWS);
    this.#playChunks('partition', count);
    let left = 0;
    for (let i = 0; i < count; i++) {
      const chunk = chunks.at(i);
      chunk.before = left;
      left += chunk.lefts;
    }
    if (this.#ranks.size === 1 && left !== split.left.documents) {
      throw new Error(`partition of ${left}, split of ${split.left.documents}`);
    }
    partition.leftDocuments = left;
    this.#playChunks('place', count);
    return left;
  }

  children(parent: OpenNode, left: OpenNode, right: OpenNode): [Split | undefined, Split | undefined] {
    const [small, large] = left.sums.documents <= right.sums.documents ? [left, right] : [right, left];
    const { threads } = this.#threads.memory.layout;
    const { tiles } = this.#threads.thread.columns;
    const { first, count } = this.#piece;
    const byRows = this.#ranks.size > 1 || (threads > 1 && small.rows >= ROWS_FOR_PARTS * threads);
    const shares = Math.min(threads, tiles);
    this.#chooseFeatures(0, small.key, small.path);
    this.#chooseFeatures(1, large.key, large.path);
    this.#threads.memory.children.write({
      byRows: Number(byRows),
      summed: 0,
      whole: 0,
      shares,
      firstTile: first,
      start: small.start,
      rows: small.rows,
      ...small.sums,
      step: small.step,
      key: small.key,
      slot: small.slot,
      largeDocuments: large.sums.documents,
      largeLambda: large.sums.lambda,
      largeHessian: large.sums.hessian,
      largeStep: large.step,
      largeKey: large.key,
      largeSlot: parent.slot,
      ...small.bounds,
      largeLeast: large.bounds.least,
      largeMost: large.bounds.most,
    });
    if (byRows) {
      this.#beginRows(false);
      this.#threads.play('nodeRows', Math.ceil(small.rows / BLOCK_ROWS));
      this.#sumRanks();
    }
    this.#threads.play('children', byRows ? count : shares);
    this.#playWide([small, large]);
    const [ofSmall, ofLarge] = this.#bestSplits(2);
    return small === left ? [ofSmall, ofLarge] : [ofLarge, ofSmall];
  }

  /** Features that a node on a side may be split by. */
  #chooseFeatures(side: number, key: number, path: readonly number[]): void {
    const { arrays, layout } = this.#threads.memory;
    arrays.mask.set(nodeMask(this.features, key, path), side * layout.features);
  }

  /** Categories of 16-bit bins, which most data has not, of a node on each side. */
  #playWide(nodes: readonly WideNode[]): void {
    const { layout, arrays, sides } = this.#threads.memory;
    const { wide, wideCells } = layout;
    if (wide === 0) return;
    nodes.forEach(({ start, rows, sums, step, key, bounds }, side) => {
      sides.at(side).write({ start, rows, ...sums, step, key, ...bounds });
    });
    this.#threads.play('wideCells', nodes.length * wide);
    this.#ranks.sum(arrays.wideCells.subarray(0, nodes.length * wide * wideCells * (CELL.bytes / 4)));
    this.#threads.play('wideSplits', nodes.length * wide);
  }

  /** Few chunks are done sooner than other threads are woken. */
  #playChunks(name: 'partition' | 'place', chunks: number): void {
    if (chunks >= CHUNKS_FOR_THREADS) this.#threads.play(name, chunks);
    else this.#threads.playAlone(name, chunks);
  }

  /** The best splits of so many sides, over the features of all ranks; of equals the lower feature. */
  #bestSplits(sides: number): (Split | undefined)[] {
    const own = Array.from({ length: sides }, (_, side) => this.#bestOf(side));
    if (this.#ranks.size === 1) return own;
    const { length } = this.#piece;
    const sent = new Float64Array(sides * length);
    for (const [side, split] of own.entries()) writeSplit(split, sent.subarray(side * length, (side + 1) * length));
    const all = this.#ranks.gatherAlike(sent);
    return own.map((_, side) => {
      let best: Split | undefined;
      for (let at = side * length; at < all.length; at += sides * length) {
        const split = readSplit(all.subarray(at, at + length), this.#threads.thread);
        if (split === undefined) continue;
        const gains = split.gain - (best?.gain ?? 0);
        if (gains > 0 || (gains === 0 && best !== undefined && split.feature < best.feature)) best = split;
      }
      return best;
    });
  }

  /** Of the features of this rank. */
  #bestOf(side: number): Split | undefined {
    const { layout, splits } = this.#threads.memory;
    const first = side * layout.features;
    let best = -1;
    let gain = 0;
    for (const f of this.#piece.features) {
      const own = this.#gains[(first + f) * GAINS_APART]!;
      if (own > gain) {
        gain = own;
        best = f;
      }
    }
    if (best < 0) return undefined;
    const { bin, missingLeft, lambda, hessian, documents } = splits.at(first + best);
    const left = { lambda, hessian, documents };
    const levels = this.#threads.thread.levelsLeft(best, side);
    return { gain, feature: best, bin, missingLeft: missingLeft === 1, levels, left };
  }
}

function rootNumbers({ lambda, hessian, documents }: Sums): Float64Array {
  return Float64Array.of(lambda, hessian, documents);
}
