/** Ids with numbers from 0, in the order in which they come. A Map holds 2^24 keys at most: there may be several. */

const MOST_KEYS = 2 ** 24;

export class IdNumbers {
  readonly #most: number;
  readonly #maps: Map<string, number>[] = [new Map()];
  #size = 0;

  /** `most` is how many keys one map may have. */
  constructor(most = MOST_KEYS) {
    this.#most = most;
  }

  /** Of ids that differ: each has the number of its place. */
  static of(ids: Iterable<string>, most?: number): IdNumbers {
    const numbers = new IdNumbers(most);
    for (const id of ids) numbers.add(id);
    return numbers;
  }

  get size(): number {
    return this.#size;
  }

  get(id: string): number | undefined {
    for (const map of this.#maps) {
      const found = map.get(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** The number of an id that is not there yet. */
  add(id: string): number {
    let last = this.#maps.at(-1)!;
    if (last.size === this.#most) this.#maps.push((last = new Map()));
    last.set(id, this.#size);
    return this.#size++;
  }

  ids(): string[] {
    const ids: string[] = [];
    for (const map of this.#maps) for (const id of map.keys()) ids.push(id);
    return ids;
  }
}
