/** A ranking in which neighbours trade places one after the other, and what each swap changes. */
import type { Measure, QueryView, SwapForm, SwapTables } from '../measure.js';
import { RearrangedView } from '../rearranged-view.js';
import { needsJudged, swapTables } from './swap.js';

export interface AdjacentSwaps {
  /** By document: those of one class count alike, so that swaps within it change nothing. */
  readonly classes: Float64Array;
  /** Lets the documents at ranks r and r + 1 (from 0) trade places for good; returns the change of the contribution. */
  swap(rank: number): number;
}

/** From the ranking of the view on; undefined where the measure is undefined. The view must stay where it is. */
export function adjacentSwaps(measure: Measure, view: QueryView): AdjacentSwaps | undefined {
  const { swap } = measure;
  if (swap.form === 'function' || needsJudged(swap)) return swapsByEvaluation(measure, view);
  const tables = swapTables(view.n);
  const norm = swap.fill(view, tables);
  if (Number.isNaN(norm)) return undefined;
  const gains = Float64Array.from({ length: view.n }, (_, r) => tables.gain[view.order[r]!]!);
  if (swap.form === 'separable') return { classes: tables.gain, swap: separableSwaps(gains, tables.upper, norm) };
  if (swap.adjacent === undefined) return { classes: tables.gain.slice(), swap: tableSwaps(swap, view, tables) };
  const change = swap.adjacent(gains);
  return { classes: tables.gain, swap: rank => norm * change(rank) };
}

function separableSwaps(gains: Float64Array, discount: Float64Array, norm: number): (rank: number) => number {
  return r => {
    const upper = gains[r]!;
    const lower = gains[r + 1]!;
    gains[r] = lower;
    gains[r + 1] = upper;
    return norm * (lower - upper) * (discount[r]! - discount[r + 1]!);
  };
}

/** Tables filled anew for each swap. */
function tableSwaps(
  swap: Extract<SwapForm, { form: 'tables' }>,
  view: QueryView,
  tables: SwapTables,
): (rank: number) => number {
  const shown = new RearrangedView(view);
  const { gain, upper, slope, lower } = tables;
  return r => {
    const norm = swap.fill(shown, tables);
    const rise = gain[shown.order[r + 1]!]! - gain[shown.order[r]!]!;
    shown.trade(r);
    return norm * rise * (upper[r]! - slope[r]! * lower[r + 1]!);
  };
}

/** The reference: the ranking is evaluated after each swap. Every document is a class of its own. */
export function swapsByEvaluation({ value, aggregate }: Measure, view: QueryView): AdjacentSwaps | undefined {
  let now = aggregate.of(value(view));
  if (Number.isNaN(now)) return undefined;
  const shown = new RearrangedView(view);
  return {
    classes: Float64Array.from({ length: view.n }, (_, i) => i),
    swap(rank) {
      const before = now;
      now = aggregate.of(value(shown.trade(rank)));
      return now - before;
    },
  };
}
