import { ListwiseError } from '../../errors.js';
import { choiceParameter, numberListParameter } from '../../spec/parameters.js';
import { madeOfPairs } from '../form.js';
import { defineObjective, type Objective } from '../objective.js';
import { weightedSum } from '../weighted-sum.js';

export const graded = defineObjective({
  name: 'graded',
  title: 'Graded (tiers)',
  description:
    'Several objectives in tiers: lambda = (1 - w) lambda of the first + w lambda of the second; with more tiers w is a list and the first weighs what is left. A lower tier runs over pairs that the label sources of all tiers above leave tied, and without documents of label 0 in its own source. A document that lacks a label is in no pair of that tier. Lower tiers must be made of pairs.',
  citation: 'Svore, Volkovs, Burges 2011, section 4',
  operands: 'objectives',
  parameters: {
    w: numberListParameter({
      default: [0.2],
      min: 0,
      max: 1,
      description: 'The weight of each tier after the first, as in 0.2/0.1; together at most 1.',
    }),
    zeros: choiceParameter({
      choices: ['drop', 'keep'],
      default: 'drop',
      description: 'Whether documents of label 0 in the source of a lower tier take part in it.',
    }),
  },
  create({ w, zeros }, operands) {
    const first = operands.objective(0);
    const tiers: Objective[] = [first, operands.objective(1, tierContext([first]))];
    for (let t = 2; t < operands.count; t++) tiers.push(operands.objective(t, tierContext(tiers)));

    function tierContext(above: readonly Objective[]) {
      const within = [...(operands.context.within ?? []), ...above.flatMap(tier => tier.labels)];
      return { within: [...new Set(within)], withoutZeros: zeros === 'drop' };
    }

    const other = tiers.slice(1).find(tier => !madeOfPairs(tier));
    if (other !== undefined) {
      throw new ListwiseError(
        'spec-parameter',
        `graded: ${other.spec} is not made of pairs and cannot be a lower tier; put it first, or use sum`,
      );
    }
    const rest = w.reduce((sum, weight) => sum + weight, 0);
    if (w.length !== tiers.length - 1 || rest > 1 + 1e-12) {
      throw new ListwiseError(
        'spec-parameter',
        `graded: w=${w.join('/')} for ${tiers.length} tiers; give ${tiers.length - 1}, together at most 1`,
      );
    }
    const weights = [Math.max(0, 1 - rest), ...w];
    return weightedSum(tiers, () => weights);
  },
});
