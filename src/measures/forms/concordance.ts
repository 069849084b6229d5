/** Pairs of documents: how many a ranking puts in the order of their labels. Only judged documents take part. */
import type { MeasureBody, QueryView } from '../measure.js';
import type { SmoothRanking } from './smooth-forms.js';

export interface Concordance {
  /** Pairs with different labels and different scores, in the right and in the wrong order. */
  right: number;
  wrong: number;
  /** Pairs with different labels and the same score. */
  tied: number;
  /** All pairs, with different labels or not, with different scores or not. */
  all: number;
  /** Pairs of different scores, whatever their labels. */
  scored: number;
}

/**
 * Judged documents by rank: their number, the rank of each (from 0), its label as an index into the distinct labels.
 */
interface Graded {
  count: number;
  ranks: Uint32Array;
  grades: Uint32Array;
  distinct: number;
}

function gradesByRank(view: QueryView, labels: string): Graded {
  const byRank = view.ranked(labels);
  const sorted = view.ideal(labels, 'list'); // highest first
  const gradeOf = new Map<number, number>();
  for (let i = sorted.length - 1; i >= 0; i--) {
    if (!gradeOf.has(sorted[i]!)) gradeOf.set(sorted[i]!, gradeOf.size);
  }
  const ranks = new Uint32Array(sorted.length);
  const grades = new Uint32Array(sorted.length);
  let count = 0;
  for (let r = 0; r < view.n; r++) {
    const grade = gradeOf.get(byRank[r]!);
    if (grade === undefined) continue;
    ranks[count] = r;
    grades[count++] = grade;
  }
  return { count, ranks, grades, distinct: gradeOf.size };
}

/** Counts by index that answer "how many below x" in logarithmic time (a Fenwick tree). */
class RunningCounts {
  readonly #tree: Uint32Array;

  constructor(size: number) {
    this.#tree = new Uint32Array(size + 1);
  }

  add(index: number): void {
    for (let i = index + 1; i < this.#tree.length; i += i & -i) this.#tree[i]!++;
  }

  /** How many were added with an index below `index`. */
  below(index: number): number {
    let sum = 0;
    for (let i = index; i > 0; i -= i & -i) sum += this.#tree[i]!;
    return sum;
  }
}

/** One pass down the ranking, n log(distinct labels). */
export function concordance(view: QueryView, labels: string): Concordance {
  const { count, ranks, grades, distinct } = gradesByRank(view, labels);
  const { order, scores } = view;
  const score = (i: number) => scores[order[ranks[i]!]!]!;
  const higher = new RunningCounts(distinct); // documents of a higher score than those at hand
  let right = 0;
  let wrong = 0;
  let scored = 0;
  for (let start = 0, end = 0; start < count; start = end) {
    while (end < count && score(end) === score(start)) end++;
    for (let i = start; i < end; i++) {
      const lower = higher.below(grades[i]!);
      wrong += lower;
      right += start - lower - (higher.below(grades[i]! + 1) - lower);
    }
    for (let i = start; i < end; i++) higher.add(grades[i]!);
    scored += start * (end - start);
  }
  return { right, wrong, tied: differing(view, labels) - right - wrong, all: (count * (count - 1)) / 2, scored };
}

/** Pairs of judged documents with different labels. */
function differing(view: QueryView, labels: string): number {
  const sorted = view.ideal(labels, 'list');
  let pairs = 0;
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    while (end < sorted.length && sorted[end] === sorted[start]) end++;
    pairs += start * (end - start);
  }
  return pairs;
}

/**
 * Smooth number of pairs in the right order, the sum over pairs with label x > label y of [x before y], times `norm`.
 */
function smoothConcordance(view: QueryView, labels: string, ranking: SmoothRanking, norm: number): number {
  const byDocument = view.labels(labels);
  let sum = 0;
  for (let x = 0; x < view.n; x++) {
    for (let y = 0; y < view.n; y++) {
      if (!(byDocument[x]! > byDocument[y]!)) continue; // nor where one is unjudged
      sum += ranking.before(x, y);
      ranking.addBefore(x, y, norm);
    }
  }
  return norm * sum;
}

/** What one more pair in the right order adds, times / over, and the value where none is. */
interface PairScale {
  readonly times: number;
  readonly over: number;
  readonly least: number;
}

/**
 * The body of a measure that counts pairs in the right order. `scaleOf` has the number of pairs with different labels,
 * which is not 0, and takes all scores as different.
 */
export function concordanceMeasure(
  labels: string,
  ofCounts: (counts: Concordance) => number,
  scaleOf: (differing: number, view: QueryView) => PairScale,
): MeasureBody {
  const value = (view: QueryView) => ofCounts(concordance(view, labels));
  return {
    value,
    // Ties count as what they are: no order is taken for them.
    overTies: value,
    approx: {
      value(view, ranking) {
        const total = differing(view, labels);
        if (total === 0) return Number.NaN;
        const { times, over, least } = scaleOf(total, view);
        return smoothConcordance(view, labels, ranking, times / over) + least;
      },
    },
    swap: {
      form: 'function',
      judgedOnly: true,
      begin(view) {
        const total = differing(view, labels);
        if (total === 0) return undefined;
        const { times, over } = scaleOf(total, view);
        const change = concordanceChange(view, labels);
        return (a, b) => (times * change(a, b)) / over;
      },
    },
  };
}

/** Above this many distinct labels the table of counts costs more than it saves. */
const MAX_TABLE_GRADES = 64;

/**
 * The change of (pairs in the right order) when the documents at ranks a < b trade places, all scores taken as
 * different. The pair itself counts 1, a document in between 2 where its label is strictly between theirs and 1 where
 * it equals one of them. With W_r(x) = #{t <= r: l_t < x} + #{t <= r: l_t <= x}, that is the difference of W(high) -
 * W(low) between the ranks.
 */
function concordanceChange(view: QueryView, labels: string): (a: number, b: number) => number {
  const { count, ranks, grades, distinct } = gradesByRank(view, labels);
  const place = new Int32Array(view.n).fill(-1); // rank to judged document
  for (let i = 0; i < count; i++) place[ranks[i]!] = i;
  const between =
    distinct <= MAX_TABLE_GRADES
      ? countByTable(count, grades, distinct)
      : (i: number, j: number, low: number, high: number) => {
          let sum = 0;
          for (let t = i + 1; t < j; t++) {
            const grade = grades[t]!;
            sum += (low <= grade && grade < high ? 1 : 0) + (low < grade && grade <= high ? 1 : 0);
          }
          return sum;
        };
  return (a, b) => {
    const i = place[a]!;
    const j = place[b]!;
    const upper = grades[i]!;
    const lower = grades[j]!;
    if (upper === lower) return 0;
    return lower > upper ? 1 + between(i, j, upper, lower) : -1 - between(i, j, lower, upper);
  };
}

function countByTable(count: number, grades: Uint32Array, distinct: number) {
  // below[(i + 1) * distinct + x] is W_i(x) over judged documents 0..i.
  const below = new Int32Array((count + 1) * distinct);
  for (let i = 0; i < count; i++) {
    const row = i * distinct;
    for (let x = 0; x < distinct; x++) {
      below[row + distinct + x] = below[row + x]! + (grades[i]! < x ? 1 : 0) + (grades[i]! <= x ? 1 : 0);
    }
  }
  return (i: number, j: number, low: number, high: number) => {
    const first = (i + 1) * distinct;
    const last = j * distinct;
    return below[last + high]! - below[first + high]! - below[last + low]! + below[first + low]!;
  };
}
