import { logGamma } from './special-functions.js';

/** The chance that a chi-square variable of so many degrees of freedom is at least x. */
export function chiSquareTail(x: number, degrees: number): number {
  if (!(x > 0)) return 1;
  const [a, z] = [degrees / 2, x / 2];
  const front = Math.exp(a * Math.log(z) - z - logGamma(a));
  return z < a + 1 ? Math.max(0, 1 - front * series(a, z)) : front * fraction(a, z);
}

/** The lower incomplete gamma function over its front factor (DLMF 8.7.1). */
function series(a: number, z: number): number {
  let term = 1 / a;
  let sum = term;
  for (let k = 1; k < 10_000 && term > 1e-17 * sum; k++) {
    term *= z / (a + k);
    sum += term;
  }
  return sum;
}

/** The upper one, by Lentz's continued fraction (DLMF 8.9.2). */
function fraction(a: number, z: number): number {
  let b = z + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let value = d;
  for (let k = 1; k < 10_000; k++) {
    const factor = k * (a - k);
    b += 2;
    d = 1 / (factor * d + b);
    c = b + factor / c;
    value *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return value;
}
