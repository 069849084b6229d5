import { ListwiseError } from '../errors.js';
import { choiceParameter, numberParameter } from '../parameters.js';
import { SigmoidRanking } from './approx/sigmoid-ranking.js';
import { sigmoids } from './approx/sigmoids.js';
import { defineObjective } from './objective.js';
import { smoothedMeasure } from './smoothed-measure.js';

export const approx = defineObjective({
  name: 'approx',
  title: 'Approximated measure (ApproxNDCG, ApproxAP, …)',
  description:
    'Climbs a measure in which ranks are smooth positions: position(x) = 1 + sum over other documents y of f(-alpha (s_x - s_y)), [x in the top k] is f(beta (k - position(x))) and [x above y] is f(beta (position(y) - position(x))), f a sigmoid. For every measure that declares such a form. With a cut-off, documents far below it feel almost nothing: start from a model trained without one.',
  citation:
    'Qin, Liu, Li 2010, A general approximation framework for direct optimization of information retrieval measures',
  operands: 'measure',
  parameters: {
    alpha: numberParameter({
      default: 10,
      min: 0,
      open: true,
      description: 'Steepness in the scores, for scores that spread by about 1; the paper: 10 to 300, by validation.',
    }),
    beta: numberParameter({
      default: 10,
      min: 0,
      open: true,
      description: 'Steepness in the positions, for cut-offs and comparisons; the paper: 1 to 100.',
    }),
    cut: choiceParameter({
      choices: ['k', 'k+1/2'],
      default: 'k',
      description:
        'Where the step of a cut-off is: at k, as in the paper, or half a rank further, which puts rank k inside.',
    }),
    sigmoid: choiceParameter({
      choices: ['logistic', 'normal', 'arctan'],
      default: 'logistic',
      description: 'The sigmoid f, scaled to slope 1/4 at 0.',
    }),
  },
  create({ alpha, beta, cut, sigmoid }, operands) {
    const measure = operands.measure('ndcg');
    const form = measure.approx;
    if (form === undefined) {
      throw new ListwiseError(
        'spec-parameter',
        `approx: ${measure.spec} has no differentiable form; ndcg, ap and rr have one`,
      );
    }
    return smoothedMeasure(measure, operands.labels, () => {
      const ranking = new SigmoidRanking({ alpha, beta, sigmoid: sigmoids[sigmoid], beyond: cut === 'k' ? 0 : 0.5 });
      return (view, gradient) => {
        const value = form.value(view, ranking.rank(view));
        if (gradient !== undefined && !Number.isNaN(value)) ranking.addGradient(view, gradient);
        return value;
      };
    });
  },
});
