import { type QueryRow, queryOrders, queryRowSteps } from '../../analysis/queries.js';
import { histogramBins } from '../../report/bins.js';
import type { HistogramChart } from '../../report/charts.js';
import type { Section } from '../../report/page.js';
import { counted } from '../../report/words.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import type { QueriesLine } from '../declarations/analyses/queries.js';
import type { Output } from '../output.js';
import { readJudging } from '../settings/judging.js';
import { checkSystems, readSystems } from '../settings/systems.js';
import { shownRows } from '../terminal/row-limit.js';
import { count, fixed, right, signed, table } from '../terminal/table.js';
import type { AnalysisResult } from './analysis.js';

/** Queries that fail, shown in a table of their own. */
const SHOWN_FAILING = 5;

export async function queries({ args, options }: QueriesLine, output: Output): Promise<AnalysisResult> {
  const { sort, system, label: labels } = options;
  checkSystems(args.data, options, 1);
  if (system.length > 2) throw usage(`give one or two systems, found ${system.length}`);
  if (system.length === 1 && (sort === 'loss' || sort === 'gain')) throw usage(`--sort ${sort} needs two systems`);
  const judging = await readJudging(options, output);
  const { systems, judged } = await readSystems(args.data, system, options, output);
  const steps = queryRowSteps(
    systems,
    judging.measures.map(({ measure }) => measure),
    { sort, ties: judging.ties, labels },
  );
  const rows = await inTurns(steps, output.shares('judging'));
  const table: QueryTable = {
    rows,
    systems: systems.map(({ name }) => name),
    measures: judging.measures.map(({ asked }) => asked),
  };
  return {
    verdict: verdictOf(table),
    facts: { systems: table.systems },
    results: rows.map(row => toJson(row, table)),
    text: () => printText(table, options),
    page: { title: 'Query by query', data: [judged], sections: () => sections(table) },
  };
}

interface QueryTable {
  readonly rows: readonly QueryRow[];
  readonly systems: readonly string[];
  readonly measures: readonly string[];
}

/** The worst now; a query without a relevant document cannot fail. */
function failing({ rows }: QueryTable): QueryRow[] {
  return rows.filter(row => !row.empty).sort(queryOrders.worst);
}

function verdictOf({ rows, systems, measures }: QueryTable): string {
  const last = systems.at(-1);
  if (systems.length === 1) {
    const judged = rows.filter(row => !row.empty);
    if (judged.length === 0) return `${last}: no query has a relevant document, so that no order could be better.`;
    const zero = judged.filter(row => row.values[0]![0] === 0).length;
    const worst = judged.toSorted(queryOrders.worst)[0]!;
    const least = `it is lowest on query ${worst.query} (${fixed(worst.values[0]![0]!)})`;
    return `${last}: ${measures[0]} is 0 on ${count(zero)} of ${counted(judged.length, 'query', 'queries')}; ${least}.`;
  }
  const known = rows.filter(row => !Number.isNaN(row.differences[0]!));
  const gains = known.filter(row => row.differences[0]! > 0).length;
  const losses = known.filter(row => row.differences[0]! < 0).length;
  const by = (row: QueryRow) => `query ${row.query} (${signed(row.differences[0]!)})`;
  const most = known.toSorted(queryOrders.gain);
  const extremes = [
    ...(gains > 0 ? [`most gained on ${by(most[0]!)}`] : []),
    ...(losses > 0 ? [`most lost on ${by(most.at(-1)!)}`] : []),
  ];
  return `From ${systems[0]} to ${last}, ${measures[0]} gains on ${count(gains)} and loses on ${count(losses)} of ${counted(known.length, 'query', 'queries')}${extremes.length > 0 ? `; ${extremes.join(', ')}` : ''}.`;
}

function toJson(row: QueryRow, { systems, measures }: QueryTable): Record<string, unknown> {
  const { query, documents, labels, empty, values, differences } = row;
  return {
    query,
    documents,
    labels,
    empty,
    measures: measures.map((measure, m) => ({
      measure,
      values: Object.fromEntries(systems.map((system, s) => [system, values[m]![s]])),
      ...(systems.length > 1 && { difference: differences[m] }),
    })),
  };
}

