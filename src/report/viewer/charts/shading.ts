/** Dots shaded by the rank of a number, from low to high, and the legend that says so. */
import { mixed } from '../colours.js';
import { svgElement } from '../element.js';
import type { Theme } from '../theme.js';
import type { Frame } from './drawing.js';
import { FONT_SIZE, fitted, textWidth } from './layout.js';
import type { Legend } from './legend.js';

const WIDTH = 90;
const STEPS = 18;

/** Low is one hue, high the other; what lies between is neither. */
function shadeOf({ below, above, faint }: Theme, share: number): string {
  if (Number.isNaN(share)) return faint;
  const middle = mixed(below, above, 0.5);
  return share < 0.5 ? mixed(below, middle, 2 * share) : mixed(middle, above, 2 * share - 1);
}

/** The colour of each value, by its rank among all; grey where there is none. */
export function shading(values: readonly number[], label: string, frame: Frame) {
  const sorted = Float64Array.from(values.filter(value => !Number.isNaN(value))).sort();
  return {
    colour: (value: number) => shadeOf(frame.theme, rankIn(sorted, value)),
    legend: shadeLegend(label, frame),
  };
}

/** From 0 for the least to 1 for the largest; the middle of those that are equal. */
export function rankIn(sorted: Float64Array, value: number): number {
  if (Number.isNaN(value)) return value;
  const [below, upTo] = [sorted.findIndex(other => other >= value), sorted.findLastIndex(other => other <= value)];
  return sorted.length < 2 ? 0.5 : (below + upTo) / 2 / (sorted.length - 1);
}

/** Inside the picture, so that a saved one has it too. */
export function shadeLegend(label: string, { width, theme }: Frame): Legend {
  const group = svgElement('g', { 'font-size': FONT_SIZE, fill: theme.ink, 'text-anchor': 'start' });
  const text = fitted(`${label}: low`, width - WIDTH - 60);
  const words = svgElement('text', { x: 0, y: 12 }, text);
  const start = 8 + textWidth(text);
  const step = WIDTH / STEPS;
  for (let i = 0; i < STEPS; i++) {
    const fill = shadeOf(theme, (i + 0.5) / STEPS);
    group.append(svgElement('rect', { x: start + i * step, y: 3, width: step + 0.5, height: 10, fill }));
  }
  group.append(words, svgElement('text', { x: start + WIDTH + 6, y: 12 }, 'high'));
  return { height: 24, addTo: svg => svg.append(group) };
}
