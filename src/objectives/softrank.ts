import { ListwiseError } from '../errors.js';
import { numberParameter } from '../parameters.js';
import { defineObjective } from './objective.js';
import { smoothedMeasure } from './smoothed-measure.js';
import { SoftValue } from './soft/soft-value.js';

export const softrank = defineObjective({
  name: 'softrank',
  title: 'SoftRank',
  description:
    'Climbs the expected value of a measure when each score is Gaussian with deviation sigma: document i beats j with probability Phi((s_i - s_j) / (sqrt(2) sigma)), and wins are taken as independent. For measures that are sums of gain times worth of rank (ndcg, dcg, p, recall, rbp, …) and for ap. With a cut-off, documents that have little chance of reaching it feel almost nothing: start from a model trained without one.',
  citation: 'Taylor, Guiver, Robertson, Minka 2008; SoftAP after Yilmaz, Robertson 2010',
  operands: 'measure',
  parameters: {
    sigma: numberParameter({
      default: 1,
      min: 0,
      open: true,
      description: 'The standard deviation of a score.',
    }),
  },
  create({ sigma }, operands) {
    const measure = operands.measure('ndcg');
    const { soft } = measure;
    if (soft === undefined) {
      throw new ListwiseError(
        'spec-parameter',
        `softrank: ${measure.spec} has no soft form; ndcg, p@10 and ap have one`,
      );
    }
    return smoothedMeasure(measure, operands.labels, () => {
      const soften = new SoftValue(soft, sigma);
      return (view, gradient) => soften.of(view, gradient);
    });
  },
});
