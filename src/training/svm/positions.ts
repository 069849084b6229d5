/**
 * NDCG in the form of positions (Chapelle, Le, Smola 2007): Psi(x, y) = sum over documents of phi_d A(rank of d), A
 * falling with the rank, for any grades. The most violated ranking maximises the sum of s_d A(r_d) - g_d D(r_d) /
 * ideal, an assignment of documents to ranks. Documents of one grade keep their order by score, so that a ranking is a
 * merge of the grades: by dynamic programming where these are few, else by an assignment solver.
 *
 * Documents of equal grade have no right order: A of the right ranking is its mean over their ranks.
 */
import { discounts } from '../../measures/forms/discount.js';
import { assign } from './assignment.js';
import { type FindViolation, sortedDocuments } from './violation.js';

/** Merges with more states than this are left to the assignment solver. */
const MOST_STATES = 500_000;

const gainOf = (label: number) => 2 ** label - 1;

/** `weigh` is A, by rank from 1. */
export function positions(weigh: (rank: number) => number): FindViolation {
  return (scores, labels) => {
    const ideal = sortedDocuments(labels, labels, label => !Number.isNaN(label)); // best label first
    const n = ideal.length;
    const grades = gradesOf(scores, labels, ideal);
    if (grades.length < 2) return undefined;
    const discount = discounts.log2.table(n);
    const weights = Float64Array.from({ length: n }, (_, r) => weigh(r + 1));
    let best = 0;
    for (let r = 0; r < n; r++) best += gainOf(labels[ideal[r]!]!) * discount[r]!;
    if (!(best > 0)) return undefined;
    const worth = (d: number, r: number) => scores[d]! * weights[r]! - (gainOf(labels[d]!) * discount[r]!) / best;
    const order = mergeGrades(grades, worth) ?? assignRanks(ideal, worth);
    const coefficients = new Float64Array(scores.length);
    let loss = 1;
    for (let r = 0; r < n; r++) {
      const d = order[r]!;
      loss -= (gainOf(labels[d]!) * discount[r]!) / best;
      coefficients[d]! -= weights[r]!;
    }
    let rank = 0;
    for (const grade of grades) {
      let mean = 0;
      for (let k = 0; k < grade.length; k++) mean += weights[rank + k]! / grade.length;
      for (const d of grade) coefficients[d]! += mean;
      rank += grade.length;
    }
    return { loss, coefficients };
  };
}

/** Documents by grade, the best grade first, each by score. */
function gradesOf(scores: Float64Array, labels: Float64Array, ideal: Uint32Array): Uint32Array[] {
  const distinct = [...new Set(Array.from(ideal, d => labels[d]!))];
  return distinct.map(own => sortedDocuments(scores, labels, label => label === own));
}

/**
 * Documents by rank; undefined where there are too many states: one for each number of documents taken of each grade.
 */
export function mergeGrades(
  grades: readonly Uint32Array[],
  worth: (document: number, rank: number) => number,
): Uint32Array | undefined {
  const strides: number[] = [];
  let states = 1;
  for (const { length } of grades) {
    strides.push(states);
    states *= length + 1;
  }
  if (states > MOST_STATES) return undefined;
  const value = new Float64Array(states).fill(-Infinity);
  const taken = new Uint8Array(states);
  const counts = new Uint32Array(grades.length);
  value[0] = 0;
  for (let state = 1; state < states; state++) {
    // The next numbers taken of each grade.
    for (let g = 0; g < counts.length; g++) {
      if (counts[g]! < grades[g]!.length) {
        counts[g]!++;
        break;
      }
      counts[g] = 0;
    }
    let rank = -1;
    for (const count of counts) rank += count;
    for (let g = 0; g < counts.length; g++) {
      if (counts[g] === 0) continue;
      const found = value[state - strides[g]!]! + worth(grades[g]![counts[g]! - 1]!, rank);
      if (found > value[state]!) {
        value[state] = found;
        taken[state] = g;
      }
    }
  }
  const left = grades.map(({ length }) => length);
  const order = new Uint32Array(left.reduce((sum, length) => sum + length, 0));
  for (let state = states - 1, r = order.length - 1; state > 0; r--) {
    const g = taken[state]!;
    order[r] = grades[g]![--left[g]!]!;
    state -= strides[g]!;
  }
  return order;
}

/** The same by the assignment solver, which needs no grades. */
export function assignRanks(documents: Uint32Array, worth: (document: number, rank: number) => number): Uint32Array {
  const n = documents.length;
  const cost = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let r = 0; r < n; r++) cost[i * n + r] = -worth(documents[i]!, r);
  const order = new Uint32Array(n);
  for (const [i, rank] of assign(cost, n).entries()) order[rank] = documents[i]!;
  return order;
}
