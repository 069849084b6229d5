/**
 * Losses of binary relevance in the form of pairs (Yue et al. 2007, Chakrabarti et al. 2008): Psi(x, y) = 1/(R N) sum
 * over relevant i and other j of y_ij (phi_i - phi_j), y_ij = 1 where i is above j and -1 where it is below. Relevant
 * documents stay sorted by score, and so do the others; only how they interleave is open. A ranking is one number for
 * each relevant document, j_i: how many others are above it, which never falls with i. A loss that is 1 less a sum of
 * credits, one for each relevant document by i and j_i, has its most violated ranking by dynamic programming, in R N
 * steps: AP, NDCG and RR are such losses.
 */
import { LOOKS_A_STEP, partOf, type Steps } from '../../steps.js';
import { sortedDocuments, tableFor, type ViolationSearch } from './violation.js';

/**
 * By the numbers of relevant documents and of all: the credit of the i-th relevant one (from 1) with j others above it;
 * those of the best ranking add up to 1.
 */
export type Credit = (relevant: number, documents: number) => (i: number, j: number) => number;

export function interleaving(rel: number, creditOf: Credit): ViolationSearch {
  return {
    canBeWrong: labels => labels.some(label => label >= rel) && labels.some(label => label < rel),
    *find(scores, labels) {
      const relevant = sortedDocuments(scores, labels, label => label >= rel);
      const others = sortedDocuments(scores, labels, label => label < rel);
      if (relevant.length === 0 || others.length === 0) return undefined;
      const credit = creditOf(relevant.length, relevant.length + others.length);
      const search = mostViolated(
        Float64Array.from(relevant, d => scores[d]!),
        Float64Array.from(others, d => scores[d]!),
        credit,
      );
      const above = yield* partOf(search, 0, 0.8);
      const coefficients = new Float64Array(scores.length);
      const norm = 2 / (relevant.length * others.length);
      let loss = 1;
      let looks = 0;
      for (const [k, j] of above.entries()) {
        loss -= credit(k + 1, j);
        coefficients[relevant[k]!] = norm * j;
        for (let o = 0; o < j; o++) coefficients[others[o]!]! -= norm;
        looks += j;
        if (looks < LOOKS_A_STEP) continue;
        looks = 0;
        yield 0.8 + (0.2 * k) / relevant.length;
      }
      return { loss, coefficients };
    },
  };
}

/** By relevant document, how many others are above it. */
function* mostViolated(scores: Float64Array, others: Float64Array, credit: ReturnType<Credit>): Steps<Uint32Array> {
  const n = others.length;
  const relevant = scores.length;
  const sums = new Float64Array(n + 1); // of the scores of the first j others
  for (let j = 0; j < n; j++) sums[j + 1] = sums[j]! + others[j]!;
  const best = new Float64Array(n + 1);
  const size = relevant * (n + 1);
  const choice = tableFor(() => new Uint32Array(size), 'relevant document and every other one', {
    numbers: size,
    bytes: 4,
    documents: relevant + n,
  });
  let looks = 0;
  for (let k = 0; k < relevant; k++) {
    const score = scores[k]!;
    let most = -Infinity; // over up to j others above the document before
    let at = 0;
    for (let j = 0; j <= n; j++) {
      if (best[j]! > most) {
        most = best[j]!;
        at = j;
      }
      choice[k * (n + 1) + j] = at;
      // The change from the right ranking: pairs with the first j others turn round.
      best[j] = most - credit(k + 1, j) + (2 * (sums[j]! - j * score)) / (relevant * n);
    }
    looks += n;
    if (looks < LOOKS_A_STEP) continue;
    looks = 0;
    yield k / relevant;
  }
  const above = new Uint32Array(relevant);
  let j = 0;
  for (let k = 1; k <= n; k++) if (best[k]! > best[j]!) j = k;
  for (let k = relevant - 1; k >= 0; k--) {
    above[k] = j;
    j = choice[k * (n + 1) + j]!;
  }
  return above;
}
