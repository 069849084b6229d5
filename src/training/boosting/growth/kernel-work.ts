/** The grower's work by kernels and threads. */
import { CELL, SPLIT, TILE_BYTES } from '../../../kernels/layouts/boosting.js';
import { hash32 } from '../../../numeric/random.js';
import type { Transport } from '../../../ranks/transport.js';
import { fillSides } from '../binning/columns.js';
import type { RunMemory } from '../memory/run-memory.js';
import { spanAt } from '../rows/sections.js';
import type { TreeThreads } from '../tree-threads.js';
import type { NodeWork, OpenNode, Split, Sums } from './grower.js';
import { type Bounds, boundedValue, boundsBelow, NO_BOUNDS } from './monotone.js';
import { type NodeFeatures, nodeMask } from './node-features.js';
import { readSplit, type TilePiece, tilePiece, writeSplit } from './rank-splits.js';

/** Numbers from one split's gain to the next. */
const GAINS_APART = SPLIT.bytes / 8;

/** The gains of splits, of each feature on each side, and what else is written there between. */
function gainsOf({ memory, at, layout }: RunMemory): Float64Array {
  return new Float64Array(memory.buffer, at.splits, 2 * layout.features * GAINS_APART);
}

/** What the splits of a node depend on. */
type SplitNode = Pick<OpenNode, 'leaf' | 'slot' | 'sums' | 'step' | 'bounds'>;

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

  root(key: number): { sums: Sums; split: Split | undefined } {
    const { thread, memory } = this.#threads;
    this.#chooseFeatures(0, key, []);
    memory.children.leaf = 0;
    const whole = memory.tree.rows === memory.layout.rows;
    this.#beginRows(whole);
    if (whole) this.#threads.play('sectionRows', memory.layout.sections * thread.columns.tiles);
    else this.#threads.play('leafRows', memory.layout.sections);
    const sums = this.#addedUp();
    const step = thread.stepOf(sums, undefined);
    const [split] = this.#bestOfNodes([{ leaf: 0, slot: 0, sums, step, bounds: NO_BOUNDS }]);
    return { sums, split };
  }

  /** The tiles whose histograms and splits are this rank's. */
  get #piece(): TilePiece {
    return (this.#known ??= tilePiece(this.#threads.thread, this.#ranks));
  }

  /** Before rows of the node at hand are added up. */
  #beginRows(whole: boolean): void {
    const { children, arrays } = this.#threads.memory;
    children.whole = Number(whole);
    arrays.held.fill(0);
  }

  /** Sums of all rows that the threads of all ranks have added up. */
  #addedUp(): Sums {
    const sums = new Int32Array(3);
    for (const { allLambda, allHessian, allDocuments } of this.#threads.memory.held) {
      sums[0]! += allLambda;
      sums[1]! += allHessian;
      sums[2]! += allDocuments;
    }
    this.#ranks.sum(sums);
    return { lambda: sums[0]!, hessian: sums[1]!, documents: sums[2]! };
  }

  /** Where there are several ranks: what the threads of all have added up of its tiles comes to a rank's slot. */
  #sumRanks(): void {
    const { at, memory, children } = this.#threads.memory;
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

  divide(
    _node: OpenNode,
    split: Split,
    { left, right, mayGrow }: { readonly left: OpenNode; readonly right: OpenNode; readonly mayGrow: boolean },
  ): [Split | undefined, Split | undefined] {
    const { memory } = this.#threads;
    const [small, large] = left.sums.documents <= right.sums.documents ? [left, right] : [right, left];
    this.#writeDivision(split, left, right);
    memory.children.leaf = mayGrow ? small.leaf : -1;
    this.#beginRows(false);
    this.#threads.play('divide', memory.layout.sections);
    this.#checkDivision(left, split);
    if (!mayGrow) return [undefined, undefined];
    this.#chooseFeatures(0, small.key, small.path);
    this.#chooseFeatures(1, large.key, large.path);
    const [ofSmall, ofLarge] = this.#bestOfNodes([small, large]);
    return small === left ? [ofSmall, ofLarge] : [ofLarge, ofSmall];
  }

  #writeDivision(split: Split, left: OpenNode, right: OpenNode): void {
    const { at, layout, arrays, division } = this.#threads.memory;
    const { columns } = this.#threads.thread;
    const { bytes, apart } = this.#threads.thread.bytesOf(columns.column[split.feature]!);
    const wide = this.#threads.thread.category(split.feature)?.wide;
    if (wide === undefined) fillSides(arrays.goesLeft, columns, split);
    else {
      arrays.goesLeft.fill(0);
      for (const bin of split.levels ?? []) arrays.goesLeft[bin] = 1;
    }
    division.write({
      leaf: left.leaf,
      newLeaf: right.leaf,
      bins: wide === undefined ? bytes : at.wide + 2 * layout.rows * wide,
      binsShift: Math.log2(apart),
      wide: Number(wide !== undefined),
    });
  }

  /** What went left is what the histogram said: anything else is a fault here. */
  #checkDivision({ leaf }: OpenNode, split: Split): void {
    if (this.#ranks.size > 1) return;
    const { arrays, layout } = this.#threads.memory;
    let lefts = 0;
    for (let section = 0; section < layout.sections; section++) {
      lefts += arrays.spans[spanAt(leaf, section, layout.sections) + 1]!;
    }
    if (lefts !== split.left.documents) throw new Error(`partition of ${lefts}, split of ${split.left.documents}`);
  }

  /** The best splits of the root or of two children, once the rows of the first one are added up. */
  #bestOfNodes(nodes: readonly SplitNode[]): (Split | undefined)[] {
    const { memory, thread } = this.#threads;
    const { children, sides } = memory;
    const { first, count } = this.#piece;
    children.two = nodes.length - 1;
    children.summed = Number(this.#ranks.size > 1);
    children.firstTile = first;
    children.slot = nodes[0]!.slot;
    nodes.forEach(({ leaf, slot, sums, step, bounds }, side) => {
      sides.at(side).write({ leaf, histogram: thread.slotAt(slot), ...sums, step, ...bounds });
    });
    this.#sumRanks();
    this.#threads.play('children', count);
    this.#playWide(nodes.length);
    return this.#bestSplits(nodes.length);
  }

  /** Features that a node on a side may be split by, and what is drawn for each. */
  #chooseFeatures(side: number, key: number, path: readonly number[]): void {
    const { arrays, layout, tree } = this.#threads.memory;
    const first = side * layout.features;
    arrays.mask.set(nodeMask(this.features, key, path), first);
    if (tree.randomThresholds === 0) return;
    for (let f = 0; f < layout.features; f++) arrays.draws[first + f] = hash32(key, f);
  }

  /** Categories of 16-bit bins, which most data has not, of a node on each side. */
  #playWide(nodes: number): void {
    const { layout, arrays } = this.#threads.memory;
    const { wide, wideCells } = layout;
    if (wide === 0) return;
    this.#threads.play('wideCells', nodes * wide);
    this.#ranks.sum(arrays.wideCells.subarray(0, nodes * wide * wideCells * (CELL.bytes / 4)));
    this.#threads.play('wideSplits', nodes * wide);
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
