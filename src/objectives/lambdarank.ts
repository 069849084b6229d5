import { choiceParameter } from '../parameters.js';
import { defineObjective } from './objective.js';
import { logisticFactor } from './pairs/pair-factor.js';
import { pairObjective } from './pairs/pair-objective.js';
import { pairPlan } from './pairs/pair-plan.js';

export const pairsParameter = choiceParameter({
  choices: ['all', 'misranked'],
  default: 'all',
  description:
    'Which pairs count: all with different labels, or only those ranked the wrong way round (with rr, Donmez et al. Eq. 11).',
});

export const lambdarank = defineObjective({
  name: 'lambdarank',
  title: 'LambdaRank',
  description:
    'Each pair with different labels pulls with |change of the measure when the two trade places| / (1 + e^o), o the score difference of the better-labelled document over the other. Any measure.',
  citation: 'Burges, Ragno, Le 2006; Donmez, Svore, Burges 2009',
  operands: 'measure',
  parameters: { pairs: pairsParameter },
  create: ({ pairs }, operands) =>
    pairObjective(
      pairPlan({
        labels: operands.labels,
        weight: operands.measure('ndcg'),
        factor: logisticFactor,
        misrankedOnly: pairs === 'misranked',
        within: operands.context.within ?? [],
        withoutZeros: operands.context.withoutZeros ?? false,
      }),
    ),
});
