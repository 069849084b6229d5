/** What NDCG, DCG and CNDCG share: gains times discounts, cut at a rank. */

import type { MeasureBody } from '../measure.js';
import { type Discount, discounts } from './discount.js';
import { gainSum, separable } from './separable.js';

export interface DcgOptions {
  labels: string;
  cut: number | undefined;
  /** Never falls as the label rises, so that the best list is the one sorted by label. */
  gain(label: number): number;
  discount: Discount;
  /** Which documents the best possible list may hold. */
  ideal: 'list' | 'judged';
  /** Divide by the DCG of the best possible list. */
  normalise: boolean;
}

export function discountedGain({ labels, cut = Infinity, gain, discount, ideal, normalise }: DcgOptions): MeasureBody {
  const byRank = discounts[discount];
  return separable({
    labels,
    gain,
    discount: byRank,
    depth: () => cut,
    divisor(view) {
      const best = view.ideal(labels, ideal);
      const depth = normalise ? Math.min(best.length, cut) : Math.min(best.length, 1);
      const sum = gainSum(best, depth, gain, byRank.table(best.length));
      return sum > 0 ? (normalise ? sum : 1) : Number.NaN;
    },
  });
}
