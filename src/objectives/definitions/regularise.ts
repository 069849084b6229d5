import type { QueryView } from '../../measures/measure.js';
import { numberParameter } from '../../spec/parameters.js';
import type { Steps } from '../../steps.js';
import { defineObjective, type Lambdas, lambdaSteps } from '../objective.js';

export const regularise = defineObjective({
  name: 'regularise',
  title: 'Scores drawn to zero',
  description:
    'The lambdas of any objective less alpha times the score of each document with a label, hessians more by alpha: the diagonal terms that make a cost convex where alpha is large enough. Lambdas no longer sum to zero.',
  citation: 'Burges, Ragno, Le 2006, section 4',
  operands: 'objective',
  parameters: {
    alpha: numberParameter({ default: 0.01, min: 0, description: 'How strongly scores are drawn to zero.' }),
  },
  create({ alpha }, operands) {
    const part = operands.objective(0);
    return {
      hessian: part.hessian,
      form: { kind: 'regularised', part, alpha },
      start(data, arithmetic, learned) {
        const run = part.start(data, arithmetic, learned);
        const labelled = (view: QueryView, i: number) =>
          part.labels.some(source => !Number.isNaN(view.labels(source)[i]));
        /** How many documents have a lambda, where the part has none. */
        const draw = (view: QueryView, { lambda, hessian }: Lambdas, count: number) => {
          let drawn = 0;
          for (let i = 0; i < view.n; i++) {
            if (!labelled(view, i)) continue;
            lambda[i]! -= alpha * view.scores[i]!;
            hessian[i]! += alpha;
            if (lambda[i] !== 0) drawn++;
          }
          return count || drawn;
        };
        function* steps(view: QueryView, out: Lambdas): Steps<number> {
          return draw(view, out, yield* lambdaSteps(run, view, out));
        }
        const squares = (view: QueryView) => {
          let sum = 0;
          for (let i = 0; i < view.n; i++) if (labelled(view, i)) sum += view.scores[i]! ** 2;
          return (alpha * sum) / 2;
        };
        return {
          beginIteration: iteration => run.beginIteration?.(iteration),
          lambdas: (view, out) => draw(view, out, run.lambdas(view, out)),
          ...(run.lambdaSteps && { lambdaSteps: steps }),
          ...(run.cost && { cost: (view: QueryView) => run.cost!(view) + squares(view) }),
          ...(run.costSteps && {
            *costSteps(view: QueryView): Steps<number> {
              return (yield* run.costSteps!(view)) + squares(view);
            },
          }),
        };
      },
    };
  },
});
