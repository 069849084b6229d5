/**
 * The page of one judged ranking: how good, how it goes with the cut-off, how it differs from query to query, where it
 * fails.
 */
import type { System } from '../analysis/system.js';
import type { MeasureResult } from '../measures/evaluate.js';
import { histogramBins } from './bins.js';
import type { HistogramChart } from './charts.js';
import { type CurveOptions, cutoffCurves } from './cutoff-curves.js';
import { labelShares } from './label-shares.js';
import { estimateOf, intervalWords } from './mean-interval.js';
import type { Origin, Report, Section, TableBlock } from './page.js';
import { confidence, counted, emptyQueries } from './words.js';

export interface EvaluatePage {
  readonly system: System;
  readonly results: readonly MeasureResult[];
  /** The measures as they were asked for. */
  readonly asked: readonly string[];
  readonly curves: CurveOptions;
  readonly origin: Origin;
  readonly title?: string | undefined;
}

export function evaluatePage(input: EvaluatePage): Report {
  const { system, results, asked, curves, origin, title = `${system.name} judged` } = input;
  const labelled = system.data.labels.get(results[0]!.measure.labels);
  return {
    title: `listwise: ${title}`,
    verdict: verdict(input),
    sections: [
      {
        title: 'Means',
        lead: `Each with its ${confidence(curves.alpha)} confidence interval over queries.`,
        blocks: [meansChart(input), meansTable(input)],
      },
      {
        title: 'By cut-off',
        lead: 'How good the top of the lists is, from the first document down.',
        blocks: cutoffCurves([system], results[0]!.measure.labels, curves),
      },
      {
        title: 'From query to query',
        lead: 'How many queries have which value; a mean alone does not say whether all are alike.',
        blocks: results.map((result, m) => distribution(asked[m]!, result)),
      },
      {
        title: 'Queries that fail',
        lead: `Lowest ${asked[0]} first; last those without a document labelled above 0, for which no order could be better.`,
        blocks: [queriesTable(input)],
      },
      ...(labelled === undefined
        ? []
        : [
            {
              title: 'Labels',
              lead: 'What the documents judged on are labelled.',
              blocks: [labelShares('Labels', labelled)],
            },
          ]),
    ],
    origin,
  };
}

function verdict({ system, results, asked, curves }: EvaluatePage): string {
  const first = results[0]!;
  const estimate = estimateOf(first, curves.alpha);
  const between = Number.isNaN(estimate.low)
    ? ''
    : ` (${confidence(curves.alpha)} interval ${estimate.low.toFixed(3)} to ${estimate.high.toFixed(3)})`;
  const empty = emptyQueries(first.empty, first.measure.empty);
  if (first.queries === 0) return `${asked[0]} is undefined for every query of ${system.name}.`;
  return `${system.name} has ${asked[0]} ${first.mean.toFixed(3)}${between} over ${counted(first.queries, 'query', 'queries')}${empty && `; ${empty}`}.`;
}

function meansChart({ results, asked, curves }: EvaluatePage): Section['blocks'][0] {
  return {
    kind: 'intervals',
    title: 'Means by measure',
    x: { label: 'mean', style: 'value' },
    dots: results.map((result, m) => ({ label: asked[m]!, series: 'mean', ...estimateOf(result, curves.alpha) })),
  };
}

function meansTable({ results, asked, curves }: EvaluatePage): TableBlock {
  const aliases = results.some(({ measure }, m) => measure.spec !== asked[m]);
  return {
    kind: 'table',
    title: 'Means',
    columns: [
      { title: 'measure' },
      ...(aliases ? [{ title: 'in full' }] : []),
      { title: 'mean', style: 'value' },
      { title: 'queries', style: 'count' },
      { title: 'empty', style: 'count' },
      { title: 'each counts' },
    ],
    rows: results.map((result, m) => [
      asked[m]!,
      ...(aliases ? [result.measure.spec] : []),
      { value: result.mean, note: intervalWords(estimateOf(result, curves.alpha)) },
      result.queries,
      result.empty,
      result.measure.empty === 'skip' ? 'skipped' : String(result.measure.empty),
    ]),
  };
}

function distribution(asked: string, { values, mean, measure }: MeasureResult): HistogramChart {
  return {
    kind: 'histogram',
    title: `Queries by ${asked}`,
    x: { label: asked },
    y: { label: 'queries', style: 'count' },
    bins: histogramBins(values),
    marks: Number.isNaN(mean)
      ? []
      : [{ x: mean, label: `${measure.aggregate.name.replace('arithmetic ', '')} ${mean.toFixed(3)}` }],
  };
}

/**
 * Every query, worst first; those without a labelled document cannot fail and come after them, those left out of the
 * mean last.
 */
function queriesTable({ system: { data }, results, asked }: EvaluatePage): TableBlock {
  const first = results[0]!;
  const labels = data.labels.get(first.measure.labels);
  const rows = data.queryIds.map((query, q) => {
    const own = labels?.subarray(data.offsets[q]!, data.offsets[q + 1]!) ?? new Float64Array();
    return [
      query,
      ...results.map(({ values }) => values[q]!),
      data.offsets[q + 1]! - data.offsets[q]!,
      own.filter(label => label > 0).length,
    ] as const;
  });
  type Row = (typeof rows)[number];
  const group = (row: Row) => (Number.isNaN(row[1]) ? 2 : row.at(-1) === 0 ? 1 : 0);
  return {
    kind: 'table',
    title: 'Queries',
    columns: [
      { title: 'query' },
      ...asked.map(title => ({ title, style: 'value' as const })),
      { title: 'documents', style: 'count' },
      { title: 'labelled above 0', style: 'count' },
    ],
    rows: rows.sort((a, b) => group(a) - group(b) || Number(a[1]) - Number(b[1]) || 0),
  };
}
