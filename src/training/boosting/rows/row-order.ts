/**
 * The order in which bins are held. Documents come query by query, and those of a node lie scattered among all of them:
 * to fetch their bins from memory takes nearly as long as to add them up. So bins are put in the order of the leaves of
 * the first tree: later trees split alike, and most documents of their nodes lie side by side. Orders of later trees
 * gained no more than they cost. Short rows (short-rows.ts) lie side by side. Sums are integers, so no order changes a
 * tree.
 */
import type { TreeThreads } from '../tree-threads.js';
import { orderByNames } from './short-rows.js';
import { storeRows } from './stored-rows.js';

export class RowOrder {
  readonly #threads: TreeThreads;
  /** Whether a tree of all rows was grown: the index then has them leaf by leaf. */
  #isByLeaf = false;
  /** Whether rows are at other places than their own. */
  #isOrdered = false;

  constructor(threads: TreeThreads) {
    this.#threads = threads;
    const { order } = threads.memory.arrays;
    for (let row = 0; row < order.length; row++) order[row] = row;
  }

  /** After a tree of all rows. */
  grew(): void {
    this.#isByLeaf = true;
  }

  /** Before a tree: once, after the first one. In so many of the first tiles rows may be short. */
  follow(tiles: number): void {
    const { byColumn, wide } = this.#threads.memory.layout;
    if (!this.#isByLeaf || this.#isOrdered || !byColumn || wide > 0) return;
    const { memory, thread } = this.#threads;
    const { order, index } = memory.arrays;
    orderByNames(this.#threads, tiles);
    this.#threads.play('reorder', thread.columns.features.length);
    storeRows(this.#threads);
    order.set(index);
    this.#isOrdered = true;
  }

  /** Replaces rows by their places, which rise. */
  toPlaces(rows: Uint32Array): void {
    if (!this.#isOrdered) return;
    const { order } = this.#threads.memory.arrays;
    const isTaken = new Uint8Array(order.length);
    for (const row of rows) isTaken[row] = 1;
    let n = 0;
    for (let place = 0; place < order.length; place++) if (isTaken[order[place]!] === 1) rows[n++] = place;
  }
}
