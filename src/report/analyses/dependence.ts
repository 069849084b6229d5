/** How the score depends on features, one at a time. */
import type { Dependence } from '../../analysis/partial-dependence.js';
import type { IntervalsChart, LinesChart } from '../charts.js';
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

function verdictOf({ feature, values, levels, mean }: Dependence): string {
  const [low, high] = [Math.min(...mean), Math.max(...mean)];
  if (!(high > low)) return `Scores do not depend on feature ${feature}.`;
  const valueShown = (i: number) => levels?.[i] ?? plain(values[i]!, 'general', 6);
  const at = (score: number) => `${fixed(score)} at ${valueShown(mean.indexOf(score))}`;
  return `With feature ${feature}, the mean score goes from ${at(low)} to ${at(high)}.`;
}

/** Levels have no order: a dot each, not a line. */
function chart({ feature, values, levels, mean, low, high, missing }: Dependence): LinesChart | IntervalsChart {
  const title = `Mean score by feature ${feature}`;
  const score = { label: 'mean score', style: 'value' } as const;
  const across = missing !== undefined && {
    reference: missing,
    note: `The line ${levels ? 'down' : 'across'} is the mean score where it is missing.`,
  };
  if (levels === undefined) {
    const series = [{ name: 'mean score', x: values, y: mean, low, high }];
    return { kind: 'lines', title, x: { label: `feature ${feature}` }, y: score, series, ...across };
  }
  const dots = levels.map((label, i) => ({
    label,
    series: 'mean score',
    value: mean[i]!,
    low: low[i]!,
    high: high[i]!,
  }));
  return { kind: 'intervals', title, x: score, dots, ...across };
}

function section(one: Dependence, first: TableBlock['first']): Section {
  const { feature, values, levels, mean, low, high, missing } = one;
  return {
    title: `Feature ${feature}`,
    lead: NOTE,
    blocks: [
      chart(one),
      {
        kind: 'table',
        title: `Feature ${feature}`,
        columns: [
          levels ? column(`feature ${feature}`) : column(`feature ${feature}`, 'general', { digits: 6 }),
          ...columns('value', 'mean score', 'low', 'high'),
        ],
        rows: [
          ...values.map((value, i) => [levels?.[i] ?? value, mean[i]!, low[i]!, high[i]!]),
          ...(missing === undefined ? [] : [['missing', missing, Number.NaN, Number.NaN]]),
        ],
        first,
      },
      remark(NOTE),
    ],
  };
}
