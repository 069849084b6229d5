/** Lambdas of several objectives, each times a weight that may change with the iteration. */
import type { QueryView } from '../measures/measure.js';
import { atOnce, type Steps } from '../steps.js';
import { type Lambdas, lambdaSteps, type Objective, type ObjectiveBody, type ObjectiveRun } from './objective.js';
import type { PairPlan } from './pairs/pair-plan.js';
import { Scratch } from './scratch.js';

export function weightedSum(
  parts: readonly Objective[],
  weightsAt: (iteration: number) => readonly number[],
): ObjectiveBody {
  return {
    hessian: parts.every(part => part.hessian === 'positive') ? 'positive' : 'none',
    parts,
    weightsAt,
    start(data, arithmetic): ObjectiveRun {
      const runs = parts.map(part => part.start(data, arithmetic));
      const scratch = new Scratch();
      let weights = weightsAt(1);
      function* steps(view: QueryView, { lambda, hessian }: Lambdas): Steps<number> {
        const { n } = view;
        lambda.fill(0, 0, n);
        hessian.fill(0, 0, n);
        const own = { lambda: scratch.array(0, n), hessian: scratch.array(1, n) };
        let count = 0;
        for (const [p, part] of runs.entries()) {
          const weight = weights[p]!;
          if (weight === 0) continue;
          count += yield* lambdaSteps(part, view, own);
          for (let i = 0; i < n; i++) {
            lambda[i]! += weight * own.lambda[i]!;
            hessian[i]! += weight * own.hessian[i]!;
          }
        }
        return count;
      }
      const run: ObjectiveRun = {
        beginIteration(iteration) {
          weights = weightsAt(iteration);
          for (const part of runs) part.beginIteration?.(iteration);
        },
        lambdas: (view, out) => atOnce(steps(view, out)),
        ...(runs.some(part => part.lambdaSteps !== undefined) && { lambdaSteps: steps }),
      };
      if (runs.some(part => part.cost === undefined)) return run;
      return { ...run, cost: view => runs.reduce((sum, part, p) => sum + weights[p]! * part.cost!(view), 0) };
    },
  };
}

/** Whether an objective is made of pairs, by itself or through its parts. */
export function madeOfPairs(objective: Pick<Objective, 'pairs' | 'parts'>): boolean {
  return objective.pairs !== undefined || (objective.parts?.every(madeOfPairs) ?? false);
}

/** The pairs whose weighted lambdas an objective's lambdas are; undefined where they are not such a sum. */
export function pairSum(objective: Objective, iteration: number): WeightedPairs[] | undefined {
  if (objective.pairs !== undefined) return [{ plan: objective.pairs, weight: 1 }];
  const { parts } = objective;
  const weights = objective.weightsAt?.(iteration);
  if (parts === undefined || weights === undefined) return undefined;
  const sums: WeightedPairs[] = [];
  for (const [p, part] of parts.entries()) {
    const sum = pairSum(part, iteration);
    if (sum === undefined) return undefined;
    sums.push(...sum.map(({ plan, weight }) => ({ plan, weight: weight * weights[p]! })));
  }
  return sums;
}

export interface WeightedPairs {
  readonly plan: PairPlan;
  readonly weight: number;
}
