/**
 * What units of a net do to their sums. Engines compute Math.tanh and Math.exp to different last digits, and a model
 * should score alike in every one; so these use nothing but additions, multiplications and divisions, which are exact
 * to the bit everywhere. Errors are below 1e-15 of the value. Each function stands for itself: exported modules hold
 * their text (interop/javascript.ts).
 */
import type { Activation } from '../../kernels/net-shape.js';

/** e^-x for x of at least 0. */
export function decay(x: number): number {
  if (x > 709) return 0;
  // x = k ln 2 + r; ln 2 in two parts, of which k times the first is exact.
  const k = Math.floor(x * Math.LOG2E + 0.5);
  const r = x - k * 0.6931471803691238 - k * 1.9082149292705877e-10;
  let sum = 1; // of (-r)^i / i!
  for (let i = 13; i > 0; i--) sum = 1 - (r / i) * sum;
  let power = 1; // 2^k
  for (let n = k, square = 2; n > 0; n >>= 1, square *= square) if (n % 2 === 1) power *= square;
  return sum / power;
}

export function sigmoid(x: number): number {
  const e = decay(Math.abs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

export function tanh(x: number): number {
  const a = Math.abs(x);
  let value: number;
  if (a < 0.5) {
    // Lambert's continued fraction, a / (1 + a^2 / (3 + a^2 / (5 + …))): a quotient of decays would lose the digits of
    // small values.
    let fraction = 17;
    for (let odd = 15; odd > 0; odd -= 2) fraction = odd + (a * a) / fraction;
    value = a / fraction;
  } else {
    const e = decay(2 * a);
    value = (1 - e) / (1 + e);
  }
  return x < 0 ? -value : value;
}

export function relu(x: number): number {
  return Math.max(x, 0);
}

export const activationFunctions: Record<Activation, (x: number) => number> = { tanh, sigmoid, relu };
