/** How long a model takes for a document, from what lists took lately; in milliseconds. */

/** Scoring that would take longer than this is left to threads. */
const LONG_MS = 20;
/** Until it is known how quick a model is, lists of so many documents are long. */
const LONG_LIST = 5000;
/** Shorter lists take as long as a request does, whatever the model: they do not make it slower. */
const TELLING_LIST = 16;

export class Pace {
  /** The mean of late: what a deadline reckons with. */
  #mean = 0;
  /**
   * The least of late: what the model itself needs. A list that was stopped in between, or the first, which compiles,
   * must not send short ones to threads.
   */
  #least = 0;

  /** What n documents are expected to take. */
  expected(n: number): number {
    return this.#mean * n;
  }

  /** Whether n documents would keep other requests waiting. */
  isLong(n: number): boolean {
    return this.#least === 0 ? n >= LONG_LIST : this.#least * n > LONG_MS;
  }

  /** n documents, at least one, took so long; short lists say little of a document. */
  took(milliseconds: number, n: number): void {
    const pace = milliseconds / n;
    if (this.#least === 0) {
      this.#mean = this.#least = pace;
      return;
    }
    this.#mean += Math.min(0.1, n / 1000) * (pace - this.#mean);
    if (pace < this.#least || n >= TELLING_LIST) this.#least = Math.min(pace, 1.01 * this.#least);
  }

  /** A list was not tried: one slow one must not keep the model from ever being tried again. */
  skipped(): void {
    this.#mean *= 0.99;
  }
}
