import { ListwiseError, quote } from '../../errors.js';
import { optionalNumberParameter } from '../../spec/parameters.js';
import { defineObjective } from '../objective.js';
import { weightedSum } from '../weighted-sum.js';

const DEFAULT_FROM = 0.25;

/** The weight of the second objective in iteration m = 1, 2, …, given w_0 and eta. */
const kinds = {
  linear: (m: number, from: number, eta: number) => Math.min(1, from + eta * m),
  exponential(m: number, from: number, eta: number) {
    let w = from;
    for (let t = 1; t <= m && w < 1; t++) w += Math.exp(-eta / t);
    return Math.min(1, w);
  },
  curve: (m: number, _: number, eta: number) => Math.exp(-eta / m),
} as const;

export const schedule = defineObjective({
  name: 'schedule',
  title: 'Schedule over iterations',
  description:
    'lambda_m = (1 - w_m) lambda of the first + w_m lambda of the second in iteration m = 1, 2, … One of: linear, w_m = w_(m-1) + eta; exponential, w_m = w_(m-1) + e^(-eta/m), both from w_0 = from and clipped to 1; curve, w_m = e^(-eta/m) itself, as the paper draws it in Figure 6. Svore et al. also divide the lambdas of a query by their standard deviation: normalise(schedule(…)).',
  citation: 'Svore, Volkovs, Burges 2011, section 5',
  operands: 'objectives',
  parameters: {
    from: optionalNumberParameter({
      min: 0,
      max: 1,
      description: `The weight w_0 before the first iteration, ${DEFAULT_FROM} where not given; not for curve, which has none.`,
    }),
    linear: optionalNumberParameter({
      min: 0,
      description: 'eta of the linear schedule; the paper: 0.1, 0.01, 0.001.',
    }),
    exponential: optionalNumberParameter({ min: 0, description: 'eta of the running sum; the paper: 100, 250.' }),
    curve: optionalNumberParameter({ min: 0, description: 'eta of the curve itself; the paper draws 5, 10, 20.' }),
  },
  create(values, operands) {
    const parts = [operands.objective(0), operands.objective(1)];
    if (operands.count > 2) {
      throw new ListwiseError('spec-parameter', `schedule takes two objectives, found ${operands.count}`);
    }
    const given = (['linear', 'exponential', 'curve'] as const).filter(key => values[key] !== undefined);
    const [kind] = given;
    if (kind === undefined || given.length > 1) {
      const found = given.length === 0 ? 'none' : given.map(quote).join(' and ');
      throw new ListwiseError('spec-parameter', `schedule takes one of linear, exponential, curve, found ${found}`);
    }
    if (kind === 'curve' && values.from !== undefined) {
      throw new ListwiseError('spec-parameter', `schedule: curve starts from 0 and takes no from=${values.from}`);
    }
    const { from = DEFAULT_FROM } = values;
    const eta = values[kind]!;
    return weightedSum(parts, iteration => {
      const w = kinds[kind](iteration, from, eta);
      return [1 - w, w];
    });
  },
});
