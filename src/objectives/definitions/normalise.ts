import type { QueryView } from '../../measures/measure.js';
import type { Steps } from '../../steps.js';
import { defineObjective, type Lambdas, lambdaSteps } from '../objective.js';

export const normalise = defineObjective({
  name: 'normalise',
  title: 'Lambdas of unit deviation',
  description:
    'The lambdas of any objective, divided by their standard deviation over the documents of the query, hessians too: every query pulls alike, whatever the scale of its lambdas. Svore et al. do so where trees take gradient steps.',
  citation: 'Svore, Volkovs, Burges 2011, section 5.3',
  operands: 'objective',
  parameters: {},
  create(_, operands) {
    const part = operands.objective(0);
    return {
      hessian: part.hessian,
      form: { kind: 'scaled', part },
      start(data, arithmetic, learned) {
        const run = part.start(data, arithmetic, learned);
        function* steps(view: QueryView, out: Lambdas): Steps<number> {
          const count = yield* lambdaSteps(run, view, out);
          divideByDeviation(view.n, out);
          return count;
        }
        return {
          beginIteration: iteration => run.beginIteration?.(iteration),
          lambdas(view, out) {
            const count = run.lambdas(view, out);
            divideByDeviation(view.n, out);
            return count;
          },
          ...(run.lambdaSteps && { lambdaSteps: steps }),
        };
      },
    };
  },
});

function divideByDeviation(n: number, { lambda, hessian }: Lambdas): void {
  let mean = 0;
  for (let i = 0; i < n; i++) mean += lambda[i]! / n;
  let variance = 0;
  for (let i = 0; i < n; i++) variance += (lambda[i]! - mean) ** 2 / n;
  if (variance === 0) return; // nothing to scale
  const scale = 1 / Math.sqrt(variance);
  for (let i = 0; i < n; i++) {
    lambda[i]! *= scale;
    hessian[i]! *= scale;
  }
}
