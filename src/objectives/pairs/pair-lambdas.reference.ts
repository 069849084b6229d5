/** The reference: lambdas of a pair plan on one query, one pair after the other. */

import { swapChange } from '../../measures/forms/swap.js';
import type { QueryView } from '../../measures/measure.js';
import type { Lambdas } from '../objective.js';
import type { PairPlan } from './pair-plan.js';

/** Calls `visit(better, worse, weight)` with the documents of every pair that takes part and has a weight. */
export function eachPair(
  plan: PairPlan,
  view: QueryView,
  visit: (better: number, worse: number, weight: number) => void,
): void {
  const change = plan.weight === 'unit' ? () => 1 : swapChange(plan.weight, view);
  if (change === undefined) return;
  const labels = view.labels(plan.labels);
  const tiers = plan.within.map(source => view.labels(source));
  const takesPart = (document: number) => {
    const label = labels[document]!;
    return !Number.isNaN(label) && !(plan.withoutZeros && label === 0);
  };
  for (let a = 0; a < view.n - 1; a++) {
    const i = view.order[a]!;
    if (!takesPart(i)) continue;
    const end = plan.reach === 'adjacent' ? Math.min(a + 2, view.n) : view.n;
    for (let b = a + 1; b < end; b++) {
      const j = view.order[b]!;
      if (!takesPart(j) || labels[i] === labels[j]) continue;
      if (plan.misrankedOnly && labels[i]! > labels[j]!) continue;
      if (tiers.some(tier => tier[i] !== tier[j])) continue;
      const weight = Math.max(Math.abs(change(a, b)), plan.floor);
      if (weight === 0) continue;
      if (labels[i]! > labels[j]!) visit(i, j, weight);
      else visit(j, i, weight);
    }
  }
}

/** Returns the number of pairs with a lambda. */
export function pairLambdas(plan: PairPlan, view: QueryView, out: Lambdas): number {
  out.lambda.fill(0, 0, view.n);
  out.hessian.fill(0, 0, view.n);
  let pairs = 0;
  eachPair(plan, view, (better, worse, weight) => {
    const o = view.scores[better]! - view.scores[worse]!;
    const lambda = weight * plan.factor.lambda(o);
    const hessian = weight * plan.factor.hessian(o);
    if (lambda !== 0) pairs++;
    out.lambda[better]! += lambda;
    out.lambda[worse]! -= lambda;
    out.hessian[better]! += hessian;
    out.hessian[worse]! += hessian;
  });
  return pairs;
}

/** The cost of the pairs; a true cost only where weights do not depend on the scores. */
export function pairCost(plan: PairPlan, view: QueryView): number {
  let cost = 0;
  eachPair(plan, view, (better, worse, weight) => {
    cost += weight * plan.factor.cost!(view.scores[better]! - view.scores[worse]!);
  });
  return cost;
}
