/** Systems query by query: the value of each, what changed from the first to the second, what the query is like. */
import { ListwiseError } from '../errors.js';
import { evaluateSteps, type MeasureResult } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import type { Ties } from '../measures/query-view.js';
import { atOnce, partOf, type Steps } from '../steps.js';
import { alignQueries } from './compare.js';
import { difference } from './significance/paired.js';
import type { System } from './system.js';

/**
 * One query under all systems.
 *
 * @example
 * import type { QueryRow } from 'listwise/analysis';
 *
 * const shown = ({ query, documents }: QueryRow): string => `${query}: ${documents} documents`;
 */
export interface QueryRow {
  readonly query: string;
  /** Documents that the (last) system ranks. */
  readonly documents: number;
  /** How many of them have each label, the highest first; NaN, unjudged, last. */
  readonly labels: readonly { readonly label: number; readonly count: number }[];
  /** Whether the first measure is undefined here (mostly: no relevant document): no ranking could do better. */
  readonly empty: boolean;
  /** By measure, one value a system; NaN where the query is skipped. */
  readonly values: readonly (readonly number[])[];
  /** By measure, what is gained from the first system to the second, below 0 what is lost; NaN with one system. */
  readonly differences: readonly number[];
}

/**
 * By the first measure: from the one that lost most from the first system to the second, that gained most, that does
 * worst or best now (those that no ranking could do better on come after all others), or by size or name.
 */
export const queryOrders = {
  loss: (a: QueryRow, b: QueryRow) => a.differences[0]! - b.differences[0]!,
  gain: (a: QueryRow, b: QueryRow) => b.differences[0]! - a.differences[0]!,
  worst: (a: QueryRow, b: QueryRow) => hopeless(a) - hopeless(b) || a.values[0]!.at(-1)! - b.values[0]!.at(-1)!,
  best: (a: QueryRow, b: QueryRow) => hopeless(a) - hopeless(b) || b.values[0]!.at(-1)! - a.values[0]!.at(-1)!,
  documents: (a: QueryRow, b: QueryRow) => b.documents - a.documents,
  query: () => 0,
} as const;

/** Behind the others: no ranking does badly or well there. */
function hopeless({ empty }: QueryRow): number {
  return Number(empty);
}

export type QueryOrder = keyof typeof queryOrders;

/**
 * Which queries come first.
 *
 * @example
 * import type { QueryRowsOptions } from 'listwise/analysis';
 *
 * const options: QueryRowsOptions = { labels: 'label' };
 */
export interface QueryRowsOptions {
  sort?: QueryOrder | undefined;
  /** The label source counted (default: that of the first measure). */
  labels?: string | undefined;
  ties?: Ties | undefined;
}

/**
 * One or two systems over the same queries. Equals keep the order of the data; queries that are skipped come last.
 *
 * @example
 * import { parseMeasure } from 'listwise';
 * import { queryRows } from 'listwise/analysis';
 *
 * const [worst] = queryRows(systems, [parseMeasure('ndcg@10')]);
 * console.log(worst?.query, worst?.values);
 */
export function queryRows(
  systems: readonly System[],
  measures: readonly Measure[],
  options: QueryRowsOptions = {},
): QueryRow[] {
  return atOnce(queryRowSteps(systems, measures, options));
}

/** As `queryRows`, step by step. */
export function* queryRowSteps(
  systems: readonly System[],
  measures: readonly Measure[],
  options: QueryRowsOptions = {},
): Steps<QueryRow[]> {
  if (systems.length < 1 || systems.length > 2) {
    throw new ListwiseError('option-invalid', `one or two systems go query by query, found ${systems.length}`);
  }
  const { sort = systems.length === 1 ? 'worst' : 'loss', ties } = options;
  const aligned = alignQueries(systems);
  // Undefined values are distinguished from the value that empty queries count.
  const apart = measures.map(measure => ({ ...measure, empty: 'skip' as const }));
  const evaluated: MeasureResult[][] = [];
  for (const [s, { data, scores }] of systems.entries()) {
    const steps = evaluateSteps(data, scores, apart, ties === undefined ? {} : { ties });
    evaluated.push(yield* partOf(steps, s / systems.length, (s + 1) / systems.length));
  }
  const counted = (m: number, value: number) => {
    const { empty } = measures[m]!;
    return Number.isNaN(value) && empty !== 'skip' ? empty : value;
  };
  const last = systems.at(-1)!;
  const rows = systems[0]!.data.queryIds.map((query, q): QueryRow => {
    const own = aligned.at(-1)![q]!;
    const [start, end] = [last.data.offsets[own]!, last.data.offsets[own + 1]!];
    const found = measures.map((_, m) => systems.map((__, s) => evaluated[s]![m]!.values[aligned[s]![q]!]!));
    const values = found.map((of, m) => of.map(value => counted(m, value)));
    return {
      query,
      documents: end - start,
      values,
      empty: found[0]!.some(Number.isNaN),
      labels: countLabels(last.data.label(options.labels ?? measures[0]!.labels).subarray(start, end)),
      differences: values.map(of => (of.length === 1 ? Number.NaN : difference(of[1]!, of[0]!))),
    };
  });
  const skipped = (row: QueryRow) => row.values[0]!.some(Number.isNaN);
  return rows.sort((a, b) => Number(skipped(a)) - Number(skipped(b)) || queryOrders[sort](a, b) || 0);
}

function countLabels(labels: Float64Array): { label: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const height = (label: number) => (Number.isNaN(label) ? -Infinity : label);
  return [...counts]
    .map(([label, count]) => ({ label, count }))
    .sort((a, b) => (height(a.label) > height(b.label) ? -1 : 1));
}
