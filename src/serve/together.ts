/**
 * Answers to requests that came together are written together: a client that is woken by the first of them would take
 * the processor from the others, and every waking costs as much as a small answer. None waits longer than this, in
 * milliseconds.
 */
const LONGEST = 0.3;

export class Together {
  #waiting: (() => void)[] = [];
  #since = 0;
  readonly #flush = () => {
    const ready = this.#waiting;
    this.#waiting = [];
    for (const write of ready) write();
  };

  /** `now` as performance.now() says. */
  add(now: number, write: () => void): void {
    if (this.#waiting.length === 0) {
      this.#since = now;
      setImmediate(this.#flush);
    }
    this.#waiting.push(write);
    if (now - this.#since > LONGEST) this.#flush();
  }
}
