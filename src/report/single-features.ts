/** Features that rank by themselves, with intervals: what a page of data and a terminal show. */
import type { SingleFeature } from '../training/baselines/single-features.js';
import { column } from './columns.js';
import type { Section, TableBlock } from './document.js';
import { estimateOf, intervalCell } from './mean-interval.js';
import { remark } from './remark.js';
import { confidence } from './words.js';

const ALPHA = 0.05;

/** Best first. */
export function singleFeaturesSection(all: readonly SingleFeature[], first?: TableBlock['first']): Section {
  const asked = all[0]?.result.asked ?? '';
  const ordered = all.toSorted((a, b) => b.result.mean - a.result.mean || 0);
  const lead = `${asked} of ranking by one feature, high or low values first, whichever is better, with its ${confidence(ALPHA)} interval.`;
  return {
    title: 'Features by themselves',
    lead,
    blocks: [
      {
        kind: 'bars',
        title: `${asked} of each feature alone`,
        x: { label: asked, style: 'value' },
        item: 'feature',
        shown: 15,
        bars: ordered.map(({ feature, direction, result }) => ({
          name: feature,
          ...estimateOf(result, ALPHA),
          details: [{ label: 'first', value: `${direction} values` }],
        })),
      },
      {
        kind: 'table',
        title: 'Features by themselves',
        columns: [
          column('feature'),
          column('first'),
          column(asked, 'value', { interval: `${confidence(ALPHA)} interval` }),
        ],
        rows: ordered.map(({ feature, direction, result }) => [
          feature,
          `${direction} values`,
          intervalCell(estimateOf(result, ALPHA)),
        ]),
        first,
      },
      remark(lead),
    ],
  };
}
