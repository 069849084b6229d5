/** How y grows with x: the slope of a straight line through log y against log x, with its 95 % interval. */
import { studentCritical } from '../numeric/special-functions.js';
import { mean } from '../numeric/vectors.js';

const ALPHA = 0.05;

export interface Growth {
  /** 1 is linear, 2 is quadratic. */
  readonly slope: number;
  /** NaN for fewer than three points. */
  readonly interval: readonly [number, number];
}

/** Least squares; x and y are positive. */
export function growth(x: readonly number[], y: readonly number[]): Growth {
  const [u, v] = [x.map(Math.log), y.map(Math.log)];
  const [centreU, centreV] = [mean(u), mean(v)];
  const spread = u.reduce((sum, value) => sum + (value - centreU) ** 2, 0);
  const slope = u.reduce((sum, value, i) => sum + (value - centreU) * (v[i]! - centreV), 0) / spread;
  const left = u.reduce((sum, value, i) => sum + (v[i]! - centreV - slope * (value - centreU)) ** 2, 0);
  const degrees = x.length - 2;
  const reach = degrees < 1 ? Number.NaN : studentCritical(ALPHA, degrees) * Math.sqrt(left / degrees / spread);
  return { slope, interval: [slope - reach, slope + reach] };
}
