/**
 * Smooth steps from 0 to 1 with value(x) + value(-x) = 1, scaled to the slope 1/4 at 0, so that alpha and beta mean
 * about the same with each.
 */
import type { SigmoidKind } from '../../kernels/sigmoid-ranks.js';
import { density, normal } from '../../numeric/normal.js';
import { logistic } from '../pairs/pair-factor.js';

export interface Sigmoid {
  value(x: number): number;
  slope(x: number): number;
  /** What the kernel calls it; absent where the kernel does not have it. */
  readonly kernel?: SigmoidKind;
}

const SQRT_PI_8 = Math.sqrt(Math.PI / 8);

export const sigmoids = {
  /** 1 / (1 + e^-x); tails fall like e^-x. The paper's. */
  logistic: {
    kernel: 'logistic',
    value: logistic,
    slope(x) {
      const p = logistic(-Math.abs(x));
      return p * (1 - p);
    },
  },
  /** The normal distribution; tails fall like e^(-x^2). */
  normal: {
    kernel: 'normal',
    value: x => normal(SQRT_PI_8 * x),
    slope: x => SQRT_PI_8 * density(SQRT_PI_8 * x),
  },
  /** 1/2 + atan(pi x / 4) / pi; tails fall like 1/x, so that far documents still feel each other. */
  arctan: {
    value: x => 0.5 + Math.atan((Math.PI * x) / 4) / Math.PI,
    slope: x => 0.25 / (1 + ((Math.PI * x) / 4) ** 2),
  },
} as const satisfies Record<string, Sigmoid>;
