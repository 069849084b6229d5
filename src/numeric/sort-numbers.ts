/**
 * Sorts many float64 numbers at once: by their upper 32 bits in three passes, then by the rest where those are equal.
 * Few numbers are sorted as the rest is, which is quicker than going through all counts.
 */

const BITS = 11;
const BUCKETS = 1 << BITS;
const MASK = BUCKETS - 1;
const FEW = 96;

export class NumberSorter {
  #keys = new Uint32Array(0);
  #order = new Uint32Array(0);
  #scratch = new Uint32Array(0);
  readonly #counts = new Uint32Array(3 * BUCKETS);

  /** The places of the first n values, lowest value first, equal ones in their order; good until the next call. */
  sort(values: Float64Array, n: number): Uint32Array {
    if (this.#keys.length < n) {
      this.#keys = new Uint32Array(n);
      this.#order = new Uint32Array(n);
      this.#scratch = new Uint32Array(n);
    }
    for (let i = 0; i < n; i++) this.#order[i] = i;
    const order = n <= FEW ? this.#order : this.#nearly(values, n);
    insert(values, order, n);
    return order;
  }

  /** The order but for the rest. */
  #nearly(values: Float64Array, n: number): Uint32Array {
    this.#count(new Int32Array(values.buffer, values.byteOffset, 2 * n), n);
    const keys = this.#keys;
    const counts = this.#counts;
    let from = this.#order;
    let to = this.#scratch;
    for (let pass = 0; pass < 3; pass++) {
      const shift = pass * BITS;
      const base = pass * BUCKETS;
      for (let k = 0; k < n; k++) {
        const i = from[k]!;
        to[counts[base + ((keys[i]! >>> shift) & MASK)]!++] = i;
      }
      [from, to] = [to, from];
    }
    return from;
  }

  /** Keys that sort as the numbers do, and where each of their digits begins. */
  #count(words: Int32Array, n: number): void {
    const keys = this.#keys;
    const counts = this.#counts.fill(0);
    for (let i = 0; i < n; i++) {
      const high = words[2 * i + 1]!;
      const key = (high ^ ((high >> 31) | 0x80000000)) >>> 0;
      keys[i] = key;
      counts[key & MASK]!++;
      counts[BUCKETS + ((key >>> BITS) & MASK)]!++;
      counts[2 * BUCKETS + (key >>> (2 * BITS))]!++;
    }
    for (let base = 0; base < counts.length; base += BUCKETS) {
      let sum = 0;
      for (let bucket = base; bucket < base + BUCKETS; bucket++) {
        const count = counts[bucket]!;
        counts[bucket] = sum;
        sum += count;
      }
    }
  }
}

/** Numbers of equal upper bits stand together already. */
function insert(values: Float64Array, order: Uint32Array, n: number): void {
  for (let k = 1; k < n; k++) {
    const own = order[k]!;
    const value = values[own]!;
    let j = k;
    for (; j > 0 && values[order[j - 1]!]! > value; j--) order[j] = order[j - 1]!;
    order[j] = own;
  }
}
