/** Which labels the lambda on documents comes from: those of their partners in pairs (Svore et al. 2011, Eq. 11). */
import type { Dataset } from '../data/dataset.js';
import { DatasetView } from '../measures/query-view.js';
import { eachPair } from './pairs/pair-lambdas.reference.js';
import type { PairPlan } from './pairs/pair-plan.js';

/** The share of the pull on a document that comes from partners of a label, in the mean over documents. */
export interface LambdaSource {
  readonly label: number;
  readonly share: number;
}

/**
 * Over the documents whose label `concerns`. Shares are of magnitudes: a pull down counts like a pull up, so that they
 * add up to 1 also where pulls cancel. Documents without any pull are left out.
 */
export function lambdaSources(
  plan: PairPlan,
  data: Dataset,
  scores: ArrayLike<number>,
  concerns: (label: number) => boolean,
): LambdaSource[] {
  const view = new DatasetView(data);
  const kinds = [...new Set(data.label(plan.labels))].filter(label => !Number.isNaN(label)).sort((a, b) => a - b);
  const placeOf = new Map(kinds.map((label, place) => [label, place]));
  const shares = new Float64Array(kinds.length);
  let documents = 0;
  for (let q = 0; q < data.queries; q++) {
    view.moveTo(q, scores);
    const labels = view.labels(plan.labels);
    /** pulls[document * kinds + place of the partner's label] */
    const pulls = new Float64Array(view.n * kinds.length);
    const pull = (document: number, partner: number, lambda: number) => {
      if (concerns(labels[document]!)) pulls[document * kinds.length + placeOf.get(labels[partner]!)!]! += lambda;
    };
    eachPair(plan, view, (better, worse, weight) => {
      const lambda = Math.abs(weight * plan.factor.lambda(view.scores[better]! - view.scores[worse]!));
      pull(better, worse, lambda);
      pull(worse, better, lambda);
    });
    for (let i = 0; i < view.n; i++) {
      const own = pulls.subarray(i * kinds.length, (i + 1) * kinds.length);
      const total = own.reduce((sum, lambda) => sum + lambda, 0);
      if (total === 0) continue;
      documents++;
      for (let k = 0; k < kinds.length; k++) shares[k]! += own[k]! / total;
    }
  }
  return kinds.map((label, k) => ({ label, share: shares[k]! / documents }));
}

/** Which documents are highly relevant: those with a label in the upper half of the range, 3 and 4 of 0 to 4. */
export function inUpperHalf(labels: Float64Array): (label: number) => boolean {
  const [least, most] = labels.reduce(
    ([a, b], label) => (Number.isNaN(label) ? [a, b] : [Math.min(a, label), Math.max(b, label)]),
    [Infinity, -Infinity],
  );
  return label => label > (least + most) / 2;
}
