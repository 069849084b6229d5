import { defineObjective } from '../objective.js';
import { logisticFactor } from '../pairs/pair-factor.js';
import { pairObjective } from '../pairs/pair-objective.js';
import { planWithin } from '../pairs/pair-plan.js';

export const ranknet = defineObjective({
  name: 'ranknet',
  title: 'RankNet',
  description:
    'Cost log(1 + e^-o) for every pair with different labels, o the score difference of the better-labelled document over the other.',
  citation: 'Burges et al. 2005; Burges, Ragno, Le 2006',
  operands: 'none',
  parameters: {},
  create: (_, operands) => pairObjective(planWithin(operands, { weight: 'unit', factor: logisticFactor })),
});
