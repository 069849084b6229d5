/** The labels of data as bars, one a value (or a range, where there are many). */
import { countLabels, type LabelCount } from '../data/inspect.js';
import type { BarsChart } from './charts.js';
import { count } from './words.js';

export function labelShares(title: string, labels: Float64Array | readonly LabelCount[]): BarsChart {
  const counts = labels instanceof Float64Array ? countLabels(labels) : labels;
  const total = counts.reduce((sum, entry) => sum + entry.count, 0);
  return {
    kind: 'bars',
    title,
    note: `Of ${count(total)} documents.`,
    x: { label: 'share of documents', style: 'percent' },
    item: 'label',
    shown: counts.length,
    bars: counts.map(entry => ({
      name: labelName(entry),
      value: entry.count / total,
      details: [{ label: 'documents', value: entry.count, style: 'count' }],
    })),
  };
}

function labelName({ value, to }: LabelCount): string {
  if (Number.isNaN(value)) return 'none';
  const short = (number: number) => String(Number(number.toPrecision(4)));
  return to === undefined ? short(value) : `${short(value)} to ${short(to)}`;
}
