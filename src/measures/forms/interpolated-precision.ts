/**
 * Interpolated precision at levels of recall, for iprec and 11pt: at the level of the c-th relevant document, the
 * largest precision at that document or any relevant one below it; 0 where the list holds fewer than c.
 */
import { choiceParameter } from '../../spec/parameters.js';
import type { MeasureBody, QueryView } from '../measure.js';
import { relevantCount } from './relevance.js';

export const roundingParameter = choiceParameter({
  choices: ['nearest', 'up'],
  default: 'nearest',
  description:
    'How recall * R becomes a number of documents: nearest as trec_eval 10 does, or up (unless it is less than 0.1 above a whole number) as trec_eval 9 did.',
});

export interface InterpolatedOptions {
  labels: string;
  rel: number;
  ideal: 'list' | 'judged';
  rounding: 'nearest' | 'up';
  /** Levels of recall from 0 to 1; the value is the mean over them. */
  levels: readonly number[];
}

/** Ranks of the relevant documents, the i-th at index i from 1. */
function relevantRanks(view: QueryView, labels: string, rel: number): number[] {
  const byRank = view.ranked(labels);
  const ranks = [0];
  for (let r = 0; r < view.n; r++) if (byRank[r]! >= rel) ranks.push(r + 1);
  return ranks;
}

export function interpolatedPrecision({ labels, rel, ideal, rounding, levels }: InterpolatedOptions): MeasureBody {
  /** The levels as numbers of relevant documents, at least 1; undefined where no document is relevant. */
  function wanted(view: QueryView): number[] | undefined {
    const relevant = relevantCount(view, labels, rel, ideal);
    if (relevant === 0) return undefined;
    return levels.map(level => {
      const documents = level * relevant;
      return Math.max(1, rounding === 'nearest' ? Math.round(documents) : Math.floor(documents + 0.9));
    });
  }

  return {
    value(view) {
      const counts = wanted(view);
      if (counts === undefined) return Number.NaN;
      const best = bestFrom(relevantRanks(view, labels, rel));
      let sum = 0;
      for (const count of counts) sum += best[count] ?? 0;
      return sum / levels.length;
    },
    swap: {
      form: 'function',
      begin(view) {
        const counts = wanted(view);
        if (counts === undefined) return undefined;
        const change = changeOfSums(relevantRanks(view, labels, rel), counts, view.n);
        return (a, b) => change(a, b) / levels.length;
      },
    },
  };
}

/** best[i] is the largest of j / ranks[j] over j >= i; one entry more, 0, past the end. */
function bestFrom(ranks: readonly number[]): Float64Array {
  const best = new Float64Array(ranks.length + 1);
  for (let i = ranks.length - 1; i >= 1; i--) best[i] = Math.max(best[i + 1]!, i / ranks[i]!);
  return best;
}

/**
 * The change of the sum over `counts` of best[count] by a swap. Let the relevant document number j lie at the lower end
 * and the gap at the upper end come before number i. Numbers below i and above j keep rank and number, so their maxima
 * are looked up; those in between keep their rank and move by one number: they are walked through, from the last to the
 * first.
 */
function changeOfSums(ranks: number[], counts: readonly number[], n: number): (a: number, b: number) => number {
  const best = bestFrom(ranks);
  const relevantTo = new Uint32Array(n + 1); // relevant documents at ranks 1..r
  for (let i = 1; i < ranks.length; i++) relevantTo[ranks[i]!] = 1;
  for (let r = 1; r <= n; r++) relevantTo[r]! += relevantTo[r - 1]!;
  const isRelevant = (rank: number) => relevantTo[rank] !== relevantTo[rank - 1];
  // upTo[l][i] is the largest of j / ranks[j] over counts[l] <= j <= i.
  const upTo = counts.map(count => {
    const largest = new Float64Array(ranks.length);
    for (let i = count; i < ranks.length; i++) largest[i] = Math.max(largest[i - 1]!, i / ranks[i]!);
    return largest;
  });
  const levels = counts.map((_, l) => l).sort((x, y) => counts[y]! - counts[x]!); // most documents first
  return (a, b) => {
    const top = a + 1;
    const bottom = b + 1;
    const rises = isRelevant(bottom);
    if (isRelevant(top) === rises) return 0;
    // Numbers first..last change hands: the moved document and those in between.
    const first = relevantTo[top]! + (rises ? 1 : 0);
    const last = relevantTo[bottom]!;
    let running = best[last + 1]!;
    let number = last + 1; // numbers from here on are in `running`
    let change = 0;
    for (const level of levels) {
      const count = counts[level]!;
      if (count > last) continue; // only documents further down, or none: nothing changes
      while (number > Math.max(count, first)) {
        number--;
        // After the swap, document `number` lies where its neighbour was, or at the end that was taken.
        const rank = rises
          ? number === first
            ? top
            : ranks[number - 1]!
          : number === last
            ? bottom
            : ranks[number + 1]!;
        running = Math.max(running, number / rank);
      }
      change += Math.max(running, upTo[level]![first - 1]!) - best[count]!;
    }
    return change;
  };
}
