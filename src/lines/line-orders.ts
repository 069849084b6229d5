/** How rows are sorted by slope along earlier lines: lines of one name have the same slopes. */

/** What is kept of all names together. */
const MOST_BYTES = 2 ** 27;

export class LineOrders {
  readonly #firsts: Uint32Array;
  readonly #kept = new Map<number, Uint32Array>();

  /** By row, where rows of its slope begin: what is at hand. */
  constructor(firsts: Uint32Array) {
    this.#firsts = firsts;
  }

  /** Makes that of the last line of this name the one at hand; says whether there was any. */
  recall(name: number): boolean {
    const kept = this.#kept.get(name);
    if (kept !== undefined) this.#firsts.set(kept);
    return kept !== undefined;
  }

  /** Makes that of slopes that are all the same the one at hand. */
  alike(): void {
    this.#firsts.fill(0);
  }

  keep(name: number): void {
    if (this.#kept.has(name) || (this.#kept.size + 1) * this.#firsts.byteLength > MOST_BYTES) return;
    this.#kept.set(name, this.#firsts.slice());
  }
}
