import * as Plot from '@observablehq/plot';
import type { ScatterChart } from '../../charts.js';
import { written } from '../../numbers.js';
import { dots } from './dots.js';
import type { Drawing } from './drawing.js';
import { scaleOf } from './layout.js';
import { colouring } from './legend.js';
import { plane } from './plane.js';
import { shading } from './shading.js';

export const scatter: Drawing<ScatterChart> = {
  wide: false,
  marks: ({ points }) => points.length,
  draw(chart, frame) {
    const { theme } = frame;
    const shades =
      chart.shade &&
      shading(
        chart.points.map(({ shade = Number.NaN }) => shade),
        chart.shade.label,
        frame,
      );
    const { colour, legend } = colouring(
      chart.points.map(({ series = '' }) => series),
      frame,
      { mark: 'dot' },
    );
    const points = chart.points.filter(point => !Number.isNaN(point.x + point.y));
    const [xs, ys] = [points.map(point => point.x), points.map(point => point.y)];
    const [x, y] = [scaleOf(chart.x, xs, 0.04), scaleOf(chart.y, ys, 0.04)];
    // Each axis has ends of its own, so that the dots fill the plane: the diagonal is cut to what both show.
    const ends = [Math.max(x.domain[0]!, y.domain[0]!), Math.min(x.domain[1]!, y.domain[1]!)] as const;
    const diagonal = chart.diagonal && ends[0] < ends[1] ? [ends] : [];
    const { svg, placeX, placeY } = plane(
      frame,
      { x: { axis: chart.x, scale: x }, y: { axis: chart.y, scale: y }, legend: shades?.legend ?? legend },
      [
        Plot.link(diagonal, { x1: '0', y1: '0', x2: '1', y2: '1', stroke: theme.faint, strokeDasharray: '3 3' }),
        dots(points, {
          colour: ({ series = '', shade = Number.NaN }) => shades?.colour(shade) ?? colour(series),
          opacity: shades === undefined ? 0.65 : 0.85,
        }),
        Plot.dot(
          points.filter(({ marked }) => marked),
          { x: 'x', y: 'y', r: 8, stroke: theme.ink, strokeWidth: 2 },
        ),
      ],
    );
    return {
      svg,
      nearest: 'both',
      spots: points.map(point => ({
        x: placeX(point.x),
        y: placeY(point.y),
        title: `${chart.item} ${point.name}${point.series === undefined ? '' : ` (${point.series})`}`,
        // Written when it is pointed at: there may be many thousands.
        get lines() {
          return [
            { label: chart.x.label, value: chart.x.texts?.[point.x] ?? written(point.x, chart.x.style) },
            { label: chart.y.label, value: written(point.y, chart.y.style) },
            ...(chart.shade ? [{ label: chart.shade.label, value: written(point.shade ?? Number.NaN) }] : []),
          ];
        },
      })),
    };
  },

  table(chart) {
    const named = chart.points.some(point => point.series !== undefined);
    return {
      columns: [
        { title: chart.item },
        ...(named ? [{ title: 'series' }] : []),
        ...[chart.x, chart.y, ...(chart.shade ? [chart.shade] : [])].map(({ label, style = 'general' as const }) => ({
          title: label,
          style,
        })),
      ],
      rows: chart.points.map(({ name, series = '', x, y, shade = Number.NaN }) => [
        ...[name, ...(named ? [series] : []), chart.x.texts?.[x] ?? x, y],
        ...(chart.shade ? [shade] : []),
      ]),
    };
  },
};
