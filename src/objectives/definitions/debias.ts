import { numberListParameter, numberParameter, type Parameter } from '../../spec/parameters.js';
import { additive } from '../debias/additive.js';
import { examined } from '../debias/examined.js';
import { propensities } from '../debias/propensities.js';
import { ratios } from '../debias/ratios.js';
import { defineObjective } from '../objective.js';

const forms = ['examined', 'joint', 'additive', 'ratios', 'power'] as const;
const list = numberListParameter({ default: [1], min: 0, max: 1, description: '' });

const positionsParameter: Parameter<(typeof forms)[number] | readonly number[]> = {
  default: 'examined',
  description:
    'How the bias of positions is known: learned, as the chance that a position is examined, before the model (examined, for any objective) or with it (joint, for any objective), as a term that adds to scores (additive, for any objective) or as ratios of pairs (ratios, for sums over pairs); or given, the chance that position 1, 2, … is examined, as 1/0.6/0.4, or (1/position)^eta (power).',
  allowed: `${forms.join(', ')}, or chances of positions above 0 and at most 1 such as 1/0.6/0.4`,
  parse(text) {
    const form = forms.find(name => name === text);
    if (form !== undefined) return form;
    const chances = list.parse(text);
    return chances?.every(chance => chance > 0) ? chances : undefined;
  },
  print: value => (typeof value === 'string' ? value : list.print(value)),
};

export const debias = defineObjective({
  name: 'debias',
  title: 'Without the bias of positions',
  description:
    'Any objective that learns from clicks, without the bias of where documents were shown; the data has their positions. examined: a click is an examined position and a document that attracts, whose log odds are the score and a level; the objective at the log odds of a click, and beside pairs, each a tenth, the likelihood of clicks. Chances of positions are learned before the model, with 100 trees that are thrown away. joint: the same, learned with the model: after each iteration the chance of a position is multiplied by clicks over expected clicks, to the power rate. additive: the objective at score + bias of the position; after each iteration every bias takes a Newton step, rate times lambdas over hessians of its documents (with l2, drawn to 0), a longer one where these are below -0.6. ratios: each pair over t+ of the clicked document’s position and t- of the other’s; after each iteration t is the mean cost of its pairs beside those of the first position, to the power 1/(1+p). Given chances: each clicked document by itself, as the only relevant one, over the chance that its position was examined.',
  citation:
    'Hu, Wang, Peng, Li 2019 (ratios); LightGBM 4 (additive); Richardson, Dominowska, Ragno 2007, Wang et al. 2018 (examined); Joachims, Swaminathan, Schnabel 2017 (given chances)',
  operands: 'objective',
  parameters: {
    positions: positionsParameter,
    rate: numberParameter({
      default: 0.1,
      min: 0,
      max: 1,
      description: 'joint, additive, ratios: the share of each step of what is learned.',
    }),
    l2: numberParameter({ default: 0, min: 0, description: 'additive: how strongly a document draws its bias to 0.' }),
    p: numberParameter({ default: 0, min: 0, description: 'ratios: the larger, the closer to 1.' }),
    eta: numberParameter({ default: 1, min: 0, description: 'power: how fast examination falls.' }),
  },
  create({ positions, rate, l2, p, eta }, operands) {
    const part = operands.objective(0);
    if (positions === 'additive') return additive(part, { rate, l2 });
    if (positions === 'ratios') return ratios(part, { rate, p });
    if (positions === 'examined' || positions === 'joint') {
      const pairsAlone = (operands.context.within ?? []).length > 0;
      return examined(part, { rate: positions === 'joint' ? rate : undefined, pairsAlone });
    }
    return propensities(
      part,
      positions === 'power' ? position => position ** -eta : position => positions[position - 1],
    );
  },
});
