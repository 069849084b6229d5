/** Tasks that take a grown tree to the scores: sums of its leaves, and their values to rows. */
import { CHUNK_ROWS } from '../memory/layout.js';
import { REAL, WHOLE } from '../memory/task-numbers.js';
import type { TaskThread } from './task-thread.js';

export class ScoreTasks {
  readonly #thread: TaskThread;

  constructor(thread: TaskThread) {
    this.#thread = thread;
  }

  leafSums(leaf: number): void {
    const { at } = this.#thread.job.layout;
    const { real } = this.#thread.job.numbers;
    const { index, documents } = this.#leafRows(leaf);
    this.#thread.kernels.leaves.sumRows(
      index,
      documents,
      at.lambdas,
      real[REAL.exactLambdaScale]!,
      real[REAL.exactHessianScale]!,
      at.leafSums + 16 * leaf,
    );
  }

  addLeaf(leaf: number): void {
    const { at } = this.#thread.job.layout;
    const { index, documents } = this.#leafRows(leaf);
    this.#thread.kernels.leaves.addToRows(index, documents, this.#thread.floats[at.leafValues / 4 + leaf]!, at.scores);
  }

  #leafRows(leaf: number): { index: number; documents: number } {
    const { whole } = this.#thread.job.numbers;
    return {
      index: this.#thread.job.layout.at.index + 4 * whole[WHOLE.leaves + 2 * leaf]!,
      documents: whole[WHOLE.leaves + 2 * leaf + 1]!,
    };
  }

  addTree(part: number): void {
    const { at, validationRows } = this.#thread.job.layout;
    this.#addTreeTo(at.validation, validationRows, at.validationScores, part);
  }

  addTreeToAll(part: number): void {
    const { at, rows } = this.#thread.job.layout;
    this.#addTreeTo(at.rows, rows, at.scores, part);
  }

  #addTreeTo(bins: number, rows: number, scores: number, part: number): void {
    const { at } = this.#thread.job.layout;
    const { stride } = this.#thread.columns;
    const first = CHUNK_ROWS * part;
    const last = Math.min(first + CHUNK_ROWS, rows);
    this.#thread.kernels.leaves.addTree(bins, stride, first, last, at.nodes, at.sides, at.leafValues, scores);
  }
}
