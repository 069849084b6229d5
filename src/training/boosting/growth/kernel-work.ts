/** The grower's work by kernels and threads. */

import { SPLIT } from '../../../kernels/layouts/boosting.js';
import { fillSides } from '../binning/columns.js';
import { CHUNK_ROWS } from '../memory/layout.js';
import { TASK, WHOLE } from '../memory/task-numbers.js';
import type { TreeThreads } from '../tree-threads.js';
import type { NodeWork, OpenNode, Split, Sums } from './grower.js';

/** Chunks of a node's rows that are worth sharing out. */
const CHUNKS_FOR_THREADS = 3;
/**
 * Rows of a node, for each thread, from which on threads take rows instead of tiles to build its histogram: every row
 * is then fetched once, for the price of adding up the parts.
 */
const ROWS_FOR_PARTS = 4096;

export class KernelWork implements NodeWork {
  readonly #threads: TreeThreads;

  constructor(threads: TreeThreads) {
    this.#threads = threads;
  }

  root(): { sums: Sums; split: Split | undefined } {
    this.#threads.play(TASK.root, this.#threads.tasks.columns.tiles);
    return { sums: this.#threads.tasks.rootSums(0), split: this.#bestOf(0) };
  }

  partition(node: OpenNode, split: Split): void {
    const { at, rows, byColumn } = this.#threads.layout;
    const { whole } = this.#threads.numbers;
    const goesLeft = new Uint8Array(this.#threads.memory.buffer, at.goesLeft, 256);
    const { columns } = this.#threads.tasks;
    const column = columns.column[split.feature]!;
    fillSides(goesLeft, columns, split);
    whole[WHOLE.bins] = byColumn ? at.columns + column * rows : at.tiles + (column >> 3) * 8 * rows + (column & 7);
    whole[WHOLE.binsShift] = byColumn ? 0 : 3;
    whole[WHOLE.start] = node.start;
    whole[WHOLE.documents] = node.sums.documents;
    whole[WHOLE.count] = split.left.documents;
    const chunks = Math.ceil(node.sums.documents / CHUNK_ROWS);
    this.#playChunks(TASK.partition, chunks);
    const lefts = new Int32Array(this.#threads.memory.buffer, at.lefts, 2 * chunks);
    let left = 0;
    for (let chunk = 0; chunk < chunks; chunk++) {
      lefts[2 * chunk + 1] = left;
      left += lefts[2 * chunk]!;
    }
    if (left !== split.left.documents) throw new Error(`partition of ${left}, split of ${split.left.documents}`);
    this.#playChunks(TASK.place, chunks);
  }

  children(parent: OpenNode, left: OpenNode, right: OpenNode): [Split | undefined, Split | undefined] {
    const { whole } = this.#threads.numbers;
    const [small, large] = left.sums.documents <= right.sums.documents ? [left, right] : [right, left];
    whole[WHOLE.start] = small.start;
    whole[WHOLE.documents] = small.sums.documents;
    whole[WHOLE.smallSlot] = small.slot;
    whole[WHOLE.parentSlot] = parent.slot;
    this.#setSums(WHOLE.lambda, small.sums);
    this.#setSums(WHOLE.otherLambda, large.sums);
    const { threads } = this.#threads.layout;
    const { tiles } = this.#threads.tasks.columns;
    const byRows = threads > 1 && small.sums.documents >= ROWS_FOR_PARTS * threads;
    whole[WHOLE.byRows] = Number(byRows);
    whole[WHOLE.shares] = byRows ? threads : Math.min(threads, tiles);
    if (byRows) this.#threads.play(TASK.childRows, threads);
    this.#threads.play(TASK.children, byRows ? tiles : whole[WHOLE.shares]!);
    const [ofSmall, ofLarge] = [this.#bestOf(0), this.#bestOf(1)];
    return small === left ? [ofSmall, ofLarge] : [ofLarge, ofSmall];
  }

  /** Few chunks are done sooner than other threads are woken. */
  #playChunks(kind: number, chunks: number): void {
    if (chunks >= CHUNKS_FOR_THREADS) this.#threads.play(kind, chunks);
    else for (let chunk = 0; chunk < chunks; chunk++) this.#threads.tasks.run(kind, chunk);
  }

  #setSums(at: number, sums: Sums): void {
    const { whole } = this.#threads.numbers;
    whole[at] = sums.lambda;
    whole[at + 1] = sums.hessian;
    whole[at + 2] = sums.documents;
  }

  /** The best of all features' splits on a side; of equals the lower feature. */
  #bestOf(side: number): Split | undefined {
    const { at, features } = this.#threads.layout;
    const base = at.splits + side * features * SPLIT.bytes;
    const reals = new Float64Array(this.#threads.memory.buffer, base, (features * SPLIT.bytes) / 8);
    let best = -1;
    let gain = 0;
    for (let f = 0; f < features; f++) {
      const own = reals[(f * SPLIT.bytes) / 8]!;
      if (own > gain) {
        gain = own;
        best = f;
      }
    }
    if (best < 0) return undefined;
    const whole = new Int32Array(this.#threads.memory.buffer, base + best * SPLIT.bytes, SPLIT.bytes / 4);
    return {
      gain,
      feature: best,
      bin: whole[2]!,
      missingLeft: whole[3] === 1,
      left: { lambda: whole[4]!, hessian: whole[5]!, documents: whole[6]! },
    };
  }
}
