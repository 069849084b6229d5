import * as Plot from '@observablehq/plot';
import type { Slope, SlopesChart } from '../../charts.js';
import type { Drawing } from './drawing.js';
import { fitted, picture, textWidth } from './layout.js';
import { numbered } from './legend.js';

const ROW = 20;
/** For what the two sides are. */
const TOP = 26;
const SHOWN = 20;

export const slopes: Drawing<SlopesChart> = {
  wide: true,
  hidden: ({ lines, shown = SHOWN }) => Math.max(0, lines.length - Math.min(lines.length, shown)),

  draw(chart, frame) {
    const { width, theme, all } = frame;
    const lines = sorted(chart).slice(0, all ? undefined : (chart.shown ?? SHOWN));
    const { colour, legend } = numbered(chart.lines, frame);
    const last = Math.max(...lines.flatMap(({ from, to }) => [from, to]));
    // A rank and an id are both numbers, often: a sign, a place and a colour of their own keep them apart.
    const rank = (place: number) => `#${place}`;
    const rankRoom = Math.ceil(textWidth(rank(last))) + 20;
    const names = Math.max(...lines.map(({ name }) => textWidth(name)));
    const margin = Math.ceil(Math.min(0.36 * width, rankRoom + names + 4));
    // Beyond the last that is shown on the right, ranks on the left can be far down: they are told, not drawn to scale.
    const deepest = Math.min(last, 2 * lines.length + 5);
    const rows = lines.map(line => ({ ...line, y1: Math.min(line.from, deepest), y2: line.to }));
    const top = legend.height + TOP;
    const beside = (side: 'from' | 'to', text: (line: Slope) => string, away: number, fill: string) =>
      Plot.text(rows, {
        x: () => (side === 'from' ? 0 : 1),
        y: side === 'from' ? 'y1' : 'y2',
        text,
        textAnchor: side === 'from' ? 'end' : 'start',
        dx: side === 'from' ? -away : away,
        fill,
      });
    const labels = (side: 'from' | 'to') => [
      beside(side, line => rank(line[side]), 10, theme.faint),
      beside(side, ({ name }) => fitted(name, margin - rankRoom), rankRoom, theme.ink),
    ];
    const { svg, placeX, placeY } = picture(
      frame,
      {
        height: top + ROW * deepest + 14,
        marginLeft: margin,
        marginRight: margin,
        marginTop: top,
        marginBottom: 14,
        x: { domain: [0, 1], axis: null },
        y: { domain: [0.5, deepest + 0.5], range: [top, top + ROW * deepest], axis: null },
        marks: [
          ...(['from', 'to'] as const).map((side, x) =>
            Plot.text([chart[side]], {
              x: [x],
              frameAnchor: 'top',
              text: (name: string) => fitted(name, width / 2 - 10),
              textAnchor: side === 'from' ? 'start' : 'end',
              dy: -14,
              fill: theme.faint,
            }),
          ),
          Plot.link(rows, {
            x1: 0,
            x2: 1,
            y1: 'y1',
            y2: 'y2',
            stroke: line => colour(line.series),
            strokeWidth: line => (line.from === line.to ? 1.5 : 2.5),
            strokeOpacity: 0.85,
          }),
          ...(['from', 'to'] as const).map((side, x) =>
            Plot.dot(rows, { x: () => x, y: side === 'from' ? 'y1' : 'y2', r: 4, fill: line => colour(line.series) }),
          ),
          ...labels('from'),
          ...labels('to'),
        ],
      },
      legend,
    );
    return {
      svg,
      nearest: 'both',
      spots: rows.map(({ name, from, to, y1, y2, series }) => ({
        x: placeX(1),
        y: placeY(y2),
        title: `${chart.item} ${name}`,
        lines: [
          { label: series, value: '', colour: colour(series) },
          { label: chart.from, value: `rank ${from}` },
          { label: chart.to, value: `rank ${to}` },
        ],
        dots: [
          { x: placeX(0), y: placeY(y1), colour: colour(series) },
          { x: placeX(1), y: placeY(y2), colour: colour(series) },
        ],
      })),
    };
  },

  table(chart) {
    const rank = { style: 'general', digits: 12 } as const;
    return {
      columns: [
        { title: chart.item },
        { title: 'colour' },
        { title: `rank: ${chart.from}`, ...rank },
        { title: `rank: ${chart.to}`, ...rank },
      ],
      rows: sorted(chart).map(({ name, series, from, to }) => [name, series, from, to]),
    };
  },
};

function sorted({ lines }: SlopesChart): Slope[] {
  return lines.toSorted((a, b) => a.to - b.to || a.from - b.from);
}
