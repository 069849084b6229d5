/**
 * Measures that are a sum over the top ranks of gain(document) times discount(rank), over a divisor that no ranking
 * changes: NDCG, P@k, RBP and their kin. Swapping two documents changes them by (gain_b - gain_a)(worth_a - worth_b) /
 * divisor.
 */
import type { MeasureBody, QueryView, SwapTables } from '../measure.js';
import type { RankDiscount } from './rank-discount.js';

/**
 * A measure that adds up gain times discount down to a depth, over a divisor.
 *
 * @example
 * import { reciprocalDiscount, type SeparableOptions } from 'listwise/measures';
 *
 * const options: SeparableOptions = {
 *   labels: 'label',
 *   gain: label => 2 ** label - 1,
 *   discount: reciprocalDiscount,
 *   depth: view => view.n,
 *   divisor: () => 1,
 * };
 */
export interface SeparableOptions {
  labels: string;
  /** The gain of a label; NaN is an unjudged document. */
  gain(label: number): number;
  discount: RankDiscount;
  /** How many ranks count; may exceed the list. */
  depth(view: QueryView): number;
  /** What the sum is divided by; NaN where the measure is undefined for the query. */
  divisor(view: QueryView): number;
}

/**
 * The body of a measure that adds up gain times discount: with it come forms for LambdaRank, SoftRank and others.
 *
 * @example
 * import { noDiscount, relevanceGain, separable } from 'listwise/measures';
 *
 * const body = separable({
 *   labels: 'label',
 *   gain: relevanceGain(1),
 *   discount: noDiscount,
 *   depth: () => 5,
 *   divisor: () => 5,
 * }); // precision at 5
 */
export function separable({ labels, gain, discount, depth, divisor }: SeparableOptions): MeasureBody {
  function fill(view: QueryView, tables: Pick<SwapTables, 'gain' | 'upper'>): number {
    const byDocument = view.labels(labels);
    for (let i = 0; i < view.n; i++) tables.gain[i] = gain(byDocument[i]!);
    fillDiscounts(view, tables.upper);
    return 1 / divisor(view);
  }
  function fillDiscounts(view: QueryView, byRank: Float64Array): void {
    const table = discount.table(view.n);
    const counted = depth(view);
    for (let r = 0; r < view.n; r++) byRank[r] = r < counted ? table[r]! : 0;
  }
  return {
    value(view) {
      const byRank = view.ranked(labels);
      return gainSum(byRank, Math.min(view.n, depth(view)), gain, discount.table(view.n)) / divisor(view);
    },
    /** Each document of a group of equal scores earns the mean discount of the group's ranks. */
    overTies(view, tied) {
      const byRank = tied.ranked(labels);
      const depthOf = Math.min(view.n, depth(view));
      const table = discount.table(view.n);
      let total = 0;
      for (let g = 0; g < tied.groups; g++) {
        const start = tied.starts[g]!;
        const end = tied.starts[g + 1]!;
        if (start >= depthOf) break;
        let gains = 0;
        for (let r = start; r < end; r++) gains += gain(byRank[r]!);
        let discounts = 0;
        for (let r = start; r < end && r < depthOf; r++) discounts += table[r]!;
        total += (gains * discounts) / (end - start);
      }
      return total / divisor(view);
    },
    swap: { form: 'separable', fill },
    soft: { form: 'positional', fill },
    expectation: {
      form: 'linear',
      gain,
      fill(view, byRank) {
        fillDiscounts(view, byRank);
        return 1 / divisor(view);
      },
    },
    approx: {
      value(view, ranking) {
        const norm = 1 / divisor(view);
        if (Number.isNaN(norm)) return Number.NaN;
        const byDocument = view.labels(labels);
        const k = depth(view);
        const cut = k < view.n;
        let sum = 0;
        for (let i = 0; i < view.n; i++) {
          const own = norm * gain(byDocument[i]!);
          if (own === 0) continue;
          const position = ranking.position(i);
          const inside = cut ? ranking.within(i, k) : 1;
          const here = discount.at(position);
          sum += own * here * inside;
          ranking.addPosition(i, own * inside * discount.slope(position));
          if (cut) ranking.addWithin(i, k, own * here);
        }
        return sum;
      },
    },
  };
}

/** Sum over the first `depth` labels of gain times discount. */
export function gainSum(
  labels: Float64Array,
  depth: number,
  gain: (label: number) => number,
  discount: Float64Array,
): number {
  let total = 0;
  for (let r = 0; r < depth; r++) total += gain(labels[r]!) * discount[r]!;
  return total;
}
