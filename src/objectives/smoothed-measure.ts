/** Objectives that climb a smooth version of a measure: the force is its gradient, the cost its negative. */
import type { Measure, QueryView } from '../measures/measure.js';
import { atOnce, type Steps } from '../steps.js';
import type { Forces, ObjectiveBody } from './objective.js';

/** Gives the smooth value of a query, NaN where undefined, and adds its derivatives by the scores to `gradient`; in steps. */
export type SmoothValue = (view: QueryView, gradient?: Float64Array) => Steps<number>;

/** Documents without a label of `source` take part in the ranking but feel no force. */
export function smoothedMeasure(measure: Measure, source: string, begin: () => SmoothValue): ObjectiveBody {
  return {
    curvature: 'none',
    approximates: {
      measure,
      begin() {
        const smooth = begin();
        return view => atOnce(smooth(view));
      },
      beginSteps: begin,
    },
    start() {
      const smooth = begin();
      function* forceSteps(view: QueryView, { lambda, curvature }: Forces): Steps<number> {
        lambda.fill(0, 0, view.n);
        curvature.fill(0, 0, view.n);
        yield* smooth(view, lambda);
        const labels = view.labels(source);
        let moved = 0;
        for (let i = 0; i < view.n; i++) {
          if (Number.isNaN(labels[i])) lambda[i] = 0;
          if (lambda[i] !== 0) moved++;
        }
        return moved;
      }
      return {
        forceSteps,
        forces: (view, out) => atOnce(forceSteps(view, out)),
        cost(view) {
          const value = atOnce(smooth(view));
          return Number.isNaN(value) ? 0 : -value;
        },
      };
    },
  };
}
