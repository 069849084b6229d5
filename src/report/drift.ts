/** How features of data differ from those of other data. */
import type { Drift } from '../analysis/drift.js';
import { column, columns } from './columns.js';
import type { Section } from './document.js';
import { counted, listed } from './words.js';

/** `names` are those of the data before, and of the data now. */
export function driftSection(drifts: readonly Drift[], [before, now]: readonly [string, string]): Section {
  const name = ({ feature }: Drift) => feature ?? 'scores';
  const drifted = drifts.filter(one => one.drifted);
  const said =
    drifted.length === 0
      ? 'Nothing drifted.'
      : `${counted(drifted.length, 'feature')} drifted: ${listed(drifted.slice(0, 5).map(name))}${drifted.length > 5 ? ', …' : ''}.`;
  return {
    title: `Drift from ${before} to ${now}`,
    lead: `${said} One document of each query is compared, chosen by chance; a feature drifts where a chi-square test is significant and the index is at least 0.1.`,
    blocks: [
      {
        kind: 'bars',
        title: 'Population stability index',
        note: 'Below 0.1 shifts hardly matter; above 0.25 they are large.',
        x: { label: 'index', style: 'general' },
        item: 'feature',
        shown: 15,
        bars: drifts.map(one => ({
          name: name(one),
          value: one.psi,
          details: [
            { label: 'p', value: one.p, style: 'p' },
            { label: 'verdict', value: one.drifted ? 'drifted' : 'no drift' },
          ],
        })),
      },
      {
        kind: 'table',
        title: 'Drift of every feature',
        columns: [
          column('feature'),
          column('index', 'significant', { digits: 3 }),
          column('p', 'p'),
          ...columns('percent', 'below its range', 'above its range', 'missing', 'missing before'),
          column('drifted', undefined, { verdict: true }),
        ],
        rows: drifts.map(one => [
          name(one),
          one.psi,
          one.p,
          one.below,
          one.above,
          one.missing,
          one.missingBefore,
          one.drifted ? 'yes' : 'no',
        ]),
      },
    ],
  };
}
