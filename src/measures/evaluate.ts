/** Evaluates a ranking: every measure for every query, and their means. */

import type { Dataset } from '../data/dataset.js';
import { refuseInfiniteScores } from '../data/finite-scores.js';
import type { Part } from '../data/parts.js';
import { ListwiseError } from '../errors.js';
import { atOnce, partOf, type Steps } from '../steps.js';
import { meanOverOrders } from './forms/over-ties.js';
import type { KnownValues } from './known-values.js';
import type { Measure, QueryView } from './measure.js';
import { type AskedMeasure, askedMeasures, type MeasureLike } from './parse.js';
import { DatasetView, type Ties } from './query-view.js';

/**
 * What a measure says of a ranking.
 *
 * @example
 * import { evaluate, type MeasureResult } from 'listwise';
 *
 * const [result]: MeasureResult[] = evaluate(data, scores, 'ndcg@10');
 * const worst = data.queryIds[result!.values.indexOf(Math.min(...result!.values))];
 */
export interface MeasureResult {
  readonly measure: Measure;
  /** The measure's name as it was asked for. */
  readonly asked: string;
  /** What was evaluated. */
  readonly ranking: { readonly data: Dataset; readonly scores: ArrayLike<number>; readonly ties: Ties };
  /** Value of each query in data order, empty queries at what they count; NaN where they are skipped. */
  readonly values: Float64Array;
  /** The aggregate over the queries that count. */
  readonly mean: number;
  /** Queries that count. */
  readonly queries: number;
  /** Queries for which the measure is undefined (no relevant document, mostly). */
  readonly empty: number;
  /** Documents whose score another of their query has too. */
  readonly tied: number;
}

/** Documents that are evaluated between two steps, at least. */
const ROWS_A_STEP = 256;

/**
 * Every measure for every query, and their means. `scores` has one value a row of the data; higher ranks first.
 *
 * @example
 * import { evaluate, scoreData } from 'listwise';
 *
 * for (const { asked, mean, empty } of evaluate(test, scoreData(model, test), 'ndcg@10,ap,rr')) {
 *   console.log(asked, mean.toFixed(4), `${empty} queries without relevant documents`);
 * }
 */
export function evaluate(
  data: Dataset,
  scores: ArrayLike<number>,
  measures: string | readonly MeasureLike[],
  options: { ties?: Ties } = {},
): MeasureResult[] {
  return atOnce(evaluateSteps(data, scores, measures, options));
}

/** As `evaluate`, step by step. */
export function* evaluateSteps(
  data: Dataset,
  scores: ArrayLike<number>,
  given: string | readonly MeasureLike[],
  options: { ties?: Ties } = {},
): Steps<MeasureResult[]> {
  assertScores(data, scores);
  const asked = askedMeasures(given);
  const view = new DatasetView(data, options.ties);
  const values = asked.map(() => new Float64Array(data.queries));
  const all = { firstQuery: 0, lastQuery: data.queries };
  const tied = yield* evaluateQueries(view, data, scores, measuresOf(asked), all, values);
  return measureResults(asked, { data, scores, ties: view.ties }, values, tied);
}

/** One finite score a document. */
export function assertScores(data: Dataset, scores: ArrayLike<number>): void {
  if (scores.length !== data.rows) {
    throw new ListwiseError(
      'row-count',
      `${scores.length} scores for ${data.rows} documents; there must be one a document`,
    );
  }
  refuseInfiniteScores(scores, data);
}

export function measuresOf(asked: readonly AskedMeasure[]): readonly Measure[] {
  return asked.map(({ measure }) => measure);
}

/**
 * The value of each measure for some of the queries, values[m][q]: NaN where it is undefined; those that are known from
 * an earlier round are not found again. Returns the number of
 * documents whose score another of their query has too.
 */
export function* evaluateQueries(
  view: DatasetView,
  { offsets }: Pick<Dataset, 'offsets'>,
  scores: ArrayLike<number>,
  measures: readonly Measure[],
  { firstQuery, lastQuery }: Pick<Part, 'firstQuery' | 'lastQuery'>,
  values: readonly Float64Array[],
  known?: KnownValues,
): Steps<number> {
  const first = offsets[firstQuery]!;
  const rows = offsets[lastQuery]! - first;
  let tied = 0;
  let next = first + ROWS_A_STEP;
  for (let q = firstQuery; q < lastQuery; q++) {
    const [from, to] = [offsets[q]!, offsets[q + 1]!];
    const tiedBefore = known?.recall(q, scores, values);
    if (tiedBefore !== undefined) tied += tiedBefore;
    else {
      tied += view.moveTo(q, scores).tiedDocuments;
      for (let m = 0; m < measures.length; m++) {
        values[m]![q] = inOneStep(measures[m]!, view)
          ? evaluateQuery(measures[m]!, view)
          : yield* partOf(valueSteps(measures[m]!, view), (from - first) / rows, (to - first) / rows);
      }
      known?.keep(values, view.tiedDocuments);
    }
    if (to < next) continue;
    next = to + ROWS_A_STEP;
    yield (to - first) / rows;
  }
  return tied;
}

/** `values` become what each query counts. */
export function measureResults(
  asked: readonly AskedMeasure[],
  ranking: MeasureResult['ranking'],
  values: readonly Float64Array[],
  tied: number,
): MeasureResult[] {
  return asked.map(({ measure, asked: name }, m) => {
    const counted = values[m]!;
    let empty = 0;
    for (let q = 0; q < counted.length; q++) {
      if (Number.isNaN(counted[q])) empty++;
      counted[q] = countedValue(measure, counted[q]!);
    }
    return { measure, asked: name, ranking, values: counted, empty, tied, ...aggregate(measure, counted) };
  });
}

/** What any measure says of one query: its value or, where ties stand for all their orders, the mean over these. */
export function evaluateQuery(measure: Measure, view: QueryView): number {
  const { tied } = view;
  if (tied === undefined) return measure.value(view);
  return measure.overTies === undefined ? atOnce(meanOverOrders(measure, view, tied)) : measure.overTies(view, tied);
}

/** Whether there are no steps: generators are felt in short queries. */
function inOneStep(measure: Measure, view: QueryView): boolean {
  return measure.valueSteps === undefined && (measure.overTies !== undefined || view.tied === undefined);
}

/** The same in steps where it has them. */
export function* valueSteps(measure: Measure, view: QueryView): Steps<number> {
  if (measure.valueSteps !== undefined) return yield* measure.valueSteps(view);
  return inOneStep(measure, view) ? evaluateQuery(measure, view) : yield* meanOverOrders(measure, view, view.tied!);
}

/**
 * What a query counts: its value, or what the measure says of a query it is undefined for; NaN where that is skipped.
 */
export function countedValue({ empty }: Measure, value: number): number {
  if (!Number.isNaN(value)) return value;
  return empty === 'skip' ? Number.NaN : empty;
}

/** The value of a measure over the queries whose value is a number. */
export function aggregate(measure: Measure, values: Float64Array): { mean: number; queries: number } {
  let sum = 0;
  let queries = 0;
  for (let q = 0; q < values.length; q++) {
    const value = values[q]!;
    if (Number.isNaN(value)) continue;
    sum += measure.aggregate.of(value);
    queries++;
  }
  return { mean: queries === 0 ? Number.NaN : measure.aggregate.finish(sum / queries), queries };
}
