/** How much measures tell of the lists that they evaluate. */
import type { Informativeness } from '../../analysis/informativeness/informativeness.js';
import type { ScatterChart } from '../charts.js';
import { column, columns } from '../columns.js';
import type { Document, TableBlock } from '../document.js';
import { count, listed } from '../words.js';

/** A result with the name its measure was asked for by. */
export interface AskedInformativeness {
  readonly asked: string;
  readonly result: Informativeness;
}

/** `names` are those of the predicted measures. */
export function informativenessDocument(found: readonly AskedInformativeness[], names: readonly string[]): Document {
  const { curve } = found[0]!.result;
  const recall = curve.map(point => point.recall);
  const most = Math.max(...found.map(({ result }) => result.empty));
  const failed = found.filter(({ result }) => result.failed > 0);
  const leftOut = [
    `\nLeft out: ${count(most)} lists where a measure is undefined or no relevant document is found.`,
    ...failed.map(({ asked, result }) => ` No distribution was found for ${count(result.failed)} lists from ${asked}.`),
  ].join('');
  return {
    title: 'Informativeness',
    verdict: verdictOf(found),
    sections: [
      {
        title: 'Precision-recall curves',
        lead: 'What each measure lets infer of a list, against what it is. The nearer to the real curve, the more the value tells.',
        blocks: [
          {
            kind: 'lines',
            title: 'Mean precision by recall',
            x: { label: 'recall, of the relevant documents in the list', domain: [0, 1] },
            y: { label: 'precision', style: 'value', domain: [0, 1] },
            series: [
              { name: 'real', x: recall, y: curve.map(point => point.actual) },
              ...found.map(({ asked, result }) => ({
                name: `from ${asked}`,
                x: recall,
                y: result.curve.map(point => point.inferred),
              })),
            ],
          },
          curvesTable(found),
        ],
      },
      {
        title: 'Predictions',
        lead: 'Other measures, as the inferred labels make one expect them: a dot a system; on the diagonal the prediction is right.',
        blocks: [
          ...names.map((name, p) => predictions(found, name, p)),
          predictionsTable(found, names),
          {
            kind: 'text',
            text: `Curve: inferred against real precision where recall changes. Entropy left: of relevance, nats a document. A list is a query of a system.${most > 0 ? leftOut : ''}`,
          },
        ],
      },
    ],
  };
}

function verdictOf(found: readonly AskedInformativeness[]): string {
  const known = found.filter(({ result }) => result.lists > 0).sort((a, b) => a.result.rms - b.result.rms);
  const [best] = known;
  if (best === undefined) return 'No list holds a relevant document: there is nothing to infer.';
  const off = `the precision-recall curves inferred from it are off by ${best.result.rms.toFixed(3)} (root of the mean square)`;
  if (known.length === 1) return `Of ${best.asked} this can be said: ${off}.`;
  if (known.at(-1)!.result.rms - best.result.rms < 5e-4) {
    return `None of ${known.length} measures tells more than the others: the precision-recall curves inferred from each are off by ${best.result.rms.toFixed(3)} (root of the mean square).`;
  }
  const others = known.slice(1).map(({ asked, result }) => `${result.rms.toFixed(3)} from ${asked}`);
  return `${best.asked} tells most of ${known.length} measures: ${off}, against ${listed(others)}.`;
}

function curvesTable(found: readonly AskedInformativeness[]): TableBlock {
  return {
    kind: 'table',
    title: 'Errors of the curves',
    columns: [
      column('measure'),
      ...columns('value', 'curve RMS', 'curve MAE', 'entropy left'),
      column('lists', 'count'),
      column('left out', 'count', { on: ['page'] }),
    ],
    rows: found.map(({ asked, result: { rms, mae, entropy, lists, empty, failed } }) => [
      asked,
      rms,
      mae,
      entropy,
      lists,
      empty + failed,
    ]),
  };
}

function predictionsTable(found: readonly AskedInformativeness[], names: readonly string[]): TableBlock {
  return {
    kind: 'table',
    title: 'Errors of the predictions',
    columns: [
      ...columns(undefined, 'known', 'predicted'),
      ...columns('value', 'RMS of systems', 'RMS of queries', "Kendall's tau"),
    ],
    rows: found.flatMap(({ asked, result }) =>
      result.predictions.map(({ rms, queryRms, tau }, p) => [asked, names[p]!, rms, queryRms, tau]),
    ),
  };
}

function predictions(found: readonly AskedInformativeness[], name: string, p: number): ScatterChart {
  return {
    kind: 'scatter',
    title: `${name} of systems`,
    item: 'system',
    diagonal: true,
    x: { label: `real ${name}`, style: 'value' },
    y: { label: `predicted ${name}`, style: 'value' },
    points: found.flatMap(({ asked, result }) =>
      result.predictions[p]!.systems.map(({ name: system, actual, predicted }) => ({
        name: system,
        x: actual,
        y: predicted,
        series: `from ${asked}`,
      })),
    ),
  };
}
