/** Average precision and its swap tables, shared by AP and GMAP. */
import { choiceParameter } from '../../spec/parameters.js';
import type { MeasureBody, QueryView, SwapForm } from '../measure.js';
import type { ExpectationForm } from './expectation.js';
import { countRelevant, fillRelevance, relevanceGain, relevantCount } from './relevance.js';

export const divisorParameter = choiceParameter({
  choices: ['relevant', 'cut'],
  default: 'relevant',
  description:
    'What AP@k is divided by: relevant is R, the relevant documents of the query (trec_eval); cut is min(R, k) (LightGBM, XGBoost).',
});

export interface ApOptions {
  labels: string;
  cut: number | undefined;
  rel: number;
  divisor: 'relevant' | 'cut';
  ideal: 'list' | 'judged';
}

export function averagePrecision(
  options: ApOptions,
): MeasureBody & { swap: SwapForm & { form: 'tables' }; expectation: ExpectationForm } {
  const { labels, cut = Infinity, rel, ideal } = options;

  /** NaN where no document is relevant. */
  function divisor(view: QueryView): number {
    const relevant = relevantCount(view, labels, rel, ideal);
    return (options.divisor === 'cut' ? Math.min(relevant, cut) : relevant) || Number.NaN;
  }

  return {
    value(view) {
      const byRank = view.ranked(labels);
      const depth = Math.min(view.n, cut);
      let relevant = 0;
      let sum = 0;
      for (let r = 0; r < depth; r++) {
        if (byRank[r]! >= rel) sum += ++relevant / (r + 1);
      }
      return sum / divisor(view);
    },
    /**
     * At place i (from 0) of a group with m documents, r of them relevant, a document is relevant with probability r /
     * m, and then i (r - 1) / (m - 1) of those above it in the group are, in the mean.
     */
    overTies(view, tied) {
      const byRank = tied.ranked(labels);
      const depth = Math.min(view.n, cut);
      let above = 0; // relevant documents of higher scores
      let sum = 0;
      for (let g = 0; g < tied.groups; g++) {
        const start = tied.starts[g]!;
        const end = tied.starts[g + 1]!;
        if (start >= depth) break;
        if (end - start === 1) {
          // Most groups, and the same as below.
          if (byRank[start]! >= rel) sum += ++above / end;
          continue;
        }
        const relevant = countRelevant(byRank, start, end, rel);
        const share = relevant / (end - start);
        const others = relevant > 1 ? (relevant - 1) / (end - start - 1) : 0;
        for (let r = start; r < end && r < depth && share > 0; r++) {
          sum += (share * (above + 1 + (r - start) * others)) / (r + 1);
        }
        above += relevant;
      }
      return sum / divisor(view);
    },
    swap: {
      form: 'tables',
      /**
       * With c(r) the relevant documents and S(r) the sum of rel_t / t up to rank r, a relevant document that moves
       * from b up to a earns (c(a) + 1)/a, gives 1/t to each relevant t in between, and loses c(b)/b; the other way
       * round with the sign changed. Beyond the cut-off ranks earn nothing, and S stands still.
       */
      fill(view, { gain, upper, slope, lower }) {
        fillRelevance(view, labels, rel, gain);
        const byRank = view.ranked(labels);
        let relevant = 0;
        let sum = 0;
        for (let r = 0; r < view.n; r++) {
          const rank = r + 1;
          const own = Number(byRank[r]! >= rel);
          if (rank > cut) {
            upper[r] = 0;
            slope[r] = 0;
            lower[r] = -sum;
            continue;
          }
          lower[r] = (relevant + own) / rank - sum; // S(b) - rel_b / b is S(b - 1)
          relevant += own;
          sum += own / rank;
          upper[r] = (relevant + 1 - own) / rank - sum;
          slope[r] = 1;
        }
        return 1 / divisor(view);
      },
    },
    // With a cut-off the expectation does not split into expected counts.
    ...(cut === Infinity && {
      soft: {
        form: 'precision',
        fill(view, gain) {
          fillRelevance(view, labels, rel, gain);
          return 1 / divisor(view);
        },
      },
    }),
    expectation: {
      form: 'precision',
      gain: relevanceGain(rel),
      fill(view, discount) {
        for (let r = 0; r < view.n; r++) discount[r] = r < cut ? 1 / (r + 1) : 0;
        return 1 / divisor(view);
      },
    },
    approx: {
      /** (1/R) sum over relevant y of [y within k] (1 + sum over relevant x != y of [x before y]) / position y. */
      value(view, ranking) {
        const norm = 1 / divisor(view);
        if (Number.isNaN(norm)) return Number.NaN;
        const byDocument = view.labels(labels);
        const relevant: number[] = [];
        for (let i = 0; i < view.n; i++) if (byDocument[i]! >= rel) relevant.push(i);
        let sum = 0;
        for (const y of relevant) {
          const above = 1 + ranking.countBefore(relevant, y);
          const position = ranking.position(y);
          const inside = cut < view.n ? ranking.within(y, cut) : 1;
          const precision = (norm * above) / position;
          sum += precision * inside;
          ranking.addPosition(y, (-precision * inside) / position);
          if (cut < view.n) ranking.addWithin(y, cut, precision);
          ranking.addCountBefore(relevant, y, (norm * inside) / position);
        }
        return sum;
      },
    },
  };
}
