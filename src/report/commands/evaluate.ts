/** The page of one ranking: how good, by cut-off, from query to query, and where it fails. */
import type { System } from '../../analysis/system.js';
import { queryValues } from '../../data/query-values.js';
import type { MeasureResult } from '../../measures/evaluate.js';
import { type PresetName, presets } from '../../measures/presets.js';
import type { Ties } from '../../measures/query-view.js';
import { histogramBins } from '../bins.js';
import type { HistogramChart } from '../charts.js';
import { column, columns, rightColumn } from '../columns.js';
import { type CurveOptions, cutoffSection } from '../cutoff-section.js';
import type { Document, Origin, Report, Section, TableBlock } from '../document.js';
import { labelsSection } from '../label-shares.js';
import { estimateOf, intervalCell } from '../mean-interval.js';
import { remark } from '../remark.js';
import { confidence, count, counted, emptyQueries } from '../words.js';

/** Of intervals, where nothing else is said: 95 %. */
export const ALPHA = 0.05;

export interface EvaluateInput {
  readonly system: System;
  readonly results: readonly MeasureResult[];
  /** The measures as they were asked for. */
  readonly asked: readonly string[];
  /** Conventions of the curves; without them there are no charts of every document and query, which take a while. */
  readonly curves?: CurveOptions | undefined;
  /** Whose conventions the measures follow, for the terminal. */
  readonly preset?: PresetName | undefined;
  readonly ties?: Ties | undefined;
  /** Whether the terminal shows every query. */
  readonly perQuery?: boolean | undefined;
  /** The column whose values tell queries apart. */
  readonly by?: string | undefined;
}

/**
 * What the page of an evaluation is made of.
 *
 * @example
 * import type { EvaluatePage } from 'listwise/report';
 *
 * const title = ({ title = 'Evaluation' }: EvaluatePage): string => title;
 */
export interface EvaluatePage extends EvaluateInput {
  readonly curves: CurveOptions;
  readonly origin: Origin;
  readonly title?: string | undefined;
}

/**
 * The page of an evaluation.
 *
 * @example
 * import { evaluate } from 'listwise';
 * import { evaluatePage } from 'listwise/report';
 *
 * const page = evaluatePage({
 *   system: systems[0]!,
 *   results: evaluate(data, scores, 'ndcg@10'),
 *   asked: ['ndcg@10'],
 *   curves: { context: {}, ties: 'expected', alpha: 0.05 },
 *   origin,
 * });
 */
export function evaluatePage({ origin, title, ...input }: EvaluatePage): Report {
  const document = evaluateDocument(input);
  return { ...document, title: title === undefined ? document.title : `listwise: ${title}`, origin };
}

export function evaluateDocument(input: EvaluateInput): Document {
  const { system, curves, preset, ties, asked, perQuery = false } = input;
  const alpha = curves?.alpha ?? ALPHA;
  return {
    title: `listwise: ${system.name} evaluated`,
    verdict: verdict(input, alpha),
    sections: [
      ...(perQuery ? [{ title: 'Queries', blocks: [{ ...queriesTable(input), on: 'terminal' as const }] }] : []),
      {
        title: 'Means',
        lead: `Each with its ${confidence(alpha)} confidence interval over queries.`,
        blocks: [
          meansChart(input, alpha),
          meansTable(input, alpha),
          ...(preset === undefined ? [] : [remark(`${documents(input)}. ${conventions(preset, ties, asked)}`)]),
        ],
      },
      ...(curves === undefined ? [] : chartSections(input, curves)),
    ],
  };
}

function documents({ system, results }: EvaluateInput): string {
  const { tied } = results[0]!;
  return `${count(system.data.rows)} documents${tied === 0 ? '' : `, ${count(tied)} of them tied`}`;
}

function conventions(preset: PresetName, ties: Ties | undefined, asked: readonly string[]): string {
  const words = {
    expected: 'averaged over all orders',
    input: 'in input order',
    document: 'by document id, descending',
  };
  const changed = ties === undefined || ties === presets[preset].ties ? '' : ` But ties ${words[ties]}.`;
  const own = asked.some(spec => spec.includes('(')) ? " What a measure's own parameters say comes first." : '';
  return `${presets[preset].title}${changed}${own}`;
}

