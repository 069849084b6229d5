import type { QueryView } from '../../measures/measure.js';
import { hash32 } from '../../numeric/random.js';
import { defineObjective } from '../objective.js';
import { logAdd } from '../pairs/pair-factor.js';

/**
 * Documents with a label, best label first; equal labels in an order that depends on query and document number alone.
 */
function idealOrder(view: QueryView, source: string): number[] {
  const labels = view.labels(source);
  const documents: number[] = [];
  for (let i = 0; i < view.n; i++) if (!Number.isNaN(labels[i])) documents.push(i);
  // Once each: sorting asks for them again and again.
  const lots = Uint32Array.from({ length: view.n }, (_, i) => hash32(view.number, i));
  return documents.sort((i, j) => labels[j]! - labels[i]! || lots[i]! - lots[j]! || i - j);
}

/** logZ[t] is the logarithm of the sum of e^score over the documents from place t on. */
function logSumsToEnd(view: QueryView, order: readonly number[]): Float64Array {
  const logZ = new Float64Array(order.length);
  let log = -Infinity;
  for (let t = order.length - 1; t >= 0; t--) logZ[t] = log = logAdd(log, view.scores[order[t]!]!);
  return logZ;
}

export const listmle = defineObjective({
  name: 'listmle',
  title: 'ListMLE',
  description:
    'Cost -log of the probability (Plackett, Luce) of the list sorted by label: the sum over places t of log(sum from t on of e^score) - score at t. Equal labels stand in an order that is drawn once for each query, whatever the scores.',
  citation: 'Xia, Liu, Wang, Zhang, Li 2008',
  operands: 'none',
  parameters: {},
  create: (_, { labels }) => ({
    hessian: 'positive',
    start: () => ({
      lambdas(view, { lambda, hessian }) {
        lambda.fill(0, 0, view.n);
        hessian.fill(0, 0, view.n);
        const order = idealOrder(view, labels);
        const logZ = logSumsToEnd(view, order);
        // The document at place t is chosen at place r <= t with probability e^(s - logZ_r): sums over r of it and its
        // square.
        let first = -Infinity;
        let second = -Infinity;
        let moved = 0;
        for (let t = 0; t < order.length; t++) {
          const i = order[t]!;
          first = logAdd(first, -logZ[t]!);
          second = logAdd(second, -2 * logZ[t]!);
          const chosen = Math.exp(view.scores[i]! + first);
          lambda[i] = 1 - chosen;
          hessian[i] = Math.max(0, chosen - Math.exp(2 * view.scores[i]! + second));
          if (lambda[i] !== 0) moved++;
        }
        return moved;
      },
      cost(view) {
        const order = idealOrder(view, labels);
        const logZ = logSumsToEnd(view, order);
        let cost = 0;
        for (let t = 0; t < order.length; t++) cost += logZ[t]! - view.scores[order[t]!]!;
        return cost;
      },
    }),
  }),
});
