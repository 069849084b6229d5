import * as Plot from '@observablehq/plot';
import type { BarsChart } from '../../charts.js';
import { written } from '../../numbers.js';
import { detailColumns, detailLines } from './details.js';
import type { Drawing } from './drawing.js';
import { cornerLabel, horizontalAxis, picture, rowNames, scaleOf, textWidth } from './layout.js';

const ROW = 24;
/** For what the rows are. */
const TOP = 22;
const SHOWN = 20;

export const bars: Drawing<BarsChart> = {
  wide: true,
  hidden: ({ bars, shown = SHOWN }) => Math.max(0, bars.length - shown),

  draw(chart, frame) {
    const { width, theme, all } = frame;
    const drawn = (all ? chart.bars : chart.bars.slice(0, chart.shown ?? SHOWN)).map((bar, row) => ({ ...bar, row }));
    const text = (value: number) => written(value, chart.x.style);
    const marginLeft = Math.ceil(Math.min(0.42 * width, Math.max(...drawn.map(bar => textWidth(bar.name))) + 16));
    const marginRight = Math.ceil(Math.max(...drawn.map(bar => textWidth(text(bar.value))))) + 14;
    const values = drawn.flatMap(({ value, low = value, high = value }) => [value, low, high]);
    const x = scaleOf(chart.x, [0, ...values]);
    const colour = (value: number) => (value < 0 ? theme.below : theme.above);
    const { svg, placeX, placeY } = picture(frame, {
      height: ROW * drawn.length + TOP + 44,
      marginLeft,
      marginRight,
      marginTop: TOP,
      marginBottom: 40,
      x,
      y: { type: 'band', domain: drawn.map(bar => bar.row), axis: null, padding: 0.25 },
      marks: [
        ...horizontalAxis(chart.x, x.domain, width - marginLeft - marginRight, theme),
        cornerLabel(chart.item, marginLeft, theme, -12),
        Plot.barX(drawn, { x: 'value', y: 'row', fill: bar => colour(bar.value), rx: 2 }),
        Plot.ruleY(drawn, {
          y: 'row',
          x1: bar => bar.low ?? Number.NaN,
          x2: bar => bar.high ?? Number.NaN,
          stroke: theme.ink,
          strokeWidth: 1.5,
        }),
        rowNames(drawn, marginLeft, theme),
        Plot.text(drawn, {
          y: 'row',
          x: bar => Math.max(0, bar.value, bar.high ?? 0),
          text: bar => text(bar.value),
          textAnchor: 'start',
          dx: 6,
          fill: theme.faint,
        }),
        Plot.ruleX([0], { stroke: theme.faint }),
      ],
    });
    return {
      svg,
      nearest: 'y',
      spots: drawn.map(bar => ({
        x: placeX(Number.isNaN(bar.value) ? 0 : bar.value),
        y: placeY(bar.row),
        title: `${chart.item} ${bar.name}`,
        lines: [
          {
            label: chart.x.label,
            value:
              bar.low === undefined || bar.high === undefined
                ? text(bar.value)
                : `${text(bar.value)} [${text(bar.low)}, ${text(bar.high)}]`,
            colour: colour(bar.value),
          },
          ...detailLines(bar),
        ],
      })),
    };
  },

  table(chart) {
    const style = chart.x.style ?? 'general';
    const { columns, cells } = detailColumns(chart.bars);
    const ends = chart.bars.some(bar => bar.low !== undefined);
    return {
      columns: [
        { title: chart.item },
        ...[chart.x.label, ...(ends ? ['low', 'high'] : [])].map(title => ({ title, style })),
        ...columns,
      ],
      rows: chart.bars.map(bar => [
        bar.name,
        bar.value,
        ...(ends ? [bar.low ?? Number.NaN, bar.high ?? Number.NaN] : []),
        ...cells(bar),
      ]),
    };
  },
};
