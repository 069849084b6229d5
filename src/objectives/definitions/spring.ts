import { numberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { springFactor } from '../pairs/pair-factor.js';
import { pairObjective } from '../pairs/pair-objective.js';
import { planWithin } from '../pairs/pair-plan.js';

export const spring = defineObjective({
  name: 'spring',
  title: 'Linear springs',
  description:
    'A spring for every pair with different labels, at rest where the score difference o of the better-labelled document over the other is rest: cost (rest - o)^2 / 2, a lambda that is linear in the scores and pulls back what is too far apart. With a measure each spring is as strong as the measure changes when the two trade places.',
  citation: 'Burges, Ragno, Le 2006, section 4 (our reading of its prose)',
  operands: 'measure',
  parameters: {
    rest: numberParameter({ default: 1, min: 0, description: 'The score difference at which a spring is at rest.' }),
  },
  create: ({ rest }, operands) =>
    pairObjective(
      planWithin(operands, {
        weight: operands.count === 0 ? 'unit' : operands.measure('ndcg'),
        factor: springFactor(rest),
      }),
    ),
});
