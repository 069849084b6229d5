import { numberParameter } from '../../spec/parameters.js';
import { averagePrecision, divisorParameter } from '../forms/average-precision.js';
import { changeOfTables } from '../forms/swap.js';
import { defineMeasure, idealParameter, relevanceParameter } from '../measure.js';

export const gmap = defineMeasure({
  name: 'gmap',
  title: 'Geometric mean of average precision',
  description:
    'AP for each query, averaged by the geometric mean: exp of the mean of log(max(AP, floor)). Rewards systems that fail on few queries. The change of a swap is that of log(max(AP, floor)).',
  citation: 'Robertson 2006',
  cutoff: 'optional',
  range: [0, 1],
  parameters: {
    rel: relevanceParameter,
    divisor: divisorParameter,
    ideal: idealParameter,
    floor: numberParameter({
      default: 0.00001,
      min: 0,
      max: 1,
      open: true,
      description: 'The least that a query counts in the geometric mean.',
    }),
  },
  aliases: ['gm_map'],
  create({ floor, ...values }, { cut, labels }) {
    const { value, overTies, swap, expectation } = averagePrecision({ ...values, cut, labels });
    const logarithm = (average: number) => Math.log(Math.max(average, floor));
    return {
      value,
      ...(overTies && { overTies }),
      expectation,
      aggregate: { name: 'geometric mean', scale: 'log(max(AP, floor))', of: logarithm, finish: Math.exp },
      swap: {
        form: 'function',
        begin(view) {
          const change = changeOfTables(swap, view);
          if (change === undefined) return undefined;
          const now = value(view);
          return (a, b) => logarithm(now + change(a, b)) - logarithm(now);
        },
      },
    };
  },
});
