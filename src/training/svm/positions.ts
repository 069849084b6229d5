/**
 * NDCG in the form of positions (Chapelle, Le, Smola 2007): Psi(x, y) = sum over documents of phi_d A(rank of d), A
 * falling with the rank, for any grades. The most violated ranking maximises the sum of s_d A(r_d) - g_d D(r_d) /
 * ideal, an assignment of documents to ranks. Documents of one grade keep their order by score, so that a ranking is a
 * merge of the grades: by dynamic programming where these are few, else by an assignment solver. Below the last rank
 * with a weight scores do not matter, and the worst order is that of rising grades.
 *
 * Documents of equal grade have no right order: they stand by the scores of a model before, and share A where they tie
 * there, as all do at first. A right order of its own for every model would make the problem one that has no proven
 * optimum; the same one for all would count every difference of scores within a grade as a mistake.
 */
import { discounts } from '../../measures/forms/discount.js';
import { LOOKS_A_STEP, type Steps } from '../../steps.js';
import { assignSteps } from './assignment.js';
import { mergeSteps } from './merging.js';
import { byScore, sortedDocuments, tableFor, type ViolationSearch } from './violation.js';

const gainOf = (label: number) => 2 ** label - 1;

/** `weigh` is A, by rank from 1. */
export function positions(weigh: (rank: number) => number): ViolationSearch {
  return {
    canBeWrong: labels => idealOf(labels) !== undefined,
    *find(scores, labels, before) {
      const right = idealOf(labels);
      if (right === undefined) return undefined;
      const { ideal, discount, best } = right;
      const n = ideal.length;
      yield 0;
      const grades = gradesOf(scores, labels, ideal);
      const weights = Float64Array.from({ length: n }, (_, r) => weigh(r + 1));
      const worth = (d: number, r: number) => scores[d]! * weights[r]! - (gainOf(labels[d]!) * discount[r]!) / best;
      const depth = weights.findLastIndex(weight => weight !== 0) + 1;
      yield 0;
      const order = (yield* mergeSteps(grades, worth, depth)) ?? (yield* assignRankSteps(ideal, worth));
      const coefficients = new Float64Array(scores.length);
      let loss = 1;
      for (let r = 0; r < n; r++) {
        const d = order[r]!;
        loss -= (gainOf(labels[d]!) * discount[r]!) / best;
        coefficients[d]! -= weights[r]!;
      }
      yield 1;
      addRight(gradesOf(before, labels, ideal), before, weights, coefficients);
      return { loss, coefficients };
    },
  };
}

interface Ideal {
  /** The best label first. */
  readonly ideal: Uint32Array;
  readonly discount: Float64Array;
  /** What that ranking comes to. */
  readonly best: number;
}

/** Undefined where no ranking can be wrong. */
function idealOf(labels: Float64Array): Ideal | undefined {
  const ideal = sortedDocuments(labels, labels, label => !Number.isNaN(label));
  if (labels[ideal[0]!] === labels[ideal.at(-1)!]) return undefined;
  const discount = discounts.log2.table(ideal.length);
  let best = 0;
  for (let r = 0; r < ideal.length; r++) best += gainOf(labels[ideal[r]!]!) * discount[r]!;
  return best > 0 ? { ideal, discount, best } : undefined;
}

/** A of the right ranking: grade by grade, by the scores before; documents that tie there share it. */
function addRight(
  grades: readonly Uint32Array[],
  before: Float64Array,
  weights: Float64Array,
  coefficients: Float64Array,
): void {
  let rank = 0;
  for (const grade of grades) {
    for (let from = 0; from < grade.length; ) {
      let to = from;
      let sum = 0;
      while (to < grade.length && before[grade[to]!] === before[grade[from]!]) sum += weights[rank + to++]!;
      for (let k = from; k < to; k++) coefficients[grade[k]!]! += sum / (to - from);
      from = to;
    }
    rank += grade.length;
  }
}

/** Documents by grade, the best grade first, each by score. */
function gradesOf(scores: Float64Array, labels: Float64Array, ideal: Uint32Array): Uint32Array[] {
  const grades = new Map<number, number[]>();
  for (const d of ideal) {
    const grade = grades.get(labels[d]!);
    if (grade === undefined) grades.set(labels[d]!, [d]);
    else grade.push(d);
  }
  return Array.from(grades.values(), grade => byScore(grade, scores));
}

/** Documents by rank by the assignment solver, which needs no grades. */
export function* assignRankSteps(
  documents: Uint32Array,
  worth: (document: number, rank: number) => number,
): Steps<Uint32Array> {
  const n = documents.length;
  const cost = tableFor(() => new Float64Array(n * n), 'document and every rank', {
    numbers: n * n,
    bytes: 8,
    documents: n,
  });
  let looks = 0;
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < n; r++) cost[i * n + r] = -worth(documents[i]!, r);
    looks += n;
    if (looks < LOOKS_A_STEP) continue;
    looks = 0;
    yield 0;
  }
  const order = new Uint32Array(n);
  for (const [i, rank] of (yield* assignSteps(cost, n)).entries()) order[rank] = documents[i]!;
  return order;
}
