/** The standard normal distribution, quickly: absolute error below 1e-15. */
import { erfc } from './special-functions.js';

/** Beyond this the probability is 0 or 1 in double precision. */
const END = 8.5;
const STEP = 1 / 32;

/** The distribution and the density at multiples of STEP from 0. */
const cumulative = Float64Array.from({ length: END / STEP + 2 }, (_, i) => 1 - erfc((i * STEP) / Math.SQRT2) / 2);
const densities = Float64Array.from(cumulative, (_, i) => density(i * STEP));

/** e^(-x^2/2) / sqrt(2 pi). */
export function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** P(Z <= x), exactly 0 below -8.5 and 1 above 8.5: a Taylor series from the nearest entry of the table. */
export function normal(x: number): number {
  if (x < 0) return 1 - normal(-x);
  if (x > END) return 1;
  const i = Math.round(x / STEP);
  const z = i * STEP;
  const d = x - z;
  // Derivatives of the density are the density times Hermite polynomials of z; |d| <= 1/64, the next term is below
  // 1e-16.
  const z2 = z * z;
  const h2 = z2 - 1;
  const h3 = z * (z2 - 3);
  const h4 = z2 * (z2 - 6) + 3;
  const h5 = z * (z2 * (z2 - 10) + 15);
  const series = 1 - d * (z / 2 - d * (h2 / 6 - d * (h3 / 24 - d * (h4 / 120 - (d * h5) / 720))));
  return cumulative[i]! + densities[i]! * d * series;
}
