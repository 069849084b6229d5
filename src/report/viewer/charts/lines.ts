import * as Plot from '@observablehq/plot';
import type { LinesChart } from '../../charts.js';
import { written } from '../../numbers.js';
import type { Drawing, Spot } from './drawing.js';
import { markLabels, type Picture, scaleOf } from './layout.js';
import { legendOf, seriesLook } from './legend.js';
import { plane } from './plane.js';

/** Lines of at most so many values show each of them. */
const MAX_DOTS = 30;
/** Of bands one sees through so many; more must be fainter, and of still more nothing can be seen. */
const CLEAR_BANDS = 2;
const MOST_BANDS = 3;

export const lines: Drawing<LinesChart> = {
  wide: false,
  draw(chart, frame) {
    const { theme } = frame;
    const looks = chart.series.map(({ colour, tone }, s) => seriesLook(theme, colour ?? s, tone));
    const legend = legendOf(
      chart.series.map(({ name, tone }, s) => ({ name, ...looks[s]!, told: tone !== undefined })),
      frame,
    );
    const xs = chart.series.flatMap(series => series.x);
    const reference = chart.reference === undefined ? [] : [chart.reference];
    const ys = [...reference, ...chart.series.flatMap(({ y, low = [], high = [] }) => [...y, ...low, ...high])];
    const x = scaleOf(chart.x, xs);
    const bands = chart.series.filter(({ low }) => low !== undefined).length;
    const fillOpacity = bands > CLEAR_BANDS ? 0.08 : 0.14;
    const points = chart.series.map(series =>
      series.x.map((x, i) => ({ x, y: series.y[i]!, low: series.low?.[i], high: series.high?.[i] })),
    );
    const drawn = plane(
      frame,
      { x: { axis: chart.x, scale: x }, y: { axis: chart.y, scale: scaleOf(chart.y, ys, 0.05) }, legend },
      [
        ...chart.series.map((series, s) =>
          series.low === undefined || bands > MOST_BANDS
            ? null
            : Plot.areaY(points[s]!, { x: 'x', y1: 'low', y2: 'high', fill: looks[s]!.colour, fillOpacity }),
        ),
        Plot.ruleX(chart.marks ?? [], { x: 'x', stroke: theme.faint, strokeDasharray: '3 3' }),
        ...markLabels(chart.marks ?? [], x.domain, frame, theme.faint),
        Plot.ruleY(reference, { stroke: theme.faint, strokeDasharray: '3 3' }),
        ...points.map((data, s) => {
          if (chart.series[s]!.dots) return null;
          const { colour, dash } = looks[s]!;
          const curve = chart.series[s]!.stepped ? 'step-after' : 'linear';
          const style = { x: 'x', y: 'y', stroke: colour, strokeWidth: 2, curve } as const;
          return Plot.lineY(data, dash === undefined ? style : { ...style, strokeDasharray: dash });
        }),
        ...points.map((data, s) =>
          (data.length > MAX_DOTS || chart.series[s]!.stepped) && !chart.series[s]!.dots
            ? null
            : Plot.dot(data, { x: 'x', y: 'y', r: chart.series[s]!.dots ? 4 : 2.5, fill: looks[s]!.colour }),
        ),
      ],
    );
    return { svg: drawn.svg, nearest: 'x', spots: spotsOf(chart, drawn, looks) };
  },

  table(chart) {
    const single = chart.series.every(({ low }) => low === undefined);
    const ends = single ? [] : ['low', 'high'];
    return {
      columns: [
        { title: 'series' },
        { title: chart.x.label, style: chart.x.style ?? 'general' },
        ...[chart.y.label, ...ends].map(title => ({ title, style: chart.y.style ?? 'general' })),
      ],
      rows: chart.series.flatMap(({ name, x, y, low, high }) =>
        x.map((at, i) => [name, at, y[i]!, ...(single ? [] : [low?.[i] ?? Number.NaN, high?.[i] ?? Number.NaN])]),
      ),
    };
  },
};

/** One spot a place on the horizontal axis, with the values of all series there. */
function spotsOf(chart: LinesChart, { placeX, placeY }: Picture, looks: readonly { colour: string }[]): Spot[] {
  const at = new Map<number, { s: number; i: number }[]>();
  chart.series.forEach(({ x, y }, s) => {
    x.forEach((value, i) => {
      if (Number.isNaN(y[i]!)) return;
      const there = at.get(value);
      if (there === undefined) at.set(value, [{ s, i }]);
      else there.push({ s, i });
    });
  });
  return [...at]
    .sort(([a], [b]) => a - b)
    .map(([x, there]) => ({
      x: placeX(x),
      y: Math.min(...there.map(({ s, i }) => placeY(chart.series[s]!.y[i]!))),
      title: `${chart.x.label} ${written(x, chart.x.style)}`,
      lines: there.map(({ s, i }) => {
        const { name, y, low, high } = chart.series[s]!;
        const between = low && high ? ` [${written(low[i]!, chart.y.style)}, ${written(high[i]!, chart.y.style)}]` : '';
        return { label: name, value: written(y[i]!, chart.y.style) + between, colour: looks[s]!.colour };
      }),
      dots: there.map(({ s, i }) => ({ x: placeX(x), y: placeY(chart.series[s]!.y[i]!), colour: looks[s]!.colour })),
    }));
}
