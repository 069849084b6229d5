/** An objective made of pairs. */
import { longestQuery } from '../../data/longest-query.js';
import type { QueryView } from '../../measures/measure.js';
import type { Lambdas, ObjectiveBody, ObjectiveRun } from '../objective.js';
import { kernelRun } from './kernel-run.js';
import { needsSteps, pairCost, pairCostSteps, pairLambdaSteps, pairLambdas } from './pair-lambdas.reference.js';
import { type PairPlan, weightsStay } from './pair-plan.js';

/**
 * The body of an objective that is a sum over pairs of documents with different labels.
 *
 * @example
 * import { defineObjective } from 'listwise';
 * import { pairObjective, planWithin } from 'listwise/objectives';
 *
 * const squaredHinge = defineObjective({
 *   name: 'squared-hinge',
 *   title: 'Squared hinge over pairs',
 *   description: 'Half the square of 1 - o below 1.',
 *   citation: 'none',
 *   operands: 'none',
 *   parameters: {},
 *   create: (_, operands) =>
 *     pairObjective(
 *       planWithin(operands, {
 *         weight: 'unit',
 *         factor: { lambda: o => Math.max(0, 1 - o), hessian: o => (o < 1 ? 1 : 0), convex: true },
 *       }),
 *     ),
 * });
 */
export function pairObjective(plan: PairPlan): ObjectiveBody {
  return {
    hessian: plan.factor.convex ? 'positive' : 'none',
    form: { kind: 'pairs', plan },
    start(data, arithmetic = 'kernel'): ObjectiveRun {
      const longest = longestQuery(data);
      const kernel = arithmetic === 'kernel' ? kernelRun(plan, longest) : undefined;
      const run = kernel ?? {
        lambdas: (view: QueryView, out: Lambdas) => pairLambdas(plan, view, out),
        ...(needsSteps(plan, longest) && {
          lambdaSteps: (view: QueryView, out: Lambdas) => pairLambdaSteps(plan, view, out),
        }),
      };
      if (!weightsStay(plan) || plan.factor.cost === undefined) return run;
      return {
        ...run,
        cost: view => pairCost(plan, view),
        ...(needsSteps(plan, longest) && { costSteps: (view: QueryView) => pairCostSteps(plan, view) }),
      };
    },
  };
}
