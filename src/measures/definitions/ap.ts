import { averagePrecision, divisorParameter } from '../forms/average-precision.js';
import { defineMeasure, idealParameter, relevanceParameter } from '../measure.js';

export const ap = defineMeasure({
  name: 'ap',
  title: 'Average precision',
  description:
    'AP = (1/R) sum over the relevant documents d of P@rank(d), with R the relevant documents of the query; with a cut-off only those in the top k add to the sum. Its mean over queries is MAP. Undefined where R = 0.',
  citation: 'Buckley, Voorhees 2005',
  cutoff: 'optional',
  range: [0, 1],
  parameters: { rel: relevanceParameter, divisor: divisorParameter, ideal: idealParameter },
  aliases: ['map', 'map_cut_*'],
  create: (values, { cut, labels }) => averagePrecision({ ...values, cut, labels }),
});
