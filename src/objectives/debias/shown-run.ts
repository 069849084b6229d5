/**
 * A part that sees other scores than the model's, and something that looks at each query's lambdas afterwards, and says
 * how many it added.
 */
import type { QueryView } from '../../measures/measure.js';
import type { Steps } from '../../steps.js';
import { type Lambdas, lambdaSteps, type ObjectiveRun } from '../objective.js';

export function shownRun(
  run: ObjectiveRun,
  show: (view: QueryView) => QueryView,
  finish: (view: QueryView, out: Lambdas) => number,
): ObjectiveRun {
  function* steps(view: QueryView, out: Lambdas): Steps<number> {
    const count = yield* lambdaSteps(run, show(view), out);
    return count + finish(view, out);
  }
  return {
    beginIteration: iteration => run.beginIteration?.(iteration),
    lambdas(view, out) {
      const count = run.lambdas(show(view), out);
      return count + finish(view, out);
    },
    ...(run.lambdaSteps && { lambdaSteps: steps }),
    ...(run.cost && { cost: (view: QueryView) => run.cost!(show(view)) }),
    ...(run.costSteps && { costSteps: (view: QueryView) => run.costSteps!(show(view)) }),
  };
}
