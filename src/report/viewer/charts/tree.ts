import * as Plot from '@observablehq/plot';
import type { TreeChart } from '../../charts.js';
import { written } from '../../numbers.js';
import type { Drawing } from './drawing.js';
import { fitted, picture, textWidth } from './layout.js';

const ROW = 20;
const THICKEST = 8;
/** From one level to the next, at most. */
const LEVEL = 110;

export const tree: Drawing<TreeChart> = {
  wide: true,
  draw(chart, frame) {
    const { width, theme } = frame;
    const nodes = chart.nodes.map((node, row) => ({ ...node, row }));
    const depth = Math.max(1, ...nodes.map(node => node.depth));
    const text = ({ label, value }: (typeof nodes)[number]) =>
      value === undefined ? label : written(value, 'difference');
    const longest = Math.min(0.5 * width, Math.max(...nodes.map(node => textWidth(text(node)))) + 60);
    const level = Math.min(LEVEL, (width - longest - 24) / depth);
    const colour = ({ value }: (typeof nodes)[number]) =>
      value === undefined ? theme.faint : value < 0 ? theme.below : theme.above;
    const links = nodes.flatMap(node => (node.parent === undefined ? [] : [{ node, parent: nodes[node.parent]! }]));
    const thickness = (share: number) => (Number.isNaN(share) ? 1.5 : Math.max(1, THICKEST * share));
    const height = ROW * nodes.length + 24;
    const { svg, placeX, placeY } = picture(frame, {
      height,
      margin: 12,
      marginRight: width - 12 - level * depth,
      x: { domain: [0, depth], axis: null },
      y: { domain: [-0.5, nodes.length - 0.5], reverse: true, axis: null },
      marks: [
        // Down the parent's line, then across.
        Plot.link(links, {
          x1: ({ parent }) => parent.depth,
          x2: ({ parent }) => parent.depth,
          y1: ({ parent }) => parent.row,
          y2: ({ node }) => node.row,
          stroke: theme.line,
          strokeWidth: ({ node }) => thickness(node.share),
        }),
        Plot.link(links, {
          x1: ({ parent }) => parent.depth,
          x2: ({ node }) => node.depth,
          y1: ({ node }) => node.row,
          y2: ({ node }) => node.row,
          stroke: theme.line,
          strokeWidth: ({ node }) => thickness(node.share),
        }),
        Plot.text(
          links.filter(({ node }) => textWidth(node.answer) < level - 14),
          {
            x: ({ parent }) => parent.depth,
            y: ({ node }) => node.row,
            text: ({ node }) => node.answer,
            dx: 6,
            dy: -9,
            textAnchor: 'start',
            fill: theme.faint,
            fontSize: 10,
          },
        ),
        Plot.dot(nodes, { x: 'depth', y: 'row', r: 4, fill: colour }),
        Plot.text(nodes, {
          x: 'depth',
          y: 'row',
          text: node => fitted(text(node), longest),
          dx: 10,
          textAnchor: 'start',
          fill: node => (node.value === undefined ? theme.ink : colour(node)),
          stroke: theme.paper,
          strokeWidth: 4,
        }),
      ],
    });
    return {
      svg,
      nearest: 'y',
      spots: nodes.map(node => ({
        x: placeX(node.depth),
        y: placeY(node.row),
        title: node.label || 'leaf',
        lines: [
          ...(node.answer === '' ? [] : [{ label: 'answer above', value: node.answer }]),
          ...(node.value === undefined ? [] : [{ label: chart.valueLabel, value: written(node.value, 'difference') }]),
          { label: 'share of training documents', value: written(node.share, 'percent') },
        ],
      })),
    };
  },

  table(chart) {
    return {
      columns: [
        ...['node', 'answer above'].map(title => ({ title })),
        { title: 'depth', style: 'count' },
        { title: 'share', style: 'percent' },
        { title: chart.valueLabel, style: 'difference' },
      ],
      rows: chart.nodes.map(({ label, answer, depth, share, value = Number.NaN }) => [
        label || 'leaf',
        answer,
        depth,
        share,
        value,
      ]),
    };
  },
};
