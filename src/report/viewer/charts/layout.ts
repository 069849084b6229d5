/** What charts share: sizes, axes, text that fits. */
import * as Plot from '@observablehq/plot';
import type { Axis, LineMark } from '../../charts.js';
import { tick } from '../../numbers.js';
import { roundTicks } from '../../round-ticks.js';
import type { Theme } from '../theme.js';
import type { Frame } from './drawing.js';
import type { Legend } from './legend.js';

export const FONT_SIZE = 12;
const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Above the frame of a chart with a vertical axis: the label of that axis, and below it words of the chart. */
export const TOP = 36;

const measuring = document.createElement('canvas').getContext('2d')!;

export function textWidth(text: string): number {
  measuring.font = `${FONT_SIZE}px ${FONT_FAMILY}`;
  return measuring.measureText(text).width;
}

/** The text, its middle left out where it is wider: what texts have in common is often how they begin. */
export function fitted(text: string, width: number): string {
  let kept = text.length;
  let shown = text;
  while (kept > 2 && textWidth(shown) > width) {
    kept--;
    shown = `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;
  }
  return shown;
}

/** The text in lines, between its words, so many at the most; what does not fit in them is left out in the last. */
function wrapped(text: string, width: number, most: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return [...lines.slice(0, most - 1), lines.slice(most - 1).join(' ')].map(line => fitted(line, width)).join('\n');
}

/** The height of a chart that has no height of its own. */
export function usualHeight({ width }: Frame): number {
  return Math.round(Math.min(330, Math.max(240, 0.5 * width)));
}

function plotStyle({ ink }: Theme) {
  return {
    background: 'transparent',
    color: ink,
    fontFamily: FONT_FAMILY,
    fontSize: `${FONT_SIZE}px`,
    overflow: 'visible',
  };
}

/** Scale options of an axis over the values that are drawn. */
export function scaleOf(axis: Axis, values: readonly number[], room = 0) {
  return {
    type: axis.scale ?? 'linear',
    domain: [...(axis.domain ?? extent(values, axis.scale === 'log' ? 0 : room))],
  } as const;
}

/** The smallest and largest value, with some room (a share of the range) at both ends; never empty. */
export function extent(values: readonly number[], room = 0): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  // What differs by rounding alone is the same.
  if (high - low <= 1e-12 * Math.abs(high))
    return low === 0 ? [0, 1] : [low - Math.abs(low) / 10, high + Math.abs(high) / 10];
  const more = room * (high - low);
  return [low - more, high + more];
}

/** The options of an axis and of its grid for the same ticks. */
function ticked(axis: Axis, domain: readonly number[], count: number, { faint, line }: Theme) {
  const { texts } = axis;
  const ticks = texts?.map((_, i) => i) ?? roundTicks(axis, domain, count) ?? count;
  return {
    grid: { stroke: line, strokeOpacity: 1, ticks },
    axis: {
      ticks,
      tickFormat: (value: number, _: number, all?: readonly number[]) =>
        texts === undefined ? tick(value, axis.style, all) : fitted(texts[value] ?? '', TEXT_WIDTH),
      tickSize: 0,
      color: faint,
    },
  };
}

const VERTICAL_TICKS = 5;
/** Texts of an axis are at most so wide. */
const TEXT_WIDTH = 120;
/** Below a horizontal axis: its ticks and its label. */
const BOTTOM = 40;
/** Degrees by which texts are turned that would stand on each other. */
const SLANT = 30;

/** Space below a horizontal axis on the given width; more where its texts have to be slanted. */
export function bottomMargin({ texts }: Axis, width: number): number {
  if (texts === undefined) return BOTTOM;
  const widest = Math.max(0, ...texts.map(text => textWidth(fitted(text, TEXT_WIDTH))));
  const apart = (width - 80) / Math.max(1, texts.length - 1);
  return widest + 8 <= apart ? BOTTOM : BOTTOM + Math.ceil(widest * Math.sin((SLANT * Math.PI) / 180));
}

/** Space for the ticks to the left of a vertical axis over this domain. */
export function leftMargin(axis: Axis, domain: readonly number[]): number {
  // Ticks of a logarithmic axis have two digits at most, its ends have many.
  const ticks = roundTicks(axis, domain, VERTICAL_TICKS) ?? domain.map(end => Number(end.toPrecision(2)));
  return Math.ceil(Math.max(0, ...ticks.map(value => textWidth(tick(value, axis.style, ticks))))) + 14;
}

/** Its ticks stand well apart on the given width; above the chart, too, where it is taller than a screen. */
export function horizontalAxis(axis: Axis, domain: readonly number[], width: number, theme: Theme, tall = false) {
  const { grid, axis: options } = ticked(axis, domain, Math.max(3, Math.floor(width / 90)), theme);
  const below = bottomMargin(axis, width);
  const turned = below > BOTTOM ? { tickRotate: -SLANT, labelOffset: below - 4 } : {};
  return [
    Plot.gridX(grid),
    Plot.axisX({ ...options, ...turned, label: axis.label, labelAnchor: 'right', labelArrow: 'none' }),
    tall ? Plot.axisX({ ...options, label: null, anchor: 'top' }) : null,
  ];
}

/** The label stands above the axis, at the left edge of the chart. */
export function verticalAxis(axis: Axis, domain: readonly number[], marginLeft: number, theme: Theme) {
  const { grid, axis: options } = ticked(axis, domain, VERTICAL_TICKS, theme);
  return [Plot.gridY(grid), Plot.axisY({ ...options, label: null }), cornerLabel(axis.label, marginLeft, theme)];
}

/** What stands along the left side, said above it. */
export function cornerLabel(label: string, marginLeft: number, { faint }: Theme, dy = -24) {
  return Plot.text([label], { frameAnchor: 'top-left', textAnchor: 'start', dx: -marginLeft, dy, fill: faint });
}

/** The words of vertical lines, above the frame; near an end of the axis they stay beside it. */
export function markLabels(marks: readonly LineMark[], domain: readonly number[], { width }: Frame, fill: string) {
  return marks.map(({ x, label }) => {
    const share = (x - domain[0]!) / (domain[1]! - domain[0]!);
    return Plot.text([fitted(label, width / 2)], {
      x: [x],
      textAnchor: share < 0.15 ? 'start' : share > 0.85 ? 'end' : 'middle',
      frameAnchor: 'top',
      lineAnchor: 'bottom',
      dy: -4,
      fill,
    });
  });
}

/** `lines` of a name at the most, where it is wider than its place. */
export function rowNames(
  rows: readonly { readonly row: number; readonly name: string; readonly lines?: number }[],
  marginLeft: number,
  { ink }: Theme,
  dx = -8,
) {
  return Plot.text(rows, {
    y: 'row',
    text: ({ name, lines = 1 }) => wrapped(name, marginLeft - 12, lines),
    frameAnchor: 'left',
    textAnchor: 'end',
    dx,
    fill: ink,
  });
}

export interface Picture {
  readonly svg: SVGSVGElement;
  /** Where values are drawn, in pixels. */
  readonly placeX: (value: number) => number;
  readonly placeY: (value: number) => number;
  /** The value of a place: `placeX` the other way round. */
  readonly valueAt: (x: number) => number;
}

export function picture({ width, theme }: Frame, options: Plot.PlotOptions, legend?: Legend): Picture {
  const svg = asSvg(Plot.plot({ width, style: plotStyle(theme), ...options }));
  legend?.addTo(svg);
  return {
    svg,
    placeX: placer(svg, 'x'),
    placeY: placer(svg, 'y'),
    valueAt: x => Number(svg.scale('x')!.invert!(x)),
  };
}

function placer(plot: Element & Plot.Plot, name: 'x' | 'y'): (value: number) => number {
  const scale = plot.scale(name)!;
  const half = (scale.bandwidth ?? 0) / 2;
  return value => scale.apply(value) + half;
}

/** A plot without legend or caption of its own is the picture itself. */
function asSvg(plot: Element & Plot.Plot): SVGSVGElement & Plot.Plot {
  if (!(plot instanceof SVGSVGElement)) throw new TypeError(`a plot is an svg element, found ${plot.tagName}`);
  return plot;
}
