/** How the score depends on features, one at a time. */
import type { Dependence } from '../../analysis/partial-dependence.js';
import { column, columns } from '../columns.js';
import type { Document, Section, TableBlock } from '../document.js';
import { fixed, plain } from '../numbers.js';
import { remark } from '../remark.js';

const NOTE =
  'The mean score where all documents have the value, other features as they are. The band holds the middle 80 % of documents: how much the change differs from one to another.';

export function dependenceDocument(file: string, found: readonly Dependence[], first: TableBlock['first']): Document {
  return {
    title: `how the scores of ${file} depend on features`,
    verdict: found.map(verdictOf).join(' '),
    sections: found.map(one => section(one, first)),
  };
}

function verdictOf({ feature, values, mean }: Dependence): string {
  const [low, high] = [Math.min(...mean), Math.max(...mean)];
  if (!(high > low)) return `Scores do not depend on feature ${feature}.`;
  const at = (score: number) => `${fixed(score)} at ${plain(values[mean.indexOf(score)]!, 'general', 6)}`;
  return `With feature ${feature}, the mean score goes from ${at(low)} to ${at(high)}.`;
}

function section({ feature, values, mean, low, high, missing }: Dependence, first: TableBlock['first']): Section {
  return {
    title: `Feature ${feature}`,
    lead: NOTE,
    blocks: [
      {
        kind: 'lines',
        title: `Mean score by feature ${feature}`,
        x: { label: `feature ${feature}` },
        y: { label: 'mean score', style: 'value' },
        series: [{ name: 'mean score', x: values, y: mean, low, high }],
        ...(missing !== undefined && {
          reference: missing,
          note: 'The line across is the mean score where it is missing.',
        }),
      },
      {
        kind: 'table',
        title: `Feature ${feature}`,
        columns: [
          column(`feature ${feature}`, 'general', { digits: 6 }),
          ...columns('value', 'mean score', 'low', 'high'),
        ],
        rows: [
          ...values.map((value, i) => [value, mean[i]!, low[i]!, high[i]!]),
          ...(missing === undefined ? [] : [['missing', missing, Number.NaN, Number.NaN]]),
        ],
        first,
      },
      remark(NOTE),
    ],
  };
}
