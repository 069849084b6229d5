/** The reference for swap changes: from any form to one function of two ranks. Kernels are tested equal to it. */
import {
  arithmeticMean,
  type Measure,
  type MeasureBody,
  type QueryView,
  type SwapForm,
  type SwapTables,
} from '../measure.js';
import { RearrangedView } from '../rearranged-view.js';

/** The signed change when the documents at ranks a < b (from 0) trade places. */
export type SwapChange = (a: number, b: number) => number;

export function swapTables(n: number): SwapTables {
  return {
    gain: new Float64Array(n),
    upper: new Float64Array(n),
    slope: new Float64Array(n),
    lower: new Float64Array(n),
  };
}

/** The change of the query's contribution by a swap; undefined where the measure is undefined for the query. */
export function swapChange(measure: Measure, view: QueryView): SwapChange | undefined {
  const { swap } = measure;
  const change = swap.form === 'function' ? swap.begin(view) : changeOfTables(swap, view);
  if (change === undefined || !needsJudged(swap)) return change;
  const byRank = view.ranked(measure.labels);
  const isJudged = (rank: number) => !Number.isNaN(byRank[rank]);
  const evaluated = evaluateSwaps(measure, view);
  return (a, b) => (isJudged(a) && isJudged(b) ? change(a, b) : evaluated(a, b));
}

/** Whether the form is right for two judged documents only. */
export function needsJudged(swap: SwapForm): boolean {
  return swap.form !== 'separable' && swap.judgedOnly === true;
}

export function changeOfTables(
  swap: Extract<SwapForm, { form: 'separable' | 'tables' }>,
  view: QueryView,
): SwapChange | undefined {
  const tables = swapTables(view.n);
  const norm = swap.fill(view, tables);
  if (Number.isNaN(norm)) return undefined;
  const { gain, upper, slope, lower } = tables;
  const { order } = view;
  const rise = (a: number, b: number) => norm * (gain[order[b]!]! - gain[order[a]!]!);
  if (swap.form === 'separable') return (a, b) => rise(a, b) * (upper[a]! - upper[b]!);
  return (a, b) => rise(a, b) * (upper[a]! - slope[a]! * lower[b]!);
}

/** The swap form of a measure that declares none: evaluate the swapped list, a whole evaluation for each pair. */
export function swapByEvaluation(measure: MeasureBody): SwapForm {
  return {
    form: 'function',
    begin: view => (Number.isNaN(measure.value(view)) ? undefined : evaluateSwaps(measure, view)),
  };
}

function evaluateSwaps({ value, aggregate = arithmeticMean }: MeasureBody, view: QueryView): SwapChange {
  const now = aggregate.of(value(view));
  const swapped = new RearrangedView(view);
  return (a, b) => aggregate.of(value(swapped.swap(a, b))) - now;
}
