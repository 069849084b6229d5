/** Charts of what Svore et al. 2011 draw of each iteration, where the log has it. */
import type { IterationDiagnostics, IterationRecord } from '../training/iteration-record.js';
import type { LineSeries, LinesChart } from './charts.js';
import { labelColours, labelOrder, labelSeries } from './words.js';

const x = { label: 'iteration', style: 'count' } as const;

export function diagnosticCharts(log: readonly IterationRecord[]): LinesChart[] {
  const known = log.flatMap(({ iteration, diagnostics }) => (diagnostics ? [{ iteration, ...diagnostics }] : []));
  const first = known[0];
  if (first === undefined) return [];
  const series = (name: string, of: (record: IterationDiagnostics) => number): LineSeries => ({
    name,
    x: known.map(({ iteration }) => iteration),
    y: known.map(of),
  });
  const labels = labelOrder(known.flatMap(({ lambdaByLabel }) => lambdaByLabel.map(({ label }) => label)));
  const topLabels = labelOrder(known.flatMap(({ topLabels }) => topLabels.map(({ label }) => label)));
  const sources = labelOrder(first.lambdaSources.map(({ label }) => label));
  // A label that is in one chart alone changes no colour of the others.
  const colourOf = labelColours([...labels, ...topLabels, ...sources]);
  const ofLabel = (label: number, of: (record: IterationDiagnostics) => number): LineSeries => ({
    ...series(labelSeries(label), of),
    colour: colourOf(label),
  });
  const parts = Math.max(...first.lambdaByLabel.map(({ parts }) => parts.length), 0);
  return [
    {
      kind: 'lines',
      title: 'Documents that changed rank',
      x,
      y: { label: 'share of ranks', style: 'percent' },
      series: [
        series('top 3', ({ rankChanges }) => rankChanges.top),
        series('all', ({ rankChanges }) => rankChanges.all),
      ],
    },
    {
      kind: 'lines',
      title: 'Labels in the top 3',
      x,
      y: { label: 'documents', style: 'count' },
      series: topLabels.map(label =>
        ofLabel(label, record => record.topLabels.find(entry => Object.is(entry.label, label))?.documents ?? 0),
      ),
    },
    ...Array.from(
      { length: parts },
      (_, p): LinesChart => ({
        kind: 'lines',
        title: parts === 1 ? 'Lambda by label' : `Lambda by label, part ${p + 1} of the objective`,
        x,
        y: { label: 'sum of |lambda|' },
        series: labels.map(label =>
          ofLabel(label, record => record.lambdaByLabel.find(entry => entry.label === label)?.parts[p] ?? 0),
        ),
      }),
    ),
    ...(first.lambdaSources.length === 0
      ? []
      : [
          {
            kind: 'lines' as const,
            title: 'Labels that the lambda on highly relevant documents comes from',
            x,
            y: { label: 'share of lambda', style: 'percent' as const },
            series: sources.map(label =>
              ofLabel(label, record => record.lambdaSources.find(entry => entry.label === label)!.share),
            ),
          },
        ]),
    ...(Number.isNaN(first.agreement)
      ? []
      : [
          {
            kind: 'lines' as const,
            title: 'Agreement of the first two parts of the objective',
            x,
            y: { label: 'share of documents', style: 'percent' as const },
            series: [series('agreement', ({ agreement }) => agreement)],
          },
        ]),
  ];
}
