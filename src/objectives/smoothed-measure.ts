/** Objectives that climb a smooth version of a measure: the force is its gradient, the cost its negative. */
import type { Measure, QueryView } from '../measures/measure.js';
import type { ObjectiveBody } from './objective.js';

/** Gives the smooth value of a query, NaN where undefined, and adds its derivatives by the scores to `gradient`. */
export type SmoothValue = (view: QueryView, gradient?: Float64Array) => number;

/** Documents without a label of `source` take part in the ranking but feel no force. */
export function smoothedMeasure(measure: Measure, source: string, begin: () => SmoothValue): ObjectiveBody {
  return {
    curvature: 'none',
    approximates: {
      measure,
      begin() {
        const smooth = begin();
        return view => smooth(view);
      },
    },
    start() {
      const smooth = begin();
      return {
        forces(view, { lambda, curvature }) {
          lambda.fill(0, 0, view.n);
          curvature.fill(0, 0, view.n);
          smooth(view, lambda);
          const labels = view.labels(source);
          let moved = 0;
          for (let i = 0; i < view.n; i++) {
            if (Number.isNaN(labels[i])) lambda[i] = 0;
            if (lambda[i] !== 0) moved++;
          }
          return moved;
        },
        cost(view) {
          const value = smooth(view);
          return Number.isNaN(value) ? 0 : -value;
        },
      };
    },
  };
}
