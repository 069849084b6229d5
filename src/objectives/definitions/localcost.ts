import { defineObjective } from '../objective.js';
import { logisticFactor } from '../pairs/pair-factor.js';
import { pairObjective } from '../pairs/pair-objective.js';
import { planWithin } from '../pairs/pair-plan.js';

export const localcost = defineObjective({
  name: 'localcost',
  title: 'LocalCost',
  description: 'LambdaRank over pairs that stand next to each other in the ranking only.',
  citation: 'Donmez, Svore, Burges 2009, section 7 (our reading of its prose)',
  operands: 'measure',
  parameters: {},
  create: (_, operands) =>
    pairObjective(
      planWithin(operands, { weight: operands.measure('ndcg'), factor: logisticFactor, reach: 'adjacent' }),
    ),
});
