/**
 * SHA-256 (FIPS 180-4) of a text's UTF-8, in hexadecimal. Browsers have it on secure pages only and as a promise, which
 * `JSON.stringify(model)` cannot wait for; the tests compare it with Node's.
 */

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUNDS = primes(64).map(prime => fraction(Math.cbrt(prime)));
/** The same of the square roots of the first eight. */
const START = primes(8).map(prime => fraction(Math.sqrt(prime)));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every(prime => n % prime !== 0)) found.push(n);
  return found;
}

function fraction(value: number): number {
  return Math.floor((value % 1) * 2 ** 32) | 0;
}

/** `text` is one text, or one that comes in pieces. */
export function sha256(text: string | Iterable<string>): string {
  const encoder = new TextEncoder();
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  let length = 0;
  let rest = new Uint8Array(0);
  const take = (bytes: Uint8Array) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let block = 0;
    for (; block + 64 <= bytes.length; block += 64) {
      for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + 4 * i);
      compress(words, state);
    }
    return bytes.slice(block);
  };
  for (const piece of typeof text === 'string' ? [text] : text) {
    const given = encoder.encode(piece);
    length += given.length;
    rest = take(joined(rest, given));
  }
  const end = new Uint8Array(64 * Math.ceil((rest.length + 9) / 64) - rest.length);
  end[0] = 0x80;
  new DataView(end.buffer).setBigUint64(end.length - 8, BigInt(8 * length));
  take(joined(rest, end));
  return Array.from(state, word => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function compress(words: Int32Array, state: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + words[i]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
