/** A learning curve in one line of text. */
import { fixed } from '../numbers.js';

const LEVELS = '▁▂▃▄▅▆▇█';
export const SPARKLINE_WIDTH = 40;

/** The curve as bars; more values than fit are averaged, NaN is left out. Empty for fewer than two values. */
export function sparkline(values: readonly number[], width = SPARKLINE_WIDTH): string {
  const points = squeezed(known(values), width);
  if (points.length < 2) return '';
  const low = Math.min(...points);
  const range = Math.max(...points) - low;
  return points.map(point => LEVELS[range > 0 ? Math.round(((point - low) / range) * 7) : 0]).join('');
}

/** The same for terminals without such characters: the first, a few between, the last. */
export function plainCurve(values: readonly number[], digits = 4): string {
  const points = known(values);
  if (points.length < 2) return '';
  const count = Math.min(5, points.length);
  const at = Array.from({ length: count }, (_, i) => Math.round((i * (points.length - 1)) / (count - 1)));
  return at.map(i => fixed(points[i]!, digits)).join(' > ');
}

function known(values: readonly number[]): number[] {
  return values.filter(value => !Number.isNaN(value));
}

function squeezed(values: readonly number[], width: number): readonly number[] {
  if (values.length <= width) return values;
  return Array.from({ length: width }, (_, i) => {
    const part = values.slice(Math.floor((i * values.length) / width), Math.floor(((i + 1) * values.length) / width));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}
