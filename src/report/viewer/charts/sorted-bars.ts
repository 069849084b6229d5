import * as Plot from '@observablehq/plot';
import type { SortedBar, SortedBarsChart } from '../../charts.js';
import { written } from '../../numbers.js';
import type { Theme } from '../theme.js';
import { detailColumns, detailLines } from './details.js';
import type { Drawing } from './drawing.js';
import { leftMargin, picture, scaleOf, TOP, usualHeight, verticalAxis } from './layout.js';
import { legendOf, seriesLook } from './legend.js';

export const sortedBars: Drawing<SortedBarsChart> = {
  wide: true,
  marks: ({ bars }) => bars.length,
  draw(chart, frame) {
    const { width, theme } = frame;
    const bars = sorted(chart).map((bar, i) => ({ ...bar, i }));
    const count = (sign: number) =>
      bars.filter(({ value }) => Math.sign(value) === sign).length.toLocaleString('en-GB');
    const [above, below] = colours(chart, theme);
    const legend = legendOf(
      [
        { name: `${chart.above} (${count(1)})`, colour: above, mark: 'bar' },
        { name: `${chart.below} (${count(-1)})`, colour: below, mark: 'bar' },
        { name: `equal (${count(0)})`, colour: theme.faint, mark: 'bar' },
      ],
      frame,
    );
    const y = scaleOf(chart.y, [0, ...bars.map(({ value }) => value)], 0.03);
    const marginLeft = leftMargin(chart.y, y.domain);
    const colour = (value: number) => (value > 0 ? above : value < 0 ? below : theme.faint);
    const step = (width - marginLeft - 16) / Math.max(1, bars.length);
    const { svg, placeX, placeY } = picture(
      frame,
      {
        height: Math.round(usualHeight(frame) * 0.85) + legend.height,
        marginLeft,
        marginRight: 16,
        marginTop: legend.height + TOP,
        marginBottom: 24,
        x: { domain: [0, Math.max(1, bars.length)], axis: null },
        y,
        marks: [
          ...verticalAxis(chart.y, y.domain, marginLeft, theme),
          // More bars than pixels would be as many elements and no more to see: their outline is drawn instead.
          step >= 1
            ? Plot.rectY(bars, {
                x1: 'i',
                x2: bar => bar.i + 1,
                y: 'value',
                fill: bar => colour(bar.value),
                insetRight: step > 3 ? 1 : 0,
              })
            : [above, below].map((fill, side) =>
                Plot.areaY(bars, {
                  x: 'i',
                  y: bar => (side === 0 ? Math.max(0, bar.value) : Math.min(0, bar.value)),
                  fill,
                  curve: 'step-after',
                }),
              ),
          Plot.ruleY([0], { stroke: theme.faint }),
        ],
      },
      legend,
    );
    return {
      svg,
      nearest: 'x',
      spots: bars.map(bar => ({
        x: placeX(bar.i + 0.5),
        y: placeY(bar.value),
        title: `${chart.item} ${bar.name}`,
        // Written when it is pointed at: there may be many thousands.
        get lines() {
          return [
            { label: chart.y.label, value: written(bar.value, chart.y.style), colour: colour(bar.value) },
            ...detailLines(bar),
          ];
        },
      })),
    };
  },

  table(chart) {
    const { columns, cells } = detailColumns(chart.bars);
    return {
      columns: [{ title: chart.item }, { title: chart.y.label, style: chart.y.style ?? 'general' }, ...columns],
      rows: sorted(chart).map(bar => [bar.name, bar.value, ...cells(bar)]),
    };
  },
};

/** Those of the two sides, unless there are more series on the page than colours and both would have the same. */
function colours({ colours: numbers }: SortedBarsChart, theme: Theme): [string, string] {
  const [above, below] = numbers?.map(number => seriesLook(theme, number).colour) ?? [];
  return above === undefined || below === undefined || above === below ? [theme.above, theme.below] : [above, below];
}

function sorted({ bars }: SortedBarsChart): SortedBar[] {
  return bars.filter(({ value }) => !Number.isNaN(value)).sort((a, b) => b.value - a.value);
}
