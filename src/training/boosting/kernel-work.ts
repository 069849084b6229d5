/** The grower's work by kernels and threads. */

import { fillSides } from './columns.js';
import type { NodeWork, OpenNode, Split, Sums } from './grower.js';
import type { Layout } from './layout.js';
import { CHUNK_ROWS, SPLIT_BYTES } from './layout.js';
import { TASK, type TaskNumbers, WHOLE } from './task-numbers.js';
import type { TreeTasks } from './tree-tasks.js';

/** Chunks of a node's rows that are worth sharing out. */
const CHUNKS_FOR_THREADS = 3;

export class KernelWork implements NodeWork {
  readonly #memory: WebAssembly.Memory;
  readonly #layout: Layout;
  readonly #numbers: TaskNumbers;
  readonly #tasks: TreeTasks;
  readonly #play: (kind: number, count: number) => void;

  constructor(
    memory: WebAssembly.Memory,
    layout: Layout,
    numbers: TaskNumbers,
    tasks: TreeTasks,
    play: (kind: number, count: number) => void,
  ) {
    this.#memory = memory;
    this.#layout = layout;
    this.#numbers = numbers;
    this.#tasks = tasks;
    this.#play = play;
  }

  root(): { sums: Sums; split: Split | undefined } {
    this.#play(TASK.root, this.#tasks.columns.tiles);
    return { sums: this.#tasks.rootSums(0), split: this.#bestOf(0) };
  }

  partition(node: OpenNode, split: Split): void {
    const { at, rows, byColumn } = this.#layout;
    const { whole } = this.#numbers;
    const goesLeft = new Uint8Array(this.#memory.buffer, at.goesLeft, 256);
    const { columns } = this.#tasks;
    const column = columns.column[split.feature]!;
    fillSides(goesLeft, columns, split);
    whole[WHOLE.bins] = byColumn ? at.columns + column * rows : at.tiles + (column >> 3) * 8 * rows + (column & 7);
    whole[WHOLE.binsShift] = byColumn ? 0 : 3;
    whole[WHOLE.start] = node.start;
    whole[WHOLE.documents] = node.sums.documents;
    whole[WHOLE.count] = split.left.documents;
    const chunks = Math.ceil(node.sums.documents / CHUNK_ROWS);
    this.#playChunks(TASK.partition, chunks);
    const lefts = new Int32Array(this.#memory.buffer, at.lefts, 2 * chunks);
    let left = 0;
    for (let chunk = 0; chunk < chunks; chunk++) {
      lefts[2 * chunk + 1] = left;
      left += lefts[2 * chunk]!;
    }
    if (left !== split.left.documents) throw new Error(`partition of ${left}, split of ${split.left.documents}`);
    this.#playChunks(TASK.place, chunks);
  }

  children(parent: OpenNode, left: OpenNode, right: OpenNode): [Split | undefined, Split | undefined] {
    const { whole } = this.#numbers;
    const [small, large] = left.sums.documents <= right.sums.documents ? [left, right] : [right, left];
    whole[WHOLE.start] = small.start;
    whole[WHOLE.documents] = small.sums.documents;
    whole[WHOLE.smallSlot] = small.slot;
    whole[WHOLE.parentSlot] = parent.slot;
    const shares = Math.min(this.#layout.threads, this.#tasks.columns.tiles);
    whole[WHOLE.shares] = shares;
    this.#setSums(WHOLE.force, small.sums);
    this.#setSums(WHOLE.otherForce, large.sums);
    this.#play(TASK.children, shares);
    const [ofSmall, ofLarge] = [this.#bestOf(0), this.#bestOf(1)];
    return small === left ? [ofSmall, ofLarge] : [ofLarge, ofSmall];
  }

  /** Few chunks are done sooner than other threads are woken. */
  #playChunks(kind: number, chunks: number): void {
    if (chunks >= CHUNKS_FOR_THREADS) this.#play(kind, chunks);
    else for (let chunk = 0; chunk < chunks; chunk++) this.#tasks.run(kind, chunk);
  }

  #setSums(at: number, sums: Sums): void {
    const { whole } = this.#numbers;
    whole[at] = sums.force;
    whole[at + 1] = sums.curvature;
    whole[at + 2] = sums.documents;
  }

  /** The best of all features' splits on a side; of equals the lower feature. */
  #bestOf(side: number): Split | undefined {
    const { at, features } = this.#layout;
    const base = at.splits + side * features * SPLIT_BYTES;
    const reals = new Float64Array(this.#memory.buffer, base, (features * SPLIT_BYTES) / 8);
    let best = -1;
    let gain = 0;
    for (let f = 0; f < features; f++) {
      const own = reals[(f * SPLIT_BYTES) / 8]!;
      if (own > gain) {
        gain = own;
        best = f;
      }
    }
    if (best < 0) return undefined;
    const whole = new Int32Array(this.#memory.buffer, base + best * SPLIT_BYTES, SPLIT_BYTES / 4);
    return {
      gain,
      feature: best,
      bin: whole[2]!,
      missingLeft: whole[3] === 1,
      left: { force: whole[4]!, curvature: whole[5]!, documents: whole[6]! },
    };
  }
}
