import { choiceParameter, numberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { closeFactor, logisticFactor, printedFactor } from '../pairs/pair-factor.js';
import { pairObjective } from '../pairs/pair-objective.js';
import { planWithin } from '../pairs/pair-plan.js';

const pairsParameter = choiceParameter({
  choices: ['all', 'misranked'],
  default: 'all',
  description:
    'Which pairs count: all with different labels, or only those ranked the wrong way round (with rr, Donmez et al. Eq. 11).',
});

const factorParameter = choiceParameter({
  choices: ['derivative', 'close', 'printed'],
  default: 'derivative',
  description:
    'What the change of the measure is multiplied by: derivative is 1 / (1 + e^o); close is that over 0.01 + |o|, hessians too, as LightGBM does: pairs close to changing places count most, and fewer trees are needed; printed is log(1 + e^-o), the cost itself, as Svore et al. print it for their click tier.',
});

const topParameter = numberParameter({
  default: 0,
  min: 0,
  integer: true,
  description:
    'Above 0: only pairs of which a document is at one of so many first ranks, the pairs of LightGBM’s lambdarank_truncation_level. Unlike with a cut-off of the measure, it still counts how far down the other one is.',
});

const factors = { derivative: logisticFactor, close: closeFactor(0.01), printed: printedFactor };

export const lambdarank = defineObjective({
  name: 'lambdarank',
  title: 'LambdaRank',
  description:
    'Each pair with different labels pulls with |change of the measure when the two trade places| / (1 + e^o), o the score difference of the better-labelled document over the other. Any measure.',
  citation: 'Burges, Ragno, Le 2006; Donmez, Svore, Burges 2009',
  operands: 'measure',
  parameters: { pairs: pairsParameter, top: topParameter, factor: factorParameter },
  create: ({ pairs, top, factor }, operands) =>
    pairObjective(
      planWithin(operands, {
        weight: operands.measure('ndcg'),
        factor: factors[factor],
        top: top || Infinity,
        misrankedOnly: pairs === 'misranked',
      }),
    ),
});
