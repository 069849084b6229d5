/**
 * The Ranking SVM: every pair of different labels is to be apart by 1. The most violated choice is all pairs that are
 * not, counted per document by one pass over sorted scores (Joachims 2006), never visited one by one.
 */
import { LOOKS_A_STEP, type Steps } from '../../steps.js';
import { sortedDocuments, type Violation, type ViolationSearch } from './violation.js';

/** The loss is the share of the query's pairs that are not far enough apart. */
export const pairs: ViolationSearch = { canBeWrong: labels => countPairs(labels) > 0, find: closePairs };

function* closePairs(scores: Float64Array, labels: Float64Array): Steps<Violation | undefined> {
  const sorted = sortedDocuments(scores, labels, label => !Number.isNaN(label));
  const distinct = [...new Set(Array.from(sorted, d => labels[d]!))].sort((a, b) => a - b);
  const grade = new Map(distinct.map((label, g) => [label, g]));
  const grades = Uint32Array.from(sorted, d => grade.get(labels[d]!)!);
  const sizes = new Float64Array(distinct.length);
  for (const g of grades) sizes[g]!++;
  const total = pairsOf(sizes);
  if (total === 0) return undefined;
  const coefficients = new Float64Array(scores.length);
  let close = 0;
  let looks = 0; // at grades: there may be as many as documents
  // Down the ranking: documents whose score is above s - 1 are too near, or above, where their label is lower.
  const seen = new Float64Array(distinct.length);
  for (let k = 0, next = 0; k < sorted.length; k++) {
    const score = scores[sorted[k]!]!;
    for (; next < sorted.length && scores[sorted[next]!]! > score - 1; next++) seen[grades[next]!]!++;
    let lower = 0;
    for (let g = 0; g < grades[k]!; g++) lower += seen[g]!;
    coefficients[sorted[k]!]! += lower / total;
    close += lower;
    looks += grades[k]!;
    if (looks < LOOKS_A_STEP) continue;
    looks = 0;
    yield k / sorted.length / 2;
  }
  // Up the ranking: the same pairs from the side of the lower label.
  seen.fill(0);
  for (let k = sorted.length - 1, next = k; k >= 0; k--) {
    const score = scores[sorted[k]!]!;
    for (; next >= 0 && score > scores[sorted[next]!]! - 1; next--) seen[grades[next]!]!++;
    let higher = 0;
    for (let g = grades[k]! + 1; g < seen.length; g++) higher += seen[g]!;
    coefficients[sorted[k]!]! -= higher / total;
    looks += seen.length - grades[k]!;
    if (looks < LOOKS_A_STEP) continue;
    looks = 0;
    yield 1 - k / sorted.length / 2;
  }
  return { loss: close / total, coefficients };
}

/** Pairs of different grades. */
function pairsOf(sizes: Float64Array): number {
  let total = 0;
  let lower = 0;
  for (const size of sizes) {
    total += lower * size;
    lower += size;
  }
  return total;
}

/** Pairs of different labels of a query. */
export function countPairs(labels: Float64Array): number {
  const sizes = new Map<number, number>();
  for (const label of labels) if (!Number.isNaN(label)) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  return pairsOf(Float64Array.from(sizes.values()));
}
