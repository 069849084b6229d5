/** The reference for swap changes: from any form to one function of two ranks. Kernels are tested equal to it. */
import type { Measure, QueryView, SwapTables } from './measure.js';

export function swapTables(n: number): SwapTables {
  return {
    gain: new Float64Array(n),
    upper: new Float64Array(n),
    slope: new Float64Array(n),
    lower: new Float64Array(n),
  };
}

/**
 * The signed change of the query's contribution when the documents at ranks a < b (from 0) trade places; undefined where the
 * measure is undefined for the query.
 */
export function swapChange(measure: Measure, view: QueryView): ((a: number, b: number) => number) | undefined {
  const swap = measure.swap;
  if (swap.form === 'function') return swap.begin(view);
  const tables = swapTables(view.n);
  const norm = swap.fill(view, tables);
  if (Number.isNaN(norm)) return undefined;
  const { gain, upper, slope, lower } = tables;
  const { order } = view;
  const rise = (a: number, b: number) => norm * (gain[order[b]!]! - gain[order[a]!]!);
  if (swap.form === 'separable') return (a, b) => rise(a, b) * (upper[a]! - upper[b]!);
  return (a, b) => rise(a, b) * (upper[a]! - slope[a]! * lower[b]!);
}
