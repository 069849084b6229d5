import * as Plot from '@observablehq/plot';
import type { ArrowsChart } from '../../charts.js';
import { written } from '../../numbers.js';
import type { Drawing } from './drawing.js';
import { cornerLabel, extent, horizontalAxis, picture, rowNames, scaleOf, textWidth } from './layout.js';
import { numbered } from './legend.js';

const ROW = 18;
/** For what the rows are. */
const TOP = 22;
/** More rows have the axis above them too. */
const TALL = 30;
/** The longest arrow takes this share of the axis. */
const LONGEST = 0.25;

export const arrows: Drawing<ArrowsChart> = {
  wide: true,
  draw(chart, frame) {
    const { width, theme } = frame;
    const { colour, legend } = numbered(chart.arrows, frame);
    const [low, high] = extent(chart.arrows.map(arrow => arrow.at));
    const longest = chart.longest ?? (Math.max(...chart.arrows.map(arrow => Math.abs(arrow.length))) || 1);
    const unit = (LONGEST * (high - low)) / longest;
    const drawn = chart.arrows.map((arrow, row) => ({ ...arrow, row, end: arrow.at + unit * arrow.length }));
    const marginLeft = Math.ceil(Math.min(0.3 * width, Math.max(...drawn.map(arrow => textWidth(arrow.name))) + 16));
    const scale = scaleOf(
      chart.x,
      drawn.flatMap(({ at, end }) => [at, end]),
      0.03,
    );
    const { row = ROW } = chart;
    const { svg, placeX, placeY, valueAt } = picture(
      frame,
      {
        height: legend.height + row * drawn.length + TOP + 48,
        marginLeft,
        marginRight: 16,
        marginTop: legend.height + TOP,
        marginBottom: 40,
        x: scale,
        y: { type: 'band', domain: drawn.map(arrow => arrow.row), axis: null },
        marks: [
          ...horizontalAxis(chart.x, scale.domain, width - marginLeft, theme, drawn.length > TALL),
          cornerLabel(chart.item, marginLeft, theme, -12),
          rowNames(drawn, marginLeft, theme),
          Plot.dot(drawn, { x: 'at', y: 'row', r: 4, fill: arrow => colour(arrow.series) }),
          Plot.arrow(drawn, {
            x1: 'at',
            x2: 'end',
            y: 'row',
            stroke: arrow => colour(arrow.series),
            strokeWidth: 2,
            headLength: 6,
          }),
        ],
      },
      legend,
    );
    return {
      svg,
      valueAt,
      nearest: 'y',
      spots: drawn.map(arrow => ({
        x: placeX(arrow.at),
        y: placeY(arrow.row),
        title: `${chart.item} ${arrow.name}`,
        lines: [
          { label: arrow.series, value: '', colour: colour(arrow.series) },
          { label: chart.x.label, value: written(arrow.at, chart.x.style) },
          { label: chart.lengthLabel, value: written(arrow.length, chart.lengthStyle) },
        ],
      })),
    };
  },

  table(chart) {
    return {
      columns: [
        { title: chart.item },
        { title: 'series' },
        { title: chart.x.label, style: chart.x.style ?? 'general' },
        { title: chart.lengthLabel, style: chart.lengthStyle ?? 'general' },
      ],
      rows: chart.arrows.map(({ name, series, at, length }) => [name, series, at, length]),
    };
  },
};
