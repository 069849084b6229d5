import { numberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { bellFactor } from '../pairs/pair-factor.js';
import { pairObjective } from '../pairs/pair-objective.js';
import { planWithin } from '../pairs/pair-plan.js';

export const sigmoid = defineObjective({
  name: 'sigmoid',
  title: 'Sigmoid objective, lambda(S)',
  description:
    'Each pair with different labels pulls with |change of the measure| e^x / (1 + e^x)^2, x = o + mu: the derivative of 1 / (1 + e^x). It fades for pairs far apart in either direction: lost causes are given up, and what is not broken is left alone. Its hessian changes sign, so trees take gradient steps.',
  citation: 'Svore, Volkovs, Burges 2011, section 5',
  operands: 'measure',
  parameters: { mu: numberParameter({ default: 0, description: 'Moves the strongest pull to o = -mu.' }) },
  create: ({ mu }, operands) =>
    pairObjective(planWithin(operands, { weight: operands.measure('ndcg'), factor: bellFactor(mu) })),
});
