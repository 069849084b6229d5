import * as Plot from '@observablehq/plot';
import type { SwarmChart } from '../../charts.js';
import { written } from '../../numbers.js';
import type { Drawing } from './drawing.js';
import { cornerLabel, horizontalAxis, picture, rowNames, scaleOf, textWidth } from './layout.js';
import { legendOf } from './legend.js';
import { shadeLegend, shading } from './shading.js';

const ROW = 34;
const RADIUS = 2.5;
/** For what the rows are. */
const TOP = 22;
/** More rows have the axis above them too. */
const TALL = 15;

export const swarm: Drawing<SwarmChart> = {
  wide: true,
  draw(chart, frame) {
    const { width, theme } = frame;
    const rows = chart.rows.map((one, row) => ({ ...one, row }));
    const marginLeft = Math.ceil(Math.min(0.3 * width, Math.max(...rows.map(({ name }) => textWidth(name))) + 16));
    const scale = scaleOf(
      chart.x,
      chart.rows.flatMap(({ x }) => x),
      0.03,
    );
    const [low, high] = scale.domain as [number, number];
    const pixels = (width - marginLeft - 16) / (high - low);
    const dots = rows.flatMap(({ row, x, values, texts, name, names = chart.names }) => {
      // Beside shades, the colour of what has none is neither low nor high.
      const plain = shaded(chart) ? theme.ink : theme.above;
      const { colour } = values === undefined ? { colour: () => plain } : shading(values, chart.item, frame);
      const places = apart(x.map(value => (value - low) * pixels));
      return x.map((value, i) => ({
        row,
        name,
        x: value,
        dy: places[i]!,
        colour: colour(values?.[i] ?? Number.NaN),
        value: texts?.[i] ?? (values && valueShown(values[i]!)),
        item: names?.[i] ?? '',
      }));
    });
    const legend = shaded(chart) ? shadeLegend(`value of the ${chart.rowItem}`, frame) : legendOf([], frame);
    const lanes = [...new Set(dots.map(({ dy }) => dy))];
    const { svg, placeX, placeY } = picture(
      frame,
      {
        height: legend.height + ROW * rows.length + TOP + 48,
        marginLeft,
        marginRight: 16,
        marginTop: legend.height + TOP,
        marginBottom: 40,
        x: scale,
        y: { type: 'band', domain: rows.map(({ row }) => row), axis: null },
        marks: [
          ...horizontalAxis(chart.x, scale.domain, width - marginLeft, theme, rows.length > TALL),
          cornerLabel(chart.rowItem, marginLeft, theme, -12),
          rowNames(rows, marginLeft, theme),
          Plot.ruleX(low <= 0 && high >= 0 ? [0] : [], { stroke: theme.faint }),
          // An offset is of a mark, not of a dot.
          ...lanes.map(dy =>
            Plot.dot(
              dots.filter(dot => dot.dy === dy),
              { x: 'x', y: 'row', dy, r: RADIUS, fill: ({ colour }) => colour },
            ),
          ),
        ],
      },
      legend,
    );
    return {
      svg,
      nearest: 'both',
      spots: dots.map(({ row, name, x, dy, value, item, colour }) => ({
        x: placeX(x),
        y: placeY(row) + dy,
        title: `${chart.rowItem} ${name}, ${chart.item} ${item}`,
        lines: [
          ...(value === undefined ? [] : [{ label: `value of the ${chart.rowItem}`, value, colour }]),
          { label: chart.x.label, value: written(x, chart.x.style) },
        ],
      })),
    };
  },

  table(chart) {
    return {
      columns: [
        ...[chart.rowItem, chart.item].map(title => ({ title })),
        ...(valued(chart) ? [{ title: 'value', style: 'general' as const }] : []),
        { title: chart.x.label, style: chart.x.style ?? 'general' },
      ],
      rows: chart.rows.flatMap(({ name, x, values, texts, names = chart.names }) =>
        x.map((value, i) => [
          ...[name, names?.[i] ?? ''],
          ...(valued(chart) ? [texts?.[i] ?? values?.[i] ?? Number.NaN] : []),
          value,
        ]),
      ),
    };
  },
};

function valued(chart: SwarmChart): boolean {
  return shaded(chart) || chart.rows.some(({ texts }) => texts !== undefined);
}

function valueShown(value: number): string {
  return Number.isNaN(value) ? 'missing' : written(value);
}

function shaded({ rows }: SwarmChart): boolean {
  return rows.some(({ values }) => values !== undefined);
}

/** How far up or down each dot goes so that dots side by side can be seen; those of a crowd overlap at its ends. */
function apart(places: readonly number[]): number[] {
  const most = Math.floor((ROW - 10) / 2 / RADIUS);
  const taken = new Map<number, number>();
  return places.map(place => {
    const column = Math.round(place / (2 * RADIUS));
    const before = taken.get(column) ?? 0;
    taken.set(column, before + 1);
    const step = Math.min(Math.ceil(before / 2), Math.floor(most / 1.2));
    return (before % 2 === 0 ? -1 : 1) * step * RADIUS * 1.2;
  });
}
