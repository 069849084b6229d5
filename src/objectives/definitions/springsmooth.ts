import { defineObjective } from '../objective.js';
import { logisticFactor } from '../pairs/pair-factor.js';
import { pairObjective } from '../pairs/pair-objective.js';
import { planWithin } from '../pairs/pair-plan.js';

export const springsmooth = defineObjective({
  name: 'springsmooth',
  title: 'SpringSmooth',
  description:
    'LambdaRank in which a pair weighs at least 1: max(|change of the measure|, 1) / (1 + e^o). Meant for measures that are not normalised; with one that is bounded by 1 it is RankNet.',
  citation: 'Donmez, Svore, Burges 2009, section 7 (our reading of its prose)',
  operands: 'measure',
  parameters: {},
  create: (_, operands) =>
    pairObjective(planWithin(operands, { weight: operands.measure('dcg'), factor: logisticFactor, floor: 1 })),
});
