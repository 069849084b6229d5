/** Values of measures by segment: queries told apart by a column. */

import { meanInterval } from '../analysis/significance/t-test.js';
import type { Dataset } from '../data/dataset.js';
import { queryValues } from '../data/query-values.js';
import { aggregate, type MeasureResult } from '../measures/evaluate.js';
import { column, rightColumn } from './columns.js';
import type { Section, TableBlock } from './document.js';
import { type Estimate, estimateOf, intervalWords } from './mean-interval.js';
import { remark } from './remark.js';
import { confidence } from './words.js';

/** The segment of queries that have no value, and that of all queries. */
const NONE = '(none)';
export const ALL_SEGMENTS = '(all)';

export interface Segment {
  readonly value: string;
  /** Query numbers. */
  readonly queries: readonly number[];
}

/** The segments of a column, the largest first; equal ones by their value. */
export function segmentsOf(data: Dataset, column: string): Segment[] {
  const found = new Map<string, number[]>();
  for (const [q, value] of queryValues(data, column).entries()) {
    const queries = found.get(value);
    if (queries === undefined) found.set(value, [q]);
    else queries.push(q);
  }
  return [...found]
    .map(([value, queries]) => ({ value, queries }))
    .sort((a, b) => b.queries.length - a.queries.length || (a.value < b.value ? -1 : 1));
}

export interface SegmentEstimate extends Estimate {
  /** Queries that count. */
  readonly queries: number;
}

export function segmentEstimate(result: MeasureResult, { queries }: Segment, alpha: number): SegmentEstimate {
  const values = Float64Array.from(queries, q => result.values[q]!);
  const found = { ...result, values, ...aggregate(result.measure, values) };
  return { ...estimateOf(found, alpha), queries: found.queries };
}

/** By how much one system is better than another in a segment, with the interval of the mean difference. */
export function segmentDifference(
  ours: MeasureResult,
  theirs: MeasureResult,
  { queries }: Segment,
  alpha: number,
): SegmentEstimate {
  // As in the comparison over all queries: what the mean is taken over, of queries that count for both.
  const { of } = ours.measure.aggregate;
  const differences = Float64Array.from(queries, q => of(ours.values[q]!) - of(theirs.values[q]!)).filter(
    value => !Number.isNaN(value),
  );
  const [low, high] = meanInterval(differences, alpha);
  const value = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  return { value, low, high, queries: differences.length };
}

/** One estimate: of a segment, and of a measure or of a measure and a pair of systems. */
export interface SegmentRow {
  readonly segment: string;
  readonly of: readonly string[];
  readonly estimate: SegmentEstimate;
}

/** `titles` are those of what a row is of; `value` is what its number is called. */
export function segmentsSection(
  by: string,
  titles: readonly string[],
  value: string,
  rows: readonly SegmentRow[],
  alpha: number,
): Section {
  const each =
    rows.length > 1 ? `The ${rows.length} intervals are ${confidence(alpha)} each, not for all of them together.` : '';
  return {
    title: `By ${by}`,
    lead: `Queries told apart by a column, each segment with its interval over queries. ${each}`.trimEnd(),
    blocks: [
      {
        kind: 'table',
        title: `By ${by}`,
        columns: [
          column(by),
          ...titles.map(title => column(title)),
          column(value, 'value'),
          rightColumn(`${confidence(alpha)} interval`),
          column('queries', 'count'),
        ],
        rows: rows.map(({ segment, of, estimate }) => [
          segment === '' ? NONE : segment,
          ...of,
          estimate.value,
          intervalWords(estimate),
          estimate.queries,
        ]),
      },
      ...(each === '' ? [] : [remark(each)]),
    ],
  };
}

/** The same with numbers in full, for other programs. */
export function segmentsCsv(
  by: string,
  titles: readonly string[],
  value: string,
  rows: readonly SegmentRow[],
): TableBlock {
  return {
    kind: 'table',
    title: `By ${by}`,
    columns: [by, ...titles, value, 'low', 'high', 'queries'].map(title => column(title)),
    rows: rows.map(({ segment, of, estimate: { value: found, low, high, queries } }) => [
      segment === '' ? NONE : segment,
      ...of,
      found,
      low,
      high,
      queries,
    ]),
  };
}
