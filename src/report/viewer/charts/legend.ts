/** Which colour a series has, and the legend that says so. */
import type { Tone } from '../../charts.js';
import { svgElement } from '../element.js';
import type { Theme } from '../theme.js';
import type { Frame } from './drawing.js';
import { FONT_SIZE, fitted, textWidth } from './layout.js';

const ROW = 20;
const SWATCH = 18;
/** The radius of a dot beside its name, and half the side of a square. */
const DOT = 5;

export interface LegendItem {
  readonly name: string;
  readonly colour: string;
  readonly dash?: string | undefined;
  /** Whether its colour says something by itself: a title does not. */
  readonly told?: boolean;
  /** As the chart draws it: a line, if nothing is said. */
  readonly mark?: LegendMark;
}

export type LegendMark = 'line' | 'dot' | 'bar';

/** Colour and dashes of the series with that number, or of what it is; the colours come round again with dashes. */
export function seriesLook(theme: Theme, index: number, tone?: Tone): { colour: string; dash: string | undefined } {
  if (tone !== undefined) return { colour: theme.tones[tone], dash: tone === 'theirs' ? '6 3' : undefined };
  const dashes = [undefined, '6 3', '2 3'];
  const colours = theme.series.length;
  return { colour: theme.series[index % colours]!, dash: dashes[Math.floor(index / colours) % dashes.length] };
}

export interface Legend {
  readonly height: number;
  addTo(svg: SVGSVGElement): void;
}

/** The names of the series in rows above the chart, inside the picture, so that a saved one has them too. */
export function legendOf(items: readonly LegendItem[], { width, theme }: Frame): Legend {
  if (items.length < 2 && !items.some(({ told }) => told)) return { height: 0, addTo() {} };
  const group = svgElement('g', { 'font-size': FONT_SIZE, fill: theme.ink, 'text-anchor': 'start' });
  let [x, y] = [0, 0];
  for (const { name, colour, dash, mark = 'line' } of items) {
    const text = fitted(name, width - SWATCH - 12);
    const needed = SWATCH + 6 + textWidth(text) + 18;
    if (x > 0 && x + needed > width) [x, y] = [0, y + ROW];
    group.append(swatch(mark, x, y + 8, colour, dash), svgElement('text', { x: x + SWATCH + 6, y: y + 12 }, text));
    x += needed;
  }
  return { height: y + ROW + 4, addTo: svg => svg.append(group) };
}

/** From x on, its middle at y. */
function swatch(mark: LegendMark, x: number, y: number, colour: string, dash: string | undefined): SVGElement {
  switch (mark) {
    case 'dot':
      return svgElement('circle', { cx: x + SWATCH / 2, cy: y, r: DOT, fill: colour });
    case 'bar':
      return svgElement('rect', { x: x + SWATCH / 2 - DOT, y: y - DOT, width: 2 * DOT, height: 2 * DOT, fill: colour });
    case 'line': {
      const line = { x1: x, x2: x + SWATCH, y1: y, y2: y, stroke: colour, 'stroke-width': 3 };
      return svgElement('line', dash === undefined ? line : { ...line, 'stroke-dasharray': dash });
    }
  }
}

/** Series by their names, in the order of their colours where those are given, as numbers. */
export function numbered(
  of: readonly { readonly series: string; readonly colour?: number }[],
  frame: Frame,
): { colour(name: string): string; legend: Legend } {
  const numbers = new Map(of.map(({ series, colour }) => [series, colour]));
  const known = [...numbers].every(([, number]) => number !== undefined);
  const byName = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true });
  const names = [...numbers.keys()].sort((a, b) => (known ? numbers.get(a)! - numbers.get(b)! : byName(a, b)));
  return colouring(names, frame, { numberOf: name => numbers.get(name) });
}

export function colouring(
  names: readonly string[],
  frame: Frame,
  {
    mark = 'line',
    toneOf = () => undefined,
    numberOf = () => undefined,
  }: {
    readonly mark?: LegendMark;
    toneOf?(name: string): Tone | undefined;
    numberOf?(name: string): number | undefined;
  } = {},
): { colour(name: string): string; legend: Legend } {
  const different = [...new Set(names)];
  const colour = (name: string) =>
    seriesLook(frame.theme, numberOf(name) ?? different.indexOf(name), toneOf(name)).colour;
  const items = different.map(name => ({ name, colour: colour(name), told: toneOf(name) !== undefined, mark }));
  return { colour, legend: legendOf(items, frame) };
}
