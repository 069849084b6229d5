/** What NDCG, DCG and CNDCG share: gains times discounts, cut at a rank, over a norm. */

import { discounts } from './discount.js';
import type { MeasureBody, QueryView } from './measure.js';

export interface DcgOptions {
  labels: string;
  cut: number | undefined;
  gain(label: number): number;
  discount: 'log2' | 'letor';
  /** Divide by the best possible value, over which documents; undefined leaves DCG as it is. */
  ideal: 'list' | 'judged' | undefined;
}

export function discountedGain({ labels, cut = Infinity, gain, discount, ideal }: DcgOptions): MeasureBody {
  function sum(byRank: Float64Array, n: number): number {
    const worth = discounts(discount, n);
    const depth = Math.min(n, cut);
    let total = 0;
    for (let r = 0; r < depth; r++) total += gain(byRank[r]!) * worth[r]!;
    return total;
  }
  /** 1 / ideal DCG; NaN where no document has a gain. */
  function norm(view: QueryView): number {
    if (ideal === undefined) return 1;
    const best = view.ideal(labels, ideal);
    const value = sum(best, best.length);
    return value > 0 ? 1 / value : Number.NaN;
  }
  return {
    value: view => sum(view.ranked(labels), view.n) * norm(view),
    swap: {
      form: 'separable',
      fill(view, tables) {
        const byDocument = view.labels(labels);
        const worth = discounts(discount, view.n);
        for (let i = 0; i < view.n; i++) {
          tables.gain[i] = gain(byDocument[i]!);
          tables.upper[i] = i < cut ? worth[i]! : 0;
        }
        return norm(view);
      },
    },
  };
}
