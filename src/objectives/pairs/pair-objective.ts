/** An objective made of pairs. */
import type { QueryView } from '../../measures/measure.js';
import type { Lambdas, ObjectiveBody, ObjectiveRun } from '../objective.js';
import { kernelRun } from './kernel-run.js';
import { pairCost, pairLambdas } from './pair-lambdas.reference.js';
import type { PairPlan } from './pair-plan.js';

export function pairObjective(plan: PairPlan): ObjectiveBody {
  return {
    hessian: plan.factor.convex ? 'positive' : 'none',
    form: { kind: 'pairs', plan },
    start(_, arithmetic = 'kernel'): ObjectiveRun {
      const kernel = arithmetic === 'kernel' ? kernelRun(plan) : undefined;
      const run = kernel ?? { lambdas: (view: QueryView, out: Lambdas) => pairLambdas(plan, view, out) };
      // Weights that do not move with the scores make the lambdas a gradient.
      const smooth =
        plan.weight === 'unit' && plan.reach === 'all' && !plan.misrankedOnly && plan.factor.cost !== undefined;
      return smooth ? { ...run, cost: view => pairCost(plan, view) } : run;
    },
  };
}
