/**
 * The order in which bins are held. Documents come query by query, and those of a node lie scattered among all of them:
 * to fetch their bins from memory takes nearly as long as to add them up. So bins are put in the order of the leaves of
 * the first tree: later trees split alike, and most documents of their nodes lie side by side. Orders of later trees
 * gained no more than they cost. Sums are integers, so no order changes a tree.
 */
import type { TreeThreads } from '../tree-threads.js';
import { storeRows } from './stored-rows.js';

export class RowOrder {
  readonly #threads: TreeThreads;
  /** Whether a tree of all rows was grown: the index then has them leaf by leaf. */
  #isByLeaf = false;
  /** Whether rows are at other places than their own. */
  #isOrdered = false;
  /** Place of each row, once it is asked for. */
  #places: Uint32Array | undefined;

  constructor(threads: TreeThreads) {
    this.#threads = threads;
    const { order } = threads.memory.arrays;
    for (let row = 0; row < order.length; row++) order[row] = row;
  }

  /** After a tree of all rows. */
  grew(): void {
    this.#isByLeaf = true;
  }

  /** Before a tree: once, after the first one. */
  follow(): void {
    const { byColumn, wide } = this.#threads.memory.layout;
    if (!this.#isByLeaf || this.#isOrdered || !byColumn || wide > 0) return;
    const { memory, thread } = this.#threads;
    const { order, index, scratch } = memory.arrays;
    this.#threads.play('reorder', thread.columns.features.length);
    storeRows(this.#threads);
    for (let place = 0; place < order.length; place++) scratch[place] = order[index[place]!]!;
    order.set(scratch);
    this.#isOrdered = true;
  }

  /** Replaces rows by their places. */
  toPlaces(rows: Uint32Array): void {
    if (!this.#isOrdered) return;
    this.#places ??= this.#placesOfRows();
    const places = this.#places;
    for (let i = 0; i < rows.length; i++) rows[i] = places[rows[i]!]!;
  }

  #placesOfRows(): Uint32Array {
    const { order } = this.#threads.memory.arrays;
    const places = new Uint32Array(order.length);
    for (let place = 0; place < order.length; place++) places[order[place]!] = place;
    return places;
  }
}
