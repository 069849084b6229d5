import { longestQuery } from '../../data/longest-query.js';
import type { QueryView } from '../../measures/measure.js';
import { RearrangedView } from '../../measures/rearranged-view.js';
import { atOnce, LOOKS_A_STEP, type Steps } from '../../steps.js';
import { defineObjective, type Lambdas } from '../objective.js';

/**
 * For a label, the first and last rank (from 0) it holds in the list sorted by label, documents without one at the end.
 */
function idealRanks(view: QueryView, source: string): Map<number, { first: number; last: number }> {
  const ranks = new Map<number, { first: number; last: number }>();
  for (const [rank, label] of view.ideal(source, 'list').entries()) {
    const present = ranks.get(label);
    if (present === undefined) ranks.set(label, { first: rank, last: rank });
    else present.last = rank;
  }
  return ranks;
}

export const discretebounded = defineObjective({
  name: 'discretebounded',
  title: 'DiscreteBounded',
  description:
    'The lambda on a document is the change of the measure when it alone is moved to its ideal place (the nearest of those that its label holds in the list sorted by label; the others shift), signed by the direction of the move, 0 where the move would not raise the measure, clipped to [-1, 1]; then the mean is subtracted. Not made of pairs. Evaluates the measure once a document: for short lists.',
  citation: 'Donmez, Svore, Burges 2009, section 7 (our reading of its prose)',
  operands: 'measure',
  parameters: {},
  create(_, operands) {
    const measure = operands.measure('ndcg');
    const source = operands.labels;
    function* steps(view: QueryView, { lambda, hessian }: Lambdas): Steps<number> {
      const { n, order } = view;
      lambda.fill(0, 0, n);
      hessian.fill(0, 0, n);
      const now = measure.value(view);
      if (Number.isNaN(now)) return 0;
      const labels = view.labels(source);
      const ideal = idealRanks(view, source);
      const moved = new RearrangedView(view);
      let sum = 0;
      let labelled = 0;
      let lambdas = 0;
      let looks = 0;
      for (let rank = 0; rank < n; rank++) {
        const document = order[rank]!;
        const place = ideal.get(labels[document]!);
        if (place === undefined) continue;
        labelled++;
        const target = Math.min(Math.max(rank, place.first), place.last);
        if (target === rank) continue;
        looks += n;
        if (looks > LOOKS_A_STEP) {
          looks = 0;
          yield rank / n;
        }
        const change = measure.value(moved.move(rank, target)) - now;
        if (!(change > 0)) continue;
        lambda[document] = Math.sign(rank - target) * Math.min(change, 1);
        sum += lambda[document]!;
        lambdas++;
      }
      for (let i = 0; i < n; i++) if (!Number.isNaN(labels[i])) lambda[i]! -= sum / labelled;
      return lambdas;
    }
    return {
      hessian: 'none',
      start: data => ({
        lambdas: (view, out) => atOnce(steps(view, out)),
        ...(longestQuery(data) ** 2 > LOOKS_A_STEP && { lambdaSteps: steps }),
      }),
    };
  },
});
