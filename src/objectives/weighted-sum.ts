/** Lambdas of several objectives, each times a weight that may change with the iteration. */
import type { QueryView } from '../measures/measure.js';
import { atOnce, type Steps } from '../steps.js';
import {
  costSteps,
  type Lambdas,
  lambdaSteps,
  type Objective,
  type ObjectiveBody,
  type ObjectiveRun,
} from './objective.js';
import { Scratch } from './scratch.js';

export function weightedSum(
  parts: readonly Objective[],
  weightsAt: (iteration: number) => readonly number[],
): ObjectiveBody {
  return {
    hessian: parts.every(part => part.hessian === 'positive') ? 'positive' : 'none',
    form: { kind: 'sum', parts, weightsAt },
    start(data, arithmetic, learned): ObjectiveRun {
      const runs = parts.map(part => part.start(data, arithmetic, learned));
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
      function* sumSteps(view: QueryView): Steps<number> {
        let sum = 0;
        for (const [p, part] of runs.entries()) sum += weights[p]! * (yield* costSteps(part, view));
        return sum;
      }
      return {
        ...run,
        cost: view => atOnce(sumSteps(view)),
        ...(runs.some(part => part.costSteps !== undefined) && { costSteps: sumSteps }),
      };
    },
  };
}
