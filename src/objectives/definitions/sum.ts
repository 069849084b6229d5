import { ListwiseError } from '../../errors.js';
import { numberListParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { weightedSum } from '../weighted-sum.js';

export const sum = defineObjective({
  name: 'sum',
  title: 'Weighted sum',
  description: 'The sum of the lambdas of any objectives, each times its weight.',
  citation: 'common practice',
  operands: 'objectives',
  parameters: {
    w: numberListParameter({ default: [1], min: 0, description: 'One weight for all, or one for each, as in 1/0.5.' }),
  },
  create({ w }, operands) {
    const parts = Array.from({ length: Math.max(1, operands.count) }, (_, i) => operands.objective(i));
    if (w.length !== 1 && w.length !== parts.length) {
      throw new ListwiseError('spec-parameter', `sum has ${parts.length} objectives and ${w.length} weights`);
    }
    const weights = parts.map((_, i) => w[i] ?? w[0]!);
    return weightedSum(parts, () => weights);
  },
});
