/** The labels of data as bars, one a value (or a range, where there are many). */
import type { Dataset } from '../data/dataset.js';
import { countLabels, type LabelCount } from '../data/inspect.js';
import type { BarsChart } from './charts.js';
import type { Section } from './document.js';
import { plain } from './numbers.js';
import { count } from './words.js';

/** The labels that systems are evaluated by; none where the data has no such source. */
export function labelsSection({ labels }: Dataset, source: string): Section[] {
  const judged = labels.get(source);
  if (judged === undefined) return [];
  const lead = 'How the documents are labelled.';
  return [{ title: 'Labels', lead, blocks: [labelShares('Labels', judged)] }];
}

/** `source` is the name of the labels. */
export function labelShares(title: string, labels: Float64Array | readonly LabelCount[], source = 'label'): BarsChart {
  const counts = labels instanceof Float64Array ? countLabels(labels) : labels;
  const total = counts.reduce((sum, entry) => sum + entry.count, 0);
  return {
    kind: 'bars',
    title,
    note: `Of ${count(total)} documents.`,
    x: { label: 'share', style: 'percent' },
    item: counts.some(({ to }) => to !== undefined) ? `${source} (in ranges)` : source,
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
  return to === undefined ? String(value) : `${plain(value, 'general', 6)} to ${plain(to, 'general', 6)}`;
}
