/** What was made of files: made once, and again when one of the files has changed. */
import { lookOf } from './run-list.js';

export class KeptFiles {
  readonly #most: number;
  /** What was asked for last at the end. */
  readonly #kept = new Map<string, { readonly look: string; readonly value: Promise<unknown> }>();

  /** Of more than `most`, what nobody has asked for longest is let go. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  async get<T>(key: string, files: readonly string[], read: () => Promise<T>): Promise<T> {
    const look = files.map(lookOf).join(' ');
    const known = this.#kept.get(key);
    const entry = known?.look === look ? known : { look, value: read() };
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(oldest);
    }
    entry.value.catch(() => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    });
    return entry.value as Promise<T>;
  }
}