/** How many documents of each label: 2: 1, 1: 4, 0: 25. */
function labelWords({ labels }: QueryRow): string {
  return labels.map(({ label, count: own }) => `${Number.isNaN(label) ? 'unjudged' : label}: ${own}`).join(', ');
}

function printText(all: QueryTable, options: QueriesLine['options']): string {
  const { shown, beyond } = shownRows(all.rows, options);
  const worst = failing(all).slice(0, SHOWN_FAILING);
  const two = all.systems.length > 1;
  const empty = all.rows.filter(row => row.empty).length;
  return [
    tableOf(shown, all),
    ...beyond,
    ...(two ? [`The worst under ${all.systems.at(-1)}:`, tableOf(worst, all)] : []),
    [
      'Labels: how many documents have each.',
      ...(two ? [`Differences: ${all.systems[1]} less ${all.systems[0]}.`] : []),
      ...(empty > 0 ? [`Without a relevant document, so that no order could be better: ${count(empty)}.`] : []),
    ].join(' '),
  ].join('\n\n');
}

function tableOf(rows: readonly QueryRow[], { systems, measures }: QueryTable): string {
  const single = measures.length === 1;
  const head = (measure: string) => [
    ...systems.map(system => right(single ? system : `${system} ${measure}`)),
    ...(systems.length > 1 ? [right('difference')] : []),
  ];
  return table(
    [{ title: 'query' }, ...measures.flatMap(head), right('documents'), { title: 'labels' }],
    rows.map(row => [
      row.query,
      ...row.values.flatMap((values, m) => [
        ...values.map(value => fixed(value)),
        ...(systems.length > 1 ? [signed(row.differences[m]!)] : []),
      ]),
      count(row.documents),
      labelWords(row),
    ]),
  );
}

function sections(all: QueryTable): Section[] {
  const { rows, systems, measures } = all;
  const two = systems.length > 1;
  const value = (title: string) => ({ title, style: 'value' as const });
  const block = (title: string, of: readonly QueryRow[]) => ({
    kind: 'table' as const,
    title,
    columns: [
      { title: 'query' },
      ...measures.flatMap(measure => [
        ...systems.map(system => value(`${system} ${measure}`)),
        ...(two ? [{ title: `difference of ${measure}`, style: 'difference' as const }] : []),
      ]),
      { title: 'documents', style: 'count' as const },
      { title: 'label: documents' },
    ],
    rows: of.map(row => [
      row.query,
      ...row.values.flatMap((values, m) => [...values, ...(two ? [row.differences[m]!] : [])]),
      row.documents,
      labelWords(row),
    ]),
  });
  const bars = rows
    .filter(row => !Number.isNaN(row.differences[0]!))
    .map(row => ({
      name: row.query,
      value: row.differences[0]!,
      details: [
        ...systems.map((system, s) => ({ label: system, value: row.values[0]![s]!, style: 'value' as const })),
        { label: 'labels', value: labelWords(row) },
      ],
    }));
  return [
    {
      title: two ? `From ${systems[0]} to ${systems[1]}` : 'Queries',
      lead: two
        ? 'Click the head of a column to sort by it.'
        : 'How many queries have which value, and each of them; click the head of a column to sort by it.',
      blocks: [
        ...(two
          ? [
              {
                kind: 'sorted-bars' as const,
                title: `${measures[0]}: gains and losses`,
                item: 'query',
                bars,
                y: { label: `difference of ${measures[0]}`, style: 'difference' as const },
                above: `${systems[1]} better`,
                below: `${systems[0]} better`,
              },
            ]
          : [distribution(all)]),
        block('Every query', rows),
      ],
    },
    // One system is sorted by that already.
    ...(two
      ? [
          {
            title: 'Queries that fail',
            lead: `Worst by ${measures[0]} under ${systems.at(-1)}.`,
            blocks: [block('The worst', failing(all).slice(0, 20))],
          },
        ]
      : []),
  ];
}

/** The values of one system, without the queries that no ranking could do better on. */
function distribution({ rows, measures }: QueryTable): HistogramChart {
  const values = rows.filter(row => !row.empty).map(row => row.values[0]![0]!);
  return {
    kind: 'histogram',
    title: `Queries by ${measures[0]}`,
    x: { label: measures[0]! },
    y: { label: 'queries', style: 'count' },
    bins: histogramBins(values),
  };
}