function chartSections(input: EvaluateInput, curves: CurveOptions): Section[] {
  const { system, results, asked } = input;
  const { labels } = results[0]!.measure;
  return [
    cutoffSection([system], labels, curves),
    {
      title: 'From query to query',
      lead: 'How many queries have which value; a mean alone does not say whether all are alike.',
      blocks: results.map((result, m) => distribution(asked[m]!, result, relevantOf(input, m))),
    },
    {
      title: 'Queries that fail',
      lead: `Lowest ${asked[0]} first; last those without a document labelled above 0, for which no order could be better.`,
      blocks: [{ ...worstFirst(queriesTable(input)), on: 'page' }],
    },
    ...labelsSection(system.data, labels),
  ];
}

function verdict({ system, results, asked }: EvaluateInput, alpha: number): string {
  const first = results[0]!;
  const estimate = estimateOf(first, alpha);
  const between = Number.isNaN(estimate.low)
    ? ''
    : ` (${confidence(alpha)} interval ${estimate.low.toFixed(3)} to ${estimate.high.toFixed(3)})`;
  const empty = emptyQueries(first.empty, first.measure.empty);
  if (first.queries === 0) return `${asked[0]} is undefined for every query of ${system.name}.`;
  return `${system.name} has ${asked[0]} ${first.mean.toFixed(3)}${between} over ${counted(first.queries, 'query', 'queries')}${empty && `; ${empty}`}.`;
}

function meansChart({ results, asked }: EvaluateInput, alpha: number): Section['blocks'][0] {
  return {
    kind: 'intervals',
    title: 'Means by measure',
    x: { label: 'mean', style: 'value' },
    dots: results.map((result, m) => ({ label: asked[m]!, series: 'mean', ...estimateOf(result, alpha) })),
  };
}

export function meansTable({ results, asked }: EvaluateInput, alpha = ALPHA): TableBlock {
  const aliases = results.some(({ measure }, m) => measure.spec !== asked[m]);
  return {
    kind: 'table',
    title: 'Means',
    columns: [
      column('measure'),
      column('canonical', undefined, { on: aliases ? ['page', 'csv'] : ['csv'] }),
      column('mean', 'value'),
      ...columns('count', 'queries', 'empty'),
      rightColumn('each counts'),
    ],
    rows: results.map((result, m) => [
      asked[m]!,
      result.measure.spec,
      intervalCell(estimateOf(result, alpha)),
      result.queries,
      result.empty,
      result.measure.empty === 'skip' ? 'skipped' : String(result.measure.empty),
    ]),
  };
}

/** Whether each query has a document labelled above 0. */
function relevantOf({ system: { data }, results }: EvaluateInput, m: number): boolean[] {
  const labels = data.labels.get(results[m]!.measure.labels);
  return data.queryIds.map((_, q) =>
    (labels?.subarray(data.offsets[q]!, data.offsets[q + 1]!) ?? []).some(label => label > 0),
  );
}

function distribution(
  asked: string,
  { values, mean, measure }: MeasureResult,
  relevant: readonly boolean[],
): HistogramChart {
  const bins = histogramBins(values, { part: q => !relevant[q] });
  return {
    kind: 'histogram',
    title: `Queries by ${asked}`,
    x: { label: asked },
    y: { label: 'queries', style: 'count' },
    bins,
    ...(bins.some(({ part = 0 }) => part > 0) && { part: 'no relevant document' }),
    marks: Number.isNaN(mean)
      ? []
      : [{ x: mean, label: `${measure.aggregate.name.replace('arithmetic ', '')} ${mean.toFixed(3)}` }],
  };
}

/** Every query, in the order of the data. */
export function queriesTable({ system: { data }, results, asked, by }: EvaluateInput): TableBlock {
  const segments = by === undefined ? undefined : queryValues(data, by);
  const labels = data.labels.get(results[0]!.measure.labels);
  return {
    kind: 'table',
    title: 'Queries',
    columns: [
      column('query'),
      ...columns('value', ...asked),
      ...(by === undefined ? [] : [column(by)]),
      ...['documents', 'labelled above 0'].map(title => column(title, 'count', { on: ['page'] })),
    ],
    rows: data.queryIds.map((query, q) => {
      const [from, to] = [data.offsets[q]!, data.offsets[q + 1]!];
      const above = labels?.subarray(from, to).filter(label => label > 0).length ?? 0;
      return [query, ...results.map(({ values }) => values[q]!), ...(segments ? [segments[q]!] : []), to - from, above];
    }),
  };
}

/** Queries without a labelled document cannot fail and come after the others, those left out of the mean last. */
function worstFirst(table: TableBlock): TableBlock {
  const group = (row: TableBlock['rows'][number]) => (Number.isNaN(row[1]) ? 2 : row.at(-1) === 0 ? 1 : 0);
  return { ...table, rows: table.rows.toSorted((a, b) => group(a) - group(b) || Number(a[1]) - Number(b[1]) || 0) };
}
