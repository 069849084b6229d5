/** The reference for swap changes: from any form to one function of two ranks. Kernels are tested equal to it. */
import type { Measure, MeasureBody, QueryView, SwapForm, SwapTables } from '../measure.js';
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
  return measure.swap.form === 'function' ? measure.swap.begin(view) : changeOfTables(measure.swap, view);
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
export function swapByEvaluation({ value, aggregate }: MeasureBody): SwapForm {
  const of = aggregate?.of ?? (value => value);
  return {
    form: 'function',
    begin(view) {
      const now = value(view);
      if (Number.isNaN(now)) return undefined;
      const swapped = new RearrangedView(view);
      return (a, b) => of(value(swapped.swap(a, b))) - of(now);
    },
  };
}
