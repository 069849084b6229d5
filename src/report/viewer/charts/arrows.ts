import * as Plot from '@observablehq/plot';
import type { ArrowsChart } from '../../charts.js';
import { written } from '../../numbers.js';
import type { Drawing } from './drawing.js';
import { asSvg, extent, fitted, horizontalAxis, legendOf, placer, plotStyle, seriesLook, textWidth } from './layout.js';

const ROW = 18;
/** The longest arrow takes this share of the axis. */
const LONGEST = 0.25;

export const arrows: Drawing<ArrowsChart> = {
  wide: true,
  draw(chart, frame) {
    const { width, theme } = frame;
    const series = [...new Set(chart.arrows.map(arrow => arrow.series))].sort();
    const look = (name: string) => seriesLook(theme, series.indexOf(name)).colour;
    const legend = legendOf(
      series.map(name => ({ name, colour: look(name) })),
      frame,
    );
    const [low, high] = extent(chart.arrows.map(arrow => arrow.at));
    const longest = Math.max(...chart.arrows.map(arrow => Math.abs(arrow.length))) || 1;
    const unit = (LONGEST * (high - low)) / longest;
    const drawn = chart.arrows.map((arrow, row) => ({ ...arrow, row, end: arrow.at + unit * arrow.length }));
    const marginLeft = Math.ceil(Math.min(0.3 * width, Math.max(...drawn.map(arrow => textWidth(arrow.name))) + 16));
    const plot = asSvg(
      Plot.plot({
        width,
        height: legend.height + ROW * drawn.length + 56,
        marginLeft,
        marginRight: 16,
        marginTop: legend.height + 8,
        marginBottom: 40,
        style: plotStyle(theme),
        x: {
          domain:
            chart.x.domain ??
            extent(
              drawn.flatMap(({ at, end }) => [at, end]),
              0.03,
            ),
        },
        y: { type: 'band', domain: drawn.map(arrow => arrow.row), axis: null },
        marks: [
          ...horizontalAxis(chart.x, theme, width - marginLeft),
          Plot.text(drawn, {
            y: 'row',
            text: arrow => fitted(arrow.name, marginLeft - 12),
            frameAnchor: 'left',
            textAnchor: 'end',
            dx: -8,
            fill: theme.ink,
          }),
          Plot.dot(drawn, { x: 'at', y: 'row', r: 4, fill: arrow => look(arrow.series) }),
          Plot.arrow(drawn, {
            x1: 'at',
            x2: 'end',
            y: 'row',
            stroke: arrow => look(arrow.series),
            strokeWidth: 2,
            headLength: 6,
          }),
        ],
      }),
    );
    legend.addTo(plot);
    const [x, y] = [placer(plot, 'x'), placer(plot, 'y')];
    return {
      svg: plot,
      nearest: 'y',
      spots: drawn.map(arrow => ({
        x: x(arrow.at),
        y: y(arrow.row),
        title: `${chart.item} ${arrow.name}`,
        lines: [
          { label: arrow.series, value: '', colour: look(arrow.series) },
          { label: chart.x.label, value: written(arrow.at, chart.x.style) },
          { label: chart.lengthLabel, value: written(arrow.length, chart.lengthStyle) },
        ],
      })),
    };
  },

  table(chart) {
    return {
      kind: 'table',
      title: chart.title,
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
