import * as Plot from '@observablehq/plot';
import type { HeatMapChart } from '../../charts.js';
import { written } from '../../numbers.js';
import { mixed, readableOn } from '../colours.js';
import type { Drawing } from './drawing.js';
import { extent, fitted, picture, rowNames, textWidth } from './layout.js';

const ROW = 36;

export const heatMap: Drawing<HeatMapChart> = {
  wide: true,
  draw(chart, frame) {
    const { width, theme } = frame;
    const text = (value: number) => written(value, chart.style ?? 'value');
    const cells = chart.values.flatMap((row, r) => row.map((value, c) => ({ r, c, value })));
    const [low, high] = extent(cells.map(({ value }) => value));
    const far = Math.max(Math.abs(low), Math.abs(high));
    const colour = (value: number) => {
      if (Number.isNaN(value)) return theme.paper;
      if (chart.colours !== 'diverging') return mixed(theme.low, theme.high, (value - low) / (high - low || 1));
      return mixed(theme.low, value < 0 ? theme.below : theme.above, Math.abs(value) / (far || 1));
    };
    const marginLeft = Math.ceil(Math.min(0.34 * width, Math.max(...chart.rows.map(textWidth)) + 16));
    const column = (width - marginLeft - 8) / Math.max(1, chart.columns.length);
    const slanted = chart.columns.some(name => textWidth(name) > column - 6);
    const marginTop = slanted ? Math.min(110, 0.75 * Math.max(...chart.columns.map(textWidth)) + 44) : 48;
    const fits = cells.every(({ value }) => textWidth(text(value)) < column - 6);
    const { svg, placeX, placeY } = picture(frame, {
      height: marginTop + ROW * chart.rows.length + 8,
      marginLeft,
      marginRight: 8,
      marginTop,
      marginBottom: 8,
      x: { type: 'band', domain: chart.columns.map((_, c) => c), axis: null, padding: 0.03 },
      y: { type: 'band', domain: chart.rows.map((_, r) => r), axis: null, padding: 0.05 },
      marks: [
        Plot.cell(cells, { x: 'c', y: 'r', fill: ({ value }) => colour(value), stroke: theme.line, rx: 3 }),
        fits
          ? Plot.text(cells, {
              x: 'c',
              y: 'r',
              text: ({ value }) => text(value),
              fill: ({ value }) => readableOn(colour(value)),
            })
          : null,
        rowNames(
          chart.rows.map((name, row) => ({ name, row })),
          marginLeft,
          theme,
        ),
        Plot.text(chart.columns, {
          x: (_, c) => c,
          text: name => fitted(name, slanted ? 88 : column),
          frameAnchor: 'top',
          textAnchor: slanted ? 'start' : 'middle',
          rotate: slanted ? -45 : 0,
          dy: -10,
          fill: theme.ink,
        }),
        Plot.text([`${chart.rowLabel} ↓   ${chart.columnLabel} →`], {
          frameAnchor: 'top-left',
          dx: -marginLeft,
          dy: 4 - marginTop,
          textAnchor: 'start',
          lineAnchor: 'top',
          fill: theme.faint,
        }),
      ],
    });
    return {
      svg,
      nearest: 'both',
      spots: cells.map(({ r, c, value }) => ({
        x: placeX(c),
        y: placeY(r),
        title: `${chart.rowLabel} ${chart.rows[r]}, ${chart.columnLabel} ${chart.columns[c]}`,
        lines: [{ label: chart.valueLabel, value: text(value) }],
      })),
    };
  },

  table(chart) {
    return {
      columns: [
        { title: `${chart.rowLabel} \\ ${chart.columnLabel}` },
        ...chart.columns.map(title => ({ title, style: chart.style ?? ('value' as const) })),
      ],
      rows: chart.rows.map((name, r) => [name, ...chart.values[r]!]),
    };
  },
};
