/** The reference: one query along a line, evaluated between every two crossings. */
import { evaluateQuery } from '../measures/evaluate.js';
import type { Measure, QueryView } from '../measures/measure.js';

/** Values of the measure (as it counts in the mean) on the plateaus, and the crossings between them. */
export function plateausOf(
  measure: Measure,
  start: Float64Array,
  slope: Float64Array,
  show: (scores: Float64Array) => QueryView,
): { readonly at: readonly number[]; readonly values: readonly number[] } {
  const crossings = new Set<number>();
  for (let i = 0; i < start.length; i++) {
    for (let j = 0; j < i; j++) {
      const t = (start[j]! - start[i]!) / (slope[i]! - slope[j]!);
      if (Number.isFinite(t)) crossings.add(t);
    }
  }
  const at = [...crossings].sort((a, b) => a - b);
  const ends = [(at[0] ?? 0) - 1, ...at, (at.at(-1) ?? 0) + 1];
  const values = ends.slice(1).map((end, k) => {
    const t = (ends[k]! + end) / 2;
    return measure.aggregate.of(evaluateQuery(measure, show(start.map((a, d) => a + t * slope[d]!))));
  });
  return { at, values };
}
