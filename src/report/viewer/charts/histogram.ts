import * as Plot from '@observablehq/plot';
import type { HistogramChart } from '../../charts.js';
import { written } from '../../numbers.js';
import type { Drawing } from './drawing.js';
import { horizontalAxis, leftMargin, markLabels, picture, scaleOf, TOP, usualHeight, verticalAxis } from './layout.js';
import { legendOf } from './legend.js';

export const histogram: Drawing<HistogramChart> = {
  wide: false,
  draw(chart, frame) {
    const { width, theme } = frame;
    const y = scaleOf(chart.y, [0, ...chart.bins.map(bin => bin.count)]);
    const x = scaleOf(
      chart.x,
      chart.bins.flatMap(({ from, to }) => [from, to]),
    );
    const marginLeft = leftMargin(chart.y, y.domain);
    const { part } = chart;
    const legend = legendOf(
      part === undefined
        ? []
        : [
            { name: 'others', colour: theme.above, mark: 'bar' },
            { name: part, colour: theme.below, mark: 'bar' },
          ],
      frame,
    );
    const { svg, placeX, placeY } = picture(
      frame,
      {
        height: Math.round(usualHeight(frame) * 0.85) + legend.height,
        marginLeft,
        marginRight: 16,
        marginTop: TOP + legend.height,
        marginBottom: 40,
        x,
        y,
        marks: [
          ...verticalAxis(chart.y, y.domain, marginLeft, theme),
          // Bars say enough: no grid between them.
          ...horizontalAxis(chart.x, x.domain, width, theme).slice(1),
          Plot.rectY(chart.bins, { x1: 'from', x2: 'to', y: 'count', fill: theme.above, inset: 0.5, rx: 1 }),
          Plot.rectY(
            chart.bins.filter(bin => bin.part),
            { x1: 'from', x2: 'to', y: 'part', fill: theme.below, inset: 0.5, rx: 1 },
          ),
          Plot.ruleY([0], { stroke: theme.faint }),
          Plot.ruleX(chart.marks ?? [], { x: 'x', stroke: theme.ink, strokeDasharray: '3 3' }),
          ...markLabels(chart.marks ?? [], x.domain, frame, theme.ink),
        ],
      },
      legend,
    );
    return {
      svg,
      nearest: 'x',
      spots: chart.bins.map(({ from, to, count, part: own = 0 }) => ({
        x: (placeX(from) + placeX(to)) / 2,
        y: placeY(count),
        title: `${chart.x.label} ${written(from, chart.x.style)} to ${written(to, chart.x.style)}`,
        lines: [
          { label: chart.y.label, value: written(count, chart.y.style ?? 'count'), colour: theme.above },
          ...(part === undefined ? [] : [{ label: part, value: written(own, 'count'), colour: theme.below }]),
        ],
      })),
    };
  },

  table(chart) {
    const style = chart.x.style ?? 'general';
    return {
      columns: [
        { title: `${chart.x.label} from`, style },
        { title: 'to', style },
        { title: chart.y.label, style: chart.y.style ?? 'count' },
        ...(chart.part === undefined ? [] : [{ title: chart.part, style: 'count' as const }]),
      ],
      rows: chart.bins.map(({ from, to, count, part = 0 }) =>
        chart.part === undefined ? [from, to, count] : [from, to, count, part],
      ),
    };
  },
};
