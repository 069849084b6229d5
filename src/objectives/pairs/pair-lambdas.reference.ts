/** The reference: lambdas of a pair plan on one query, one pair after the other. */

import { needsJudged, swapChange } from '../../measures/forms/swap.js';
import type { QueryView } from '../../measures/measure.js';
import { atOnce, LOOKS_A_STEP, type Steps } from '../../steps.js';
import type { Lambdas } from '../objective.js';
import type { PairPlan } from './pair-plan.js';

type Visit = (better: number, worse: number, weight: number) => void;

/** Calls `visit(better, worse, weight)` with the documents of every pair that takes part and has a weight. */
export function eachPair(plan: PairPlan, view: QueryView, visit: Visit): void {
  atOnce(pairSteps(plan, view, visit));
}

/** The same in steps, which are as short where a pair is weighed by evaluating the whole list. */
export function* pairSteps(plan: PairPlan, view: QueryView, visit: Visit): Steps<void> {
  const { n } = view;
  const visitSome = somePairs(plan, view, visit);
  if (visitSome === undefined) return;
  const most = Math.ceil(LOOKS_A_STEP / looksAPair(plan, n));
  let visited = 0;
  for (let a = 0; a < Math.min(n - 1, plan.top); a++) {
    const end = plan.reach === 'adjacent' ? a + 2 : n;
    for (let from = a + 1; from < end; from += most) {
      const to = Math.min(end, from + most);
      visitSome(a, from, to);
      visited += to - from;
      if (visited < most) continue;
      visited = 0;
      yield a / n;
    }
  }
}

/** Whether the pairs of n documents take several steps. */
export function needsSteps(plan: PairPlan, n: number): boolean {
  return (plan.reach === 'adjacent' ? n : n * n) * looksAPair(plan, n) > LOOKS_A_STEP;
}

/** A function may look at the whole list, and where documents are not judged it is evaluated. */
function looksAPair({ weight }: PairPlan, n: number): number {
  return weight !== 'unit' && (weight.swap.form === 'function' || needsJudged(weight.swap)) ? Math.max(1, n) : 1;
}

/** Visits the pairs of rank a (from 0) with ranks from `from` to before `to`; undefined where no pair has a weight. */
function somePairs(
  plan: PairPlan,
  view: QueryView,
  visit: Visit,
): ((a: number, from: number, to: number) => void) | undefined {
  const change = plan.weight === 'unit' ? () => 1 : swapChange(plan.weight, view);
  if (change === undefined) return undefined;
  const labels = view.labels(plan.labels);
  const tiers = plan.within.map(source => view.labels(source));
  const takesPart = (document: number) => {
    const label = labels[document]!;
    return !Number.isNaN(label) && !(plan.withoutZeros && label === 0);
  };
  return (a, from, to) => {
    const i = view.order[a]!;
    if (!takesPart(i)) return;
    for (let b = from; b < to; b++) {
      const j = view.order[b]!;
      if (!takesPart(j) || labels[i] === labels[j]) continue;
      if (plan.misrankedOnly && labels[i]! > labels[j]!) continue;
      if (tiers.some(tier => tier[i] !== tier[j])) continue;
      const weight = Math.max(Math.abs(change(a, b)), plan.floor);
      if (weight === 0) continue;
      if (labels[i]! > labels[j]!) visit(i, j, weight);
      else visit(j, i, weight);
    }
  };
}

/** Returns the number of pairs with a lambda. */
export function pairLambdas(plan: PairPlan, view: QueryView, out: Lambdas): number {
  return atOnce(pairLambdaSteps(plan, view, out));
}

export function* pairLambdaSteps(plan: PairPlan, view: QueryView, out: Lambdas): Steps<number> {
  out.lambda.fill(0, 0, view.n);
  out.hessian.fill(0, 0, view.n);
  let pairs = 0;
  yield* pairSteps(plan, view, (better, worse, weight) => {
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
  return atOnce(pairCostSteps(plan, view));
}

export function* pairCostSteps(plan: PairPlan, view: QueryView): Steps<number> {
  let cost = 0;
  yield* pairSteps(plan, view, (better, worse, weight) => {
    cost += weight * plan.factor.cost!(view.scores[better]! - view.scores[worse]!);
  });
  return cost;
}
