/** Every kind of chart and what draws it. */
import type { Chart } from '../../charts.js';
import type { TableBlock } from '../../document.js';
import { arrows } from './arrows.js';
import { bars } from './bars.js';
import type { Drawing } from './drawing.js';
import { heatMap } from './heat-map.js';
import { histogram } from './histogram.js';
import { intervals } from './intervals.js';
import { lines } from './lines.js';
import { scatter } from './scatter.js';
import { slopes } from './slopes.js';
import { sortedBars } from './sorted-bars.js';
import { swarm } from './swarm.js';
import { tree } from './tree.js';
import { waterfall } from './waterfall.js';

const drawings = {
  lines,
  intervals,
  'sorted-bars': sortedBars,
  bars,
  histogram,
  scatter,
  'heat-map': heatMap,
  slopes,
  waterfall,
  arrows,
  swarm,
  tree,
} as const satisfies { [Kind in Chart['kind']]: Drawing<Extract<Chart, { kind: Kind }>> };

/** A chart as rows. */
export function tableOf(chart: Chart): TableBlock {
  return { kind: 'table', title: chart.title, ...drawingOf(chart).table(chart) };
}

export function drawingOf(chart: Chart): Drawing<Chart> {
  return drawings[chart.kind];
}
