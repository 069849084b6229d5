/**
 * The only source of randomness: everything random is a function of a seed, so that the same data, options and seed
 * give the same result on any machine and any number of threads.
 */

/** Mixes two 32-bit words into one (the finaliser of MurmurHash3 over a Weyl step); the same on every machine. */
export function hash32(a: number, b: number): number {
  let h = (Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(b, 0xc2b2ae35)) | 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A seed, a whole number of up to 53 bits, as one 32-bit word. */
export function seedWord(seed: number): number {
  return hash32(seed | 0, Math.floor(seed / 4294967296) | 0);
}

/** A 32-bit hash of text (FNV-1a over UTF-16 units), to derive seeds from names. */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/**
 * xoshiro128** (Blackman, Vigna 2018): 128 bits of state, passes the usual batteries, quick in plain JavaScript.
 *
 * @example
 * import { Random } from 'listwise';
 *
 * const random = new Random(1, 'shuffling');
 * const order = random.permutation(data.queries);
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  #spare = Number.NaN;

  /** `stream` separates independent uses of one seed, by name. */
  constructor(seed: number, stream = '') {
    const s = seedWord(seed) ^ hashText(stream);
    this.#a = hash32(s, 1);
    this.#b = hash32(s, 2);
    this.#c = hash32(s, 3);
    this.#d = hash32(s, 4) | 1; // never all zero
  }

  /** A whole number in [0, 2^32). */
  bits(): number {
    const x = Math.imul(this.#b, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** Uniform in [0, 1), 53 bits. */
  uniform(): number {
    return ((this.bits() >>> 5) * 67108864 + (this.bits() >>> 6)) / 9007199254740992;
  }

  /** A whole number in [0, n). */
  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** Standard normal, by the polar method. */
  gaussian(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = Number.NaN;
      return spare;
    }
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(s)) / s);
      this.#spare = v * scale;
      return u * scale;
    }
  }

  /** Shuffles in place (Fisher and Yates) and returns its argument. */
  shuffle<T extends { length: number; [index: number]: unknown }>(items: T): T {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const kept = items[i];
      items[i] = items[j];
      items[j] = kept;
    }
    return items;
  }

  /** The numbers 0..n-1 in random order. */
  permutation(n: number): Uint32Array {
    return this.shuffle(Uint32Array.from({ length: n }, (_, i) => i));
  }
}
