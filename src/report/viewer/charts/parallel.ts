import * as Plot from '@observablehq/plot';
import type { ParallelAxis, ParallelChart } from '../../charts.js';
import { written } from '../../numbers.js';
import { mixed } from '../colours.js';
import type { Drawing } from './drawing.js';
import { extent, fitted, fittedInside, picture, textWidth, usualHeight } from './layout.js';

export const parallel: Drawing<ParallelChart> = {
  wide: true,
  draw(chart, frame) {
    const { width, theme } = frame;
    const heights = chart.axes.map((axis, a) =>
      heightOn(
        axis,
        chart.lines.map(line => line.values[a]!),
      ),
    );
    const outcome = chart.axes.length - 1;
    const lines = chart.lines
      .map(line => ({ ...line, at: line.values.map((value, a) => heights[a]!.place(value)) }))
      .sort((a, b) => a.at[outcome]! - b.at[outcome]!); // the best on top
    const points = lines.flatMap((line, i) => line.at.map((y, a) => ({ i, a, y })));
    const colour = (i: number) => mixed(mixed(theme.line, theme.faint, 0.7), theme.above, lines[i]!.at[outcome] || 0);
    const ticks = heights.flatMap(({ ticks }, a) => ticks.map(({ y, label }) => ({ a, y, label })));
    const widest = (a: number) => Math.max(...heights[a]!.ticks.map(({ label }) => textWidth(label)));
    // Texts of the first axis stand to its left, where no line crosses them.
    const texts = chart.axes[0]!.texts !== undefined;
    const marginLeft = texts ? Math.min(0.3 * width, widest(0) + 10) : Math.min(70, width / chart.axes.length / 2);
    const marginRight = Math.max(widest(outcome), 24) + 10;
    const room = (width - marginLeft - marginRight) / Math.max(1, outcome);
    // Where names are wider than the axes are apart, every other one stands higher.
    const high = chart.axes.some(({ label }) => textWidth(label) + 6 > room);
    const { svg, placeX, placeY } = picture(frame, {
      height: usualHeight(frame),
      marginLeft,
      marginRight,
      marginTop: high ? 50 : 36,
      marginBottom: 16,
      x: { domain: [0, Math.max(1, outcome)], axis: null },
      y: { domain: [0, 1], axis: null },
      marks: [
        Plot.line(points, { x: 'a', y: 'y', z: 'i', stroke: ({ i }) => colour(i), strokeWidth: 1.5 }),
        Plot.ruleX(chart.axes, { x: (_, a) => a, stroke: theme.faint }),
        ...ticks.map(({ a, y, label }) => {
          const first = a === 0 && texts;
          // Half a number is worse than none: the values are said where one points, and are in the table.
          if (chart.axes[a]!.texts === undefined && a < outcome && textWidth(label) + 8 > room) return null;
          return Plot.text([fittedInside(label, first ? marginLeft - 8 : a === outcome ? marginRight : room - 8)], {
            x: [a],
            y: [y],
            textAnchor: first ? 'end' : 'start',
            dx: first ? -5 : 5,
            fill: theme.faint,
            stroke: theme.paper,
            strokeWidth: 4,
          });
        }),
        ...chart.axes.map((axis, a) =>
          Plot.text([fitted(axis.label, (high ? 2 : 1) * room - 6 + (a === outcome ? marginRight : 0))], {
            x: [a],
            frameAnchor: 'top',
            // The names at both ends stay within the picture.
            textAnchor: a === 0 && !texts ? 'start' : a === outcome ? 'end' : 'middle',
            dx: a === 0 && !texts ? -marginLeft : a === outcome ? marginRight : 0,
            dy: high && a % 2 === 1 ? -34 : -20,
            fill: theme.ink,
          }),
        ),
      ],
    });
    return {
      svg,
      nearest: 'both',
      spots: [...lines].reverse().map(line => {
        const dots = line.at.flatMap((height, a) =>
          Number.isNaN(height) ? [] : [{ x: placeX(a), y: placeY(height), colour: theme.ink }],
        );
        return {
          x: dots.at(-1)?.x ?? 0,
          y: dots.at(-1)?.y ?? 0,
          title: `${chart.item} ${line.name}`,
          lines: chart.axes.map(({ label, style }, a) => ({ label, value: written(line.values[a]!, style) })),
          dots,
        };
      }),
    };
  },

  table(chart) {
    return {
      columns: [
        { title: chart.item },
        ...chart.axes.map(({ label, texts, style = 'general' as const }) =>
          texts === undefined ? { title: label, style } : { title: label },
        ),
      ],
      rows: chart.lines.map(line => [line.name, ...line.values]),
    };
  },
};

interface AxisHeights {
  /** From 0 at the bottom to 1; NaN where there is no value. */
  place(value: number | string): number;
  readonly ticks: readonly { readonly y: number; readonly label: string }[];
}

function heightOn(axis: ParallelAxis, values: readonly (number | string)[]): AxisHeights {
  if (axis.texts !== undefined) {
    const { texts } = axis;
    const place = (value: number | string) => (texts.indexOf(String(value)) + 0.5) / texts.length;
    return { place, ticks: texts.map(label => ({ y: place(label), label })) };
  }
  const scaled = axis.scale === 'log' ? Math.log : Number;
  const [low, high] = axis.domain ?? extent(values.filter(value => typeof value === 'number'));
  const place = (value: number | string) => (scaled(Number(value)) - scaled(low)) / (scaled(high) - scaled(low) || 1);
  return { place, ticks: [low, high].map(value => ({ y: place(value), label: written(value, axis.style) })) };
}
