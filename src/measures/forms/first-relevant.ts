/** Measures that look at the first relevant document alone: RR and success. */

import type { MeasureBody, QueryView } from '../measure.js';
import { approxCascade, cascadeExpectation } from './approx-cascade.js';
import type { RankDiscount } from './rank-discount.js';
import { countRelevant, fillRelevance, relevanceGain, relevantCount } from './relevance.js';

/** Ranks of the first two relevant documents; Infinity where there is none. */
function firstTwo(view: QueryView, labels: string, rel: number): [first: number, second: number] {
  const byRank = view.ranked(labels);
  let first = Infinity;
  for (let r = 0; r < view.n; r++) {
    if (!(byRank[r]! >= rel)) continue;
    if (first < Infinity) return [first, r + 1];
    first = r + 1;
  }
  return [first, Infinity];
}

/** The discount of the rank of the first relevant document, 0 beyond the cut-off; never rises with the rank. */
export function firstRelevant(labels: string, rel: number, ranks: RankDiscount, cut: number): MeasureBody {
  const discount = (rank: number) => (rank <= cut && rank < Infinity ? ranks.at(rank) : 0);
  const undefinedFor = (view: QueryView) => relevantCount(view, labels, rel, 'judged') === 0;
  const cascade = { labels, satisfaction: relevanceGain(rel), discount: ranks, cut, undefinedFor };
  return {
    value: view => (undefinedFor(view) ? Number.NaN : discount(firstTwo(view, labels, rel)[0])),
    /** The first relevant one is in the first group that has any: at its place i (from 0) where the i above are not. */
    overTies(view, tied) {
      if (undefinedFor(view)) return Number.NaN;
      const byRank = tied.ranked(labels);
      for (let g = 0; g < tied.groups; g++) {
        const start = tied.starts[g]!;
        const end = tied.starts[g + 1]!;
        const relevant = countRelevant(byRank, start, end, rel);
        if (relevant === 0) continue;
        let reached = 1;
        let sum = 0;
        for (let r = start; r <= end - relevant; r++) {
          const here = relevant / (end - r);
          sum += reached * here * discount(r + 1);
          reached *= 1 - here;
        }
        return sum;
      }
      return 0;
    },
    swap: {
      form: 'tables',
      /**
       * With f and s the first two relevant ranks: a relevant document that moves up to a < f makes a the first; moving
       * the first one down to b leaves min(s, b) as the first; every other swap changes nothing.
       */
      fill(view, { gain, upper, slope, lower }) {
        fillRelevance(view, labels, rel, gain);
        const [first, second] = firstTwo(view, labels, rel);
        for (let r = 0; r < view.n; r++) {
          const rank = r + 1;
          upper[r] = rank < first ? discount(rank) - discount(first) : rank === first ? discount(first) : 0;
          slope[r] = rank === first ? 1 : 0;
          lower[r] = discount(Math.min(second, rank));
        }
        return undefinedFor(view) ? Number.NaN : 1;
      },
    },
    approx: approxCascade(cascade),
    expectation: cascadeExpectation(cascade),
  };
}
