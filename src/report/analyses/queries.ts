/** Query by query: gains and losses from one system to another, and the queries that fail. */
import { type QueryRow, queryOrders } from '../../analysis/queries.js';
import { histogramBins } from '../bins.js';
import type { HistogramChart, ScatterChart, SortedBarsChart } from '../charts.js';
import { column, columns } from '../columns.js';
import type { Block, Document, TableBlock } from '../document.js';
import { fixed } from '../numbers.js';
import { remark } from '../remark.js';
import { count, counted } from '../words.js';

/** Queries that fail, shown in a table of their own: on a terminal, on a page. */
const FAILING = { terminal: 5, page: 20 };

/** The table of all: the studio goes through it. */
export const EVERY_QUERY = 'Every query';

export interface QueryTable {
  readonly rows: readonly QueryRow[];
  readonly systems: readonly string[];
  readonly measures: readonly string[];
}

export function queriesDocument(all: QueryTable, first: TableBlock['first']): Document {
  const { systems, measures } = all;
  const two = systems.length > 1;
  return {
    title: 'Query by query',
    verdict: verdictOf(all),
    sections: [
      {
        title: two ? `From ${systems[0]} to ${systems[1]}` : 'Queries',
        lead: two
          ? 'Click the head of a column to sort by it.'
          : 'How many queries have which value, and each of them; click the head of a column to sort by it.',
        blocks: [
          ...(two ? [gainsAndLosses(all), oneAgainstTheOther(all)] : [distribution(all)]),
          { ...tableOf(EVERY_QUERY, all.rows, all), first },
        ],
      },
      // One system is sorted by that already.
      ...(two
        ? [
            {
              title: 'Queries that fail',
              lead: `Worst by ${measures[0]} under ${systems.at(-1)}.`,
              blocks: failing(all),
            },
          ]
        : []),
      { title: 'How to read it', blocks: [remark(notes(all))] },
    ],
  };
}

function verdictOf({ rows, systems, measures }: QueryTable): string {
  const last = systems.at(-1);
  if (systems.length === 1) {
    const evaluated = rows.filter(row => !row.empty);
    if (evaluated.length === 0) return `${last}: no query has a relevant document, so that no order could be better.`;
    const zero = evaluated.filter(row => row.values[0]![0] === 0).length;
    const worst = evaluated.reduce((a, b) => (queryOrders.worst(b, a) < 0 ? b : a));
    const least = `it is lowest on query ${worst.query} (${fixed(worst.values[0]![0]!)})`;
    return `${last}: ${measures[0]} is 0 on ${count(zero)} of ${counted(evaluated.length, 'query', 'queries')}; ${least}.`;
  }
  const known = rows.filter(row => !Number.isNaN(row.differences[0]!));
  const gains = known.filter(row => row.differences[0]! > 0).length;
  const losses = known.filter(row => row.differences[0]! < 0).length;
  const by = ({ query, values }: QueryRow) => `query ${query} (${values[0]!.map(value => fixed(value)).join(' to ')})`;
  // As sorting by gain would have it: of equals the first that gained, and the last that lost.
  const extremes = [
    ...(gains > 0 ? [`most gained on ${by(known.reduce((a, b) => (queryOrders.gain(b, a) < 0 ? b : a)))}`] : []),
    ...(losses > 0 ? [`most lost on ${by(known.reduce((a, b) => (queryOrders.gain(b, a) < 0 ? a : b)))}`] : []),
  ];
  return `From ${systems[0]} to ${last}, ${measures[0]} gains on ${count(gains)} and loses on ${count(losses)} of ${counted(known.length, 'query', 'queries')}${extremes.length > 0 ? `; ${extremes.join(', ')}` : ''}.`;
}

const wordsOf = new WeakMap<QueryRow, string>();

/** How many documents of each label: 2: 1, 1: 4, 0: 25. Table and chart say it, of ten thousand queries maybe. */
function labelWords(row: QueryRow): string {
  const known = wordsOf.get(row);
  if (known !== undefined) return known;
  const counts = row.labels.map(({ label, count: own }) => `${Number.isNaN(label) ? 'unjudged' : label}: ${own}`);
  const words = counts.join(', ');
  wordsOf.set(row, words);
  return words;
}

function tableOf(title: string, rows: readonly QueryRow[], { systems, measures }: QueryTable): TableBlock {
  const two = systems.length > 1;
  // Of one measure the verdict says which.
  const named = (system: string, measure: string) => (measures.length === 1 ? system : `${system} ${measure}`);
  return {
    kind: 'table',
    title,
    columns: [
      column('query'),
      ...measures.flatMap(measure => [
        ...columns('value', ...systems.map(system => named(system, measure))),
        ...(two ? [column(`${systems[1]} - ${systems[0]}`, 'difference', { verdict: measure === measures[0] })] : []),
      ]),
      column('documents', 'count'),
      column('labels'),
    ],
    rows: rows.map(row => [
      row.query,
      ...row.values.flatMap((values, m) => [...values, ...(two ? [row.differences[m]!] : [])]),
      row.documents,
      labelWords(row),
    ]),
  };
}

/** The worst now; a query without a relevant document cannot fail. */
function failing(all: QueryTable): Block[] {
  const worst = all.rows.filter(row => !row.empty).sort(queryOrders.worst);
  return [
    remark(`The worst under ${all.systems.at(-1)}:`),
    ...(['terminal', 'page'] as const).map(on => ({ ...tableOf('The worst', worst.slice(0, FAILING[on]), all), on })),
  ];
}

function notes({ rows }: QueryTable): string {
  const empty = rows.filter(row => row.empty).length;
  return [
    'Labels: how many documents have each.',
    ...(empty > 0 ? [`Without a relevant document, so that no order could be better: ${count(empty)}.`] : []),
  ].join(' ');
}

function gainsAndLosses({ rows, systems, measures }: QueryTable): SortedBarsChart {
  return {
    kind: 'sorted-bars',
    title: `${measures[0]}: gains and losses`,
    item: 'query',
    y: { label: `${measures[0]}, ${systems[1]} - ${systems[0]}`, style: 'difference' },
    above: `${systems[1]} better`,
    below: `${systems[0]} better`,
    bars: rows
      .filter(row => !Number.isNaN(row.differences[0]!))
      .map(row => ({
        name: row.query,
        value: row.differences[0]!,
        details: [
          ...systems.map((system, s) => ({ label: system, value: row.values[0]![s]!, style: 'value' as const })),
          { label: 'labels', value: labelWords(row) },
        ],
      })),
  };
}

/** A dot a query; those that no ranking could do better on are told apart. */
function oneAgainstTheOther({ rows, systems, measures }: QueryTable): ScatterChart {
  const empty = rows.some(row => row.empty);
  return {
    kind: 'scatter',
    title: `${measures[0]} of ${systems[0]} against ${systems[1]}`,
    note: `Above the dashed line ${systems[1]} is better.`,
    item: 'query',
    diagonal: true,
    x: { label: systems[0]!, style: 'value' },
    y: { label: systems[1]!, style: 'value' },
    points: rows.map(({ query, values, empty: none }) => ({
      name: query,
      x: values[0]![0]!,
      y: values[0]![1]!,
      ...(empty && { series: none ? 'no relevant document' : 'others' }),
    })),
  };
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
