import * as Plot from '@observablehq/plot';
import type { WaterfallChart } from '../../charts.js';
import { written } from '../../numbers.js';
import { detailColumns, detailLines } from './details.js';
import type { Drawing } from './drawing.js';
import { cornerLabel, horizontalAxis, picture, rowNames, scaleOf, textWidth } from './layout.js';

const ROW = 24;
/** For what the rows are. */
const TOP = 22;
const SHOWN = 12;

export const waterfall: Drawing<WaterfallChart> = {
  wide: true,
  hidden: ({ steps, shown = SHOWN }) => Math.max(0, steps.filter(({ ofAll }) => !ofAll).length - shown),

  draw(chart, frame) {
    const { width, theme } = frame;
    const rows = rowsOf(chart, frame.all);
    const text = (value: number) => written(value, chart.x.style);
    const change = (value: number) => written(value, 'difference');
    const marginLeft = Math.ceil(Math.min(0.42 * width, Math.max(...rows.map(({ name }) => textWidth(name))) + 16));
    const marginRight =
      Math.ceil(Math.max(...rows.map(({ end, adds }) => textWidth(adds === undefined ? text(end) : change(adds))))) +
      14;
    const scale = scaleOf(
      chart.x,
      rows.flatMap(({ start, end }) => [start, end]),
      0.04,
    );
    const colour = ({ adds }: Row) => (adds === undefined ? theme.faint : adds < 0 ? theme.below : theme.above);
    const steps = rows.filter(({ adds }) => adds !== undefined);
    const ends = rows.filter(({ adds }) => adds === undefined);
    const { svg, placeX, placeY } = picture(frame, {
      height: ROW * rows.length + TOP + 44,
      marginLeft,
      marginRight,
      marginTop: TOP,
      marginBottom: 40,
      x: scale,
      y: { type: 'band', domain: rows.map(({ row }) => row), axis: null, padding: 0.25 },
      marks: [
        ...horizontalAxis(chart.x, scale.domain, width - marginLeft - marginRight, theme),
        cornerLabel(chart.item, marginLeft, theme, -12),
        Plot.barX(steps, { x1: 'start', x2: 'end', y: 'row', fill: colour, rx: 1 }),
        // From the end of each to the start of the next.
        Plot.link(rows.slice(1), {
          x: 'start',
          y1: ({ row }) => row - 1,
          y2: 'row',
          stroke: theme.faint,
          strokeWidth: 1,
        }),
        Plot.dot(ends, { x: 'end', y: 'row', r: 5, fill: theme.ink }),
        rowNames(rows, marginLeft, theme),
        Plot.text(rows, {
          y: 'row',
          x: ({ start, end }) => Math.max(start, end),
          text: ({ end, adds }) => (adds === undefined ? text(end) : change(adds)),
          textAnchor: 'start',
          dx: 8,
          fill: theme.faint,
        }),
      ],
    });
    return {
      svg,
      nearest: 'y',
      spots: rows.map(row => ({
        x: placeX(row.end),
        y: placeY(row.row),
        title: row.adds === undefined || row.ofAll ? row.name : `${chart.item} ${row.name}`,
        lines: [
          ...(row.adds === undefined ? [] : [{ label: 'adds', value: change(row.adds), colour: colour(row) }]),
          { label: chart.x.label, value: text(row.end) },
          ...detailLines(row),
        ],
      })),
    };
  },

  table(chart) {
    const style = chart.x.style ?? 'general';
    const rows = rowsOf(chart, true);
    const { columns, cells } = detailColumns(rows);
    return {
      columns: [
        { title: chart.item },
        { title: 'adds', style: 'difference' },
        { title: chart.x.label, style },
        ...columns,
      ],
      rows: rows.map(row => [row.name, row.adds ?? Number.NaN, row.end, ...cells(row)]),
    };
  },
};

interface Row extends Partial<Pick<WaterfallChart['steps'][number], 'details' | 'ofAll'>> {
  readonly row: number;
  readonly name: string;
  /** Left out for the two ends. */
  readonly adds?: number;
  readonly start: number;
  readonly end: number;
}

/** The two ends and the steps between them, each from where the one before it ends. */
function rowsOf({ from, to, steps, shown = SHOWN }: WaterfallChart, all: boolean): Row[] {
  const each = steps.filter(({ ofAll }) => !ofAll);
  const drawn = all ? each : each.slice(0, shown);
  const rest = each.slice(drawn.length);
  const together = rest.reduce((sum, { adds }) => sum + adds, 0);
  let at = from.value;
  const others = rest.length === 0 ? [] : [{ name: `${rest.length} others`, adds: together }];
  const between = [...drawn, ...others, ...steps.filter(({ ofAll }) => ofAll)].map((step, i): Row => {
    const start = at;
    at += step.adds;
    return { ...step, row: i + 1, start, end: at };
  });
  const end = { row: between.length + 1, name: to.name, start: at, end: to.value };
  return [{ row: 0, name: from.name, start: from.value, end: from.value }, ...between, end];
}
