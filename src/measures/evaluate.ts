/** Evaluates a ranking: every measure for every query, and their means. */

import type { Dataset } from '../data/dataset.js';
import { refuseInfiniteScores } from '../data/finite-scores.js';
import { ListwiseError } from '../errors.js';
import { atOnce, partOf, type Steps } from '../steps.js';
import { meanOverOrders } from './forms/over-ties.js';
import type { Measure, QueryView } from './measure.js';
import { askedMeasures, type MeasureLike } from './parse.js';
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

/** As `evaluate`, step by step. A `view` of the data that was used before, and remembers, makes it quicker. */
export function* evaluateSteps(
  data: Dataset,
  scores: ArrayLike<number>,
  given: string | readonly MeasureLike[],
  options: { ties?: Ties; view?: DatasetView } = {},
): Steps<MeasureResult[]> {
  if (scores.length !== data.rows) {
    throw new ListwiseError(
      'row-count',
      `${scores.length} scores for ${data.rows} documents; there must be one a document`,
    );
  }
  refuseInfiniteScores(scores, data);
  const asked = askedMeasures(given);
  const measures = asked.map(({ measure }) => measure);
  const { view = new DatasetView(data, options.ties) } = options;
  const ranking = { data, scores, ties: view.ties };
  const values = measures.map(() => new Float64Array(data.queries));
  const empty = measures.map(() => 0);
  let tied = 0;
  let next = ROWS_A_STEP;
  for (let q = 0; q < data.queries; q++) {
    view.moveTo(q, scores);
    tied += view.tiedDocuments;
    for (let m = 0; m < measures.length; m++) {
      const value = inOneStep(measures[m]!, view)
        ? evaluateQuery(measures[m]!, view)
        : yield* partOf(valueSteps(measures[m]!, view), data.offsets[q]! / data.rows, data.offsets[q + 1]! / data.rows);
      if (Number.isNaN(value)) empty[m]!++;
      values[m]![q] = countedValue(measures[m]!, value);
    }
    const rows = data.offsets[q + 1]!;
    if (rows < next) continue;
    next = rows + ROWS_A_STEP;
    yield rows / data.rows;
  }
  return measures.map((measure, m) => ({
    measure,
    asked: asked[m]!.asked,
    ranking,
    values: values[m]!,
    empty: empty[m]!,
    tied,
    ...aggregate(measure, values[m]!),
  }));
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
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += measure.aggregate.of(value);
    queries++;
  }
  return { mean: queries === 0 ? Number.NaN : measure.aggregate.finish(sum / queries), queries };
}
