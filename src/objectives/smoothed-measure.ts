/** Objectives that climb a smooth version of a measure: the lambda is its gradient, the cost its negative. */
import type { Measure, QueryView } from '../measures/measure.js';
import { atOnce, type Steps } from '../steps.js';
import type { Lambdas, ObjectiveBody } from './objective.js';

/** Gives the smooth value of a query, NaN where undefined, and adds its derivatives to `gradient`; in steps. */
export type SmoothValue = (view: QueryView, gradient?: Float64Array) => Steps<number>;

/**
 * Documents without a label of `source` take part in the ranking but feel no lambda. `begin` may look at the number of
 * the iteration, by a function that always knows it. Where lambdas are a gradient on average only, there is no cost.
 */
export function smoothedMeasure(
  measure: Measure,
  source: string,
  begin: (iteration: () => number) => SmoothValue,
  { sampled = false } = {},
): ObjectiveBody {
  return {
    hessian: 'none',
    form: {
      kind: 'smooth',
      measure,
      begin() {
        const smooth = begin(() => 1);
        return view => atOnce(smooth(view));
      },
      beginSteps: () => begin(() => 1),
    },
    start() {
      let iteration = 1;
      const smooth = begin(() => iteration);
      function* lambdaSteps(view: QueryView, { lambda, hessian }: Lambdas): Steps<number> {
        lambda.fill(0, 0, view.n);
        hessian.fill(0, 0, view.n);
        yield* smooth(view, lambda);
        const labels = view.labels(source);
        let moved = 0;
        for (let i = 0; i < view.n; i++) {
          if (Number.isNaN(labels[i])) lambda[i] = 0;
          if (lambda[i] !== 0) moved++;
        }
        return moved;
      }
      function* costSteps(view: QueryView): Steps<number> {
        const value = yield* smooth(view);
        return Number.isNaN(value) ? 0 : -value;
      }
      return {
        beginIteration(number) {
          iteration = number;
        },
        lambdaSteps,
        lambdas: (view, out) => atOnce(lambdaSteps(view, out)),
        ...(!sampled && { cost: (view: QueryView) => atOnce(costSteps(view)), costSteps }),
      };
    },
  };
}
