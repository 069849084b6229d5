/** Orders of rows along earlier lines: those of lines with the same slopes are nearly sorted from the start. */

/** All orders together; beyond, an order is that of the line before. */
const MOST_BYTES = 2 ** 27;

export class LineOrders {
  readonly #order: Uint32Array;
  readonly #kept = new Map<number, Uint32Array>();

  /** The order at hand. */
  constructor(order: Uint32Array) {
    this.#order = order;
  }

  /** Makes the order of the last line of this name the one at hand. */
  recall(name: number): void {
    const kept = this.#kept.get(name);
    if (kept !== undefined) this.#order.set(kept);
  }

  keep(name: number): void {
    const kept = this.#kept.get(name);
    if (kept !== undefined) kept.set(this.#order);
    else if ((this.#kept.size + 1) * this.#order.byteLength <= MOST_BYTES) this.#kept.set(name, this.#order.slice());
  }
}
