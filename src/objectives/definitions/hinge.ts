import { numberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { hingeFactor } from '../pairs/pair-factor.js';
import { pairObjective } from '../pairs/pair-objective.js';
import { planWithin } from '../pairs/pair-plan.js';

export const hinge = defineObjective({
  name: 'hinge',
  title: 'Pairwise hinge (Ranking SVM)',
  description:
    'Cost max(0, margin - o) for every pair with different labels, o the score difference of the better-labelled document over the other. With a linear model and weight decay it is the Ranking SVM. With a measure each pair weighs as much as the measure changes when the two trade places: a lambda in steps.',
  citation: 'Herbrich, Graepel, Obermayer 2000; Joachims 2002; Burges, Ragno, Le 2006, section 4.1 (with a measure)',
  operands: 'measure',
  parameters: {
    margin: numberParameter({ default: 1, min: 0, description: 'The score difference from which a pair is content.' }),
  },
  create: ({ margin }, operands) =>
    pairObjective(
      planWithin(operands, {
        weight: operands.count === 0 ? 'unit' : operands.measure('ndcg'),
        factor: hingeFactor(margin),
      }),
    ),
});
