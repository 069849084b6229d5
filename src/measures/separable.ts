/**
 * Measures that are a sum over the top ranks of gain(document) times worth(rank), over a divisor that no ranking changes:
 * NDCG, P@k, RBP and their kin. Swapping two documents changes them by (gain_b - gain_a)(worth_a - worth_b) / divisor.
 */
import type { MeasureBody, QueryView } from './measure.js';

export interface SeparableOptions {
  labels: string;
  /** The gain of a label; NaN is an unjudged document. */
  gain(label: number): number;
  /** The worth of ranks 1..n at indices 0..n-1; possibly longer than n. */
  worth(n: number): Float64Array;
  /** How many ranks count; may exceed the list. */
  depth(view: QueryView): number;
  /** What the sum is divided by; NaN where the measure is undefined for the query. */
  divisor(view: QueryView): number;
}

export function separable({ labels, gain, worth, depth, divisor }: SeparableOptions): MeasureBody {
  return {
    value(view) {
      const byRank = view.ranked(labels);
      return gainSum(byRank, Math.min(view.n, depth(view)), gain, worth(view.n)) / divisor(view);
    },
    swap: {
      form: 'separable',
      fill(view, tables) {
        const byDocument = view.labels(labels);
        const byRank = worth(view.n);
        const counted = depth(view);
        for (let i = 0; i < view.n; i++) {
          tables.gain[i] = gain(byDocument[i]!);
          tables.upper[i] = i < counted ? byRank[i]! : 0;
        }
        return 1 / divisor(view);
      },
    },
  };
}

/** Sum over the first `depth` labels of gain times worth. */
export function gainSum(
  labels: Float64Array,
  depth: number,
  gain: (label: number) => number,
  worth: Float64Array,
): number {
  let total = 0;
  for (let r = 0; r < depth; r++) total += gain(labels[r]!) * worth[r]!;
  return total;
}
