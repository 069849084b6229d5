import { numberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { inverseDistanceFactor } from '../pairs/pair-factor.js';
import { pairObjective } from '../pairs/pair-objective.js';
import { planWithin } from '../pairs/pair-plan.js';

export const localgradient = defineObjective({
  name: 'localgradient',
  title: 'LocalGradient',
  description:
    'Pairs next to each other in the ranking only; each pulls its better-labelled document up with |change of the measure| / (|o| + margin), the gain over the distance to it.',
  citation: 'Donmez, Svore, Burges 2009, section 7 (our reading of its prose)',
  operands: 'measure',
  parameters: {
    margin: numberParameter({
      default: 1,
      min: 0,
      open: true,
      description: 'Added to the distance of the scores, so that equal scores do not divide by 0.',
    }),
  },
  create: ({ margin }, operands) =>
    pairObjective(
      planWithin(operands, {
        weight: operands.measure('ndcg'),
        factor: inverseDistanceFactor(margin),
        reach: 'adjacent',
      }),
    ),
});
