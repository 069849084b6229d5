/** What charts share: sizes, axes, text that fits, the legend. */
import * as Plot from '@observablehq/plot';
import type { Axis } from '../../charts.js';
import { tick } from '../../numbers.js';
import { svgElement } from '../element.js';
import type { Theme } from '../theme.js';
import type { Frame } from './drawing.js';

export const FONT_SIZE = 12;
const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const LEGEND_ROW = 20;
const SWATCH = 18;

const measuring = document.createElement('canvas').getContext('2d')!;

export function textWidth(text: string): number {
  measuring.font = `${FONT_SIZE}px ${FONT_FAMILY}`;
  return measuring.measureText(text).width;
}

/** The text, cut with an ellipsis where it is wider. */
export function fitted(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = text.length;
  while (kept > 1 && textWidth(`${text.slice(0, kept)}…`) > width) kept--;
  return `${text.slice(0, kept)}…`;
}

/** The height of a chart that has no height of its own. */
export function usualHeight({ width }: Frame): number {
  return Math.round(Math.min(380, Math.max(240, 0.5 * width)));
}

export function plotStyle({ ink }: Theme) {
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
  if (low === high) return low === 0 ? [0, 1] : [low - Math.abs(low) / 10, high + Math.abs(high) / 10];
  const more = room * (high - low);
  return [low - more, high + more];
}

/** Space for the ticks to the left of a vertical axis over this domain. */
export function leftMargin(axis: Axis, domain: readonly number[]): number {
  const [low, high] = domain as [number, number];
  const step = (high - low) / 5;
  const sample = [0, 1, 2, 3, 4, 5].map(i => textWidth(tick(Number((low + i * step).toPrecision(2)), axis.style)));
  return Math.ceil(Math.max(...sample)) + 18;
}

/** About so many ticks that they stand well apart; what is counted has none between whole numbers. */
export function horizontalTicks(axis: Axis, values: readonly number[], width: number): number {
  const apart = Math.max(3, Math.floor(width / 90));
  const [low, high] = extent(values);
  return axis.style === 'count' ? Math.max(1, Math.min(apart, high - low)) : apart;
}

export function horizontalAxis(
  axis: Axis,
  { faint, line }: Theme,
  width: number,
  count = Math.max(3, Math.floor(width / 90)),
) {
  return [
    Plot.gridX({ stroke: line, strokeOpacity: 1, ticks: count }),
    Plot.axisX({
      ticks: count,
      tickFormat: (value: number) => tick(value, axis.style),
      tickSize: 0,
      label: axis.label,
      labelAnchor: 'right',
      labelArrow: 'none',
      color: faint,
    }),
  ];
}

/** The label stands above the axis, at the left edge of the chart. */
export function verticalAxis(axis: Axis, { faint, line }: Theme, marginLeft: number) {
  return [
    Plot.gridY({ stroke: line, strokeOpacity: 1, ticks: 5 }),
    Plot.axisY({
      ticks: 5,
      tickFormat: (value: number) => tick(value, axis.style),
      tickSize: 0,
      label: null,
      color: faint,
    }),
    Plot.text([axis.label], { frameAnchor: 'top-left', textAnchor: 'start', dx: -marginLeft, dy: -18, fill: faint }),
  ];
}

/** Where values are drawn, in pixels. */
export function placer(plot: Element & Plot.Plot, name: 'x' | 'y'): (value: number | string) => number {
  const scale = plot.scale(name)!;
  const half = (scale.bandwidth ?? 0) / 2;
  return value => scale.apply(value) + half;
}

/** A plot without legend or caption of its own is the picture itself. */
export function asSvg(plot: Element & Plot.Plot): SVGSVGElement & Plot.Plot {
  if (!(plot instanceof SVGSVGElement)) throw new TypeError(`a plot is an svg element, found ${plot.tagName}`);
  return plot;
}

export interface LegendItem {
  readonly name: string;
  readonly colour: string;
  readonly dash?: string | undefined;
}

/** Colour and dashes of the series with that number; the colours come round again with dashes. */
export function seriesLook(theme: Theme, index: number): { colour: string; dash: string | undefined } {
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
  if (items.length < 2) return { height: 0, addTo() {} };
  const group = svgElement('g', { 'font-size': FONT_SIZE, fill: theme.ink, 'text-anchor': 'start' });
  let [x, y] = [0, 0];
  for (const { name, colour, dash } of items) {
    const text = fitted(name, width - SWATCH - 12);
    const needed = SWATCH + 6 + textWidth(text) + 18;
    if (x > 0 && x + needed > width) [x, y] = [0, y + LEGEND_ROW];
    const line = { x1: x, x2: x + SWATCH, y1: y + 8, y2: y + 8, stroke: colour, 'stroke-width': 3 };
    group.append(
      svgElement('line', dash === undefined ? line : { ...line, 'stroke-dasharray': dash }),
      svgElement('text', { x: x + SWATCH + 6, y: y + 12 }, text),
    );
    x += needed;
  }
  return { height: y + LEGEND_ROW + 4, addTo: svg => svg.append(group) };
}
