import type { QueryView } from '../../measures/measure.js';
import type { Steps } from '../../steps.js';
import { defineObjective, type Forces, forceSteps } from '../objective.js';

export const normalise = defineObjective({
  name: 'normalise',
  title: 'Lambdas of unit deviation',
  description:
    'The forces of any objective, divided by their standard deviation over the documents of the query, curvatures too: every query pulls alike, whatever the scale of its lambdas. Svore et al. do so where trees take gradient steps.',
  citation: 'Svore, Volkovs, Burges 2011, section 5.3',
  operands: 'objective',
  parameters: {},
  create(_, operands) {
    const part = operands.objective(0);
    return {
      curvature: part.curvature,
      parts: [part],
      scaling: 'deviation',
      start(data, arithmetic) {
        const run = part.start(data, arithmetic);
        function* steps(view: QueryView, out: Forces): Steps<number> {
          const count = yield* forceSteps(run, view, out);
          divideByDeviation(view.n, out);
          return count;
        }
        return {
          beginIteration: iteration => run.beginIteration?.(iteration),
          forces(view, out) {
            const count = run.forces(view, out);
            divideByDeviation(view.n, out);
            return count;
          },
          ...(run.forceSteps && { forceSteps: steps }),
        };
      },
    };
  },
});

function divideByDeviation(n: number, { lambda, curvature }: Forces): void {
  let mean = 0;
  for (let i = 0; i < n; i++) mean += lambda[i]! / n;
  let variance = 0;
  for (let i = 0; i < n; i++) variance += (lambda[i]! - mean) ** 2 / n;
  if (variance === 0) return; // nothing to scale
  const scale = 1 / Math.sqrt(variance);
  for (let i = 0; i < n; i++) {
    lambda[i]! *= scale;
    curvature[i]! *= scale;
  }
}
