/** An objective at work whose lambdas are looked at: one that is no finite number would ruin a model without a word. */
import type { Dataset } from '../data/dataset.js';
import { ListwiseError, quote } from '../errors.js';
import type { QueryView } from '../measures/measure.js';
import type { Steps } from '../steps.js';
import type { LearnedMemories } from './learning.js';
import { type Lambdas, lambdaSteps, type Objective, type ObjectiveRun } from './objective.js';

export function startFinite(objective: Objective, data: Dataset, learned?: LearnedMemories): ObjectiveRun {
  const run = objective.start(data, 'kernel', learned);
  const check = (view: QueryView, out: Lambdas) => {
    for (const kind of ['lambda', 'hessian'] as const) {
      const at = firstInfinite(out[kind], view.n);
      // Where scores are none either, it is the model that ran off.
      if (at < 0 || firstInfinite(view.scores, view.n) >= 0) continue;
      throw new ListwiseError(
        'lambda-invalid',
        `${objective.spec} gives document ${at + 1} of query ${quote(data.queryIds[view.query]!)} the ${kind} ${out[kind][at]}; ` +
          'it must be a finite number',
      );
    }
  };
  function* steps(view: QueryView, out: Lambdas): Steps<number> {
    const count = yield* lambdaSteps(run, view, out);
    check(view, out);
    return count;
  }
  return {
    ...run,
    lambdas(view, out) {
      const count = run.lambdas(view, out);
      check(view, out);
      return count;
    },
    ...(run.lambdaSteps && { lambdaSteps: steps }),
  };
}

function firstInfinite(values: Float64Array, n: number): number {
  for (let i = 0; i < n; i++) if (!Number.isFinite(values[i])) return i;
  return -1;
}
