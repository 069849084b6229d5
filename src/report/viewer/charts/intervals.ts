import * as Plot from '@observablehq/plot';
import type { IntervalsChart } from '../../charts.js';
import { written } from '../../numbers.js';
import type { Drawing } from './drawing.js';
import { horizontalAxis, picture, rowNames, scaleOf, textWidth } from './layout.js';
import { colouring } from './legend.js';

const ROW = 22;
/** Between the labels, in rows. */
const GAP = 0.8;
/** A line of a label. */
const LINE = 16;

export const intervals: Drawing<IntervalsChart> = {
  wide: false,
  draw(chart, frame) {
    const { width, theme } = frame;
    const labels = [...new Set(chart.dots.map(dot => dot.label))];
    const { colour, legend } = colouring(
      chart.dots.map(dot => dot.series),
      frame,
      { mark: 'dot', toneOf: series => chart.dots.find(dot => dot.series === series)?.tone },
    );
    // Rows from the top: the dots of one label together, then a gap.
    let row = 0;
    const placed = labels.flatMap(label => {
      const own = chart.dots.filter(dot => dot.label === label).map(dot => ({ ...dot, row: row++ }));
      row += GAP;
      return own;
    });
    const headings = labels.map(label => {
      const rows = placed.filter(dot => dot.label === label).map(dot => dot.row);
      const lines = Math.floor(((rows.length + GAP) * ROW) / LINE);
      return { name: label, row: (rows[0]! + rows.at(-1)!) / 2, lines };
    });
    const values = chart.dots.flatMap(({ value, low, high }) => [value, low, high]);
    if (chart.reference !== undefined) values.push(chart.reference);
    const marginLeft = Math.ceil(Math.min(0.4 * width, Math.max(...labels.map(textWidth)) + 16));
    const scale = scaleOf(chart.x, values, 0.05);
    const { svg, placeX, placeY } = picture(
      frame,
      {
        height: legend.height + 60 + ROW * row,
        marginLeft,
        marginRight: 20,
        marginTop: legend.height + 10,
        marginBottom: 40,
        x: scale,
        y: { axis: null, domain: [-0.7, row - GAP - 0.3], range: [legend.height + 10, legend.height + 10 + ROW * row] },
        marks: [
          ...horizontalAxis(chart.x, scale.domain, width - marginLeft, theme),
          chart.reference === undefined ? null : Plot.ruleX([chart.reference], { stroke: theme.faint }),
          rowNames(headings, marginLeft, theme, -10),
          Plot.link(placed, { x1: 'low', x2: 'high', y: 'row', stroke: dot => colour(dot.series), strokeWidth: 2 }),
          Plot.dot(placed, { x: 'value', y: 'row', r: 5, fill: dot => colour(dot.series) }),
        ],
      },
      legend,
    );
    return {
      svg,
      nearest: 'y',
      spots: placed
        .filter(dot => !Number.isNaN(dot.value))
        .map(dot => ({
          x: placeX(dot.value),
          y: placeY(dot.row),
          title: dot.label,
          lines: [
            {
              label: dot.name ?? dot.series,
              value: `${written(dot.value, chart.x.style)} [${written(dot.low, chart.x.style)}, ${written(dot.high, chart.x.style)}]`,
              colour: colour(dot.series),
            },
          ],
        })),
    };
  },

  table(chart) {
    const style = chart.x.style ?? 'general';
    return {
      columns: [
        { title: 'of' },
        { title: 'series' },
        ...[chart.x.label, 'low', 'high'].map(title => ({ title, style })),
      ],
      rows: chart.dots.map(({ label, series, name = series, value, low, high }) => [label, name, value, low, high]),
    };
  },
};
