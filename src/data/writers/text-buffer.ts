/** Text as bytes in one growing buffer: numbers of few digits are written without a string each. */
import { shortestFloat32 } from './shortest-float.js';

const ZERO = 48;
const MINUS = 45;
const POINT = 46;
/** No number is longer as text. */
const LONGEST_NUMBER = 32;

export class TextBuffer {
  #bytes = new Uint8Array(1 << 17);
  length = 0;

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.length + count));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }

  text(text: string): void {
    this.#reserve(3 * text.length);
    const { read, written } = encoder.encodeInto(text, this.#bytes.subarray(this.length));
    if (read !== text.length) throw new RangeError('text did not fit the buffer');
    this.length += written;
  }

  /** Short pieces of text that are used again and again, encoded once. */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    for (let i = 0; i < bytes.length; i++) this.#bytes[this.length + i] = bytes[i]!;
    this.length += bytes.length;
  }

  /** The same text as `shortestFloat32` gives. */
  float32(value: number): void {
    this.#reserve(LONGEST_NUMBER);
    const size = Math.abs(value);
    // Whole numbers below 2^24 are float32 values of their own, and so are decimals of at most six digits, which the
    // scale leaves room for; the rest takes the general way.
    if (size < 16_777_216 && size === Math.floor(size) && !Object.is(value, -0)) {
      if (value < 0) this.#bytes[this.length++] = MINUS;
      this.#digits(size);
      return;
    }
    const decimals = size < 1 ? 6 : size < 100 ? 4 : 2;
    const scale = decimals === 6 ? 1e6 : decimals === 4 ? 1e4 : 1e2;
    const scaled = Math.round(size * scale);
    if (size >= 1e-6 && scaled < 1e6 && Math.fround(scaled / scale) === size) {
      if (value < 0) this.#bytes[this.length++] = MINUS;
      const whole = Math.floor(scaled / scale);
      this.#digits(whole);
      this.#fraction(scaled - whole * scale, decimals);
    } else this.text(shortestFloat32(value));
  }

  /** A whole number of at least 0 and below 2^31. */
  #digits(value: number): void {
    let count = 1;
    for (let limit = 10; limit <= value; limit *= 10) count++;
    this.#lastDigits(value | 0, count);
  }

  /** A point and `decimals` digits, without zeros at the end; nothing where all are zero. */
  #fraction(value: number, decimals: number): void {
    if (value === 0) return;
    let rest = value | 0;
    let count = decimals;
    while (rest % 10 === 0) {
      rest = (rest / 10) | 0;
      count--;
    }
    this.#bytes[this.length++] = POINT;
    this.#lastDigits(rest, count);
  }

  /** So many digits, with zeros before. */
  #lastDigits(value: number, count: number): void {
    let rest = value;
    for (let at = this.length + count - 1; at >= this.length; at--) {
      const next = (rest / 10) | 0;
      this.#bytes[at] = ZERO + rest - 10 * next;
      rest = next;
    }
    this.length += count;
  }

  /** The text so far as bytes of their own; the buffer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

const encoder = new TextEncoder();
