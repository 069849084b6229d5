import { ListwiseError } from '../../errors.js';
import { choiceParameter, numberParameter, optionalNumberParameter } from '../../spec/parameters.js';
import { partOf } from '../../steps.js';
import { SigmoidRanking } from '../approx/sigmoid-ranking.js';
import { sigmoids } from '../approx/sigmoids.js';
import { defineObjective } from '../objective.js';
import { smoothedMeasure } from '../smoothed-measure.js';

/**
 * Of [x in the top k], by validation on OHSUMED: from random weights, 1 to 10 leave most documents without a lambda.
 */
const CUT_STEEPNESS = 0.3;
/** Of [x above y]. */
const COMPARISON_STEEPNESS = 10;

export const approx = defineObjective({
  name: 'approx',
  title: 'Approximated measure (ApproxNDCG, ApproxAP, …)',
  description:
    'Climbs a measure in which ranks are smooth positions: position(x) = 1 + sum over other documents y of f(-alpha (s_x - s_y)), [x in the top k] is f(beta (k - position(x))) and [x above y] is f(beta (position(y) - position(x))), f a sigmoid. For every measure that declares such a form. A steep cut-off is felt only by documents close to it: from random first weights, linear models on OHSUMED reached NDCG@10 0.39 on validation data with beta=10 and 0.44 with 0.3, P@10 0.41 and 0.48, ApproxNDCG without a cut-off 0.44. Hence the gentle default there. Smaller first weights (initial) make it worse: all positions are then n/2, far from the cut-off. Dividing the lambdas of a query by their deviation helps too: normalise(approx(ndcg@10)).',
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
    beta: optionalNumberParameter({
      min: 0,
      open: true,
      description: `Steepness in the positions, for cut-offs and comparisons; where not given, ${CUT_STEEPNESS} for cut-offs and ${COMPARISON_STEEPNESS} for comparisons. The paper: 1 to 100.`,
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
    const smooth = smoothedMeasure(measure, operands.labels, () => {
      const ranking = new SigmoidRanking({
        alpha,
        beta: beta ?? COMPARISON_STEEPNESS,
        cutBeta: beta ?? CUT_STEEPNESS,
        sigmoid: sigmoids[sigmoid],
        beyond: cut === 'k' ? 0 : 0.5,
      });
      return function* (view, gradient) {
        const value = form.value(view, yield* partOf(ranking.rankSteps(view), 0, 0.5));
        if (gradient === undefined || Number.isNaN(value)) return value;
        yield* partOf(ranking.addGradient(view, gradient), 0.5, 1);
        return value;
      };
    });
    // By validation on OHSUMED: docs/decisions/small-collections.md.
    return { ...smooth, updateAQuery: true };
  },
});
