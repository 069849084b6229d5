import { defineMeasure, relevanceParameter } from './measure.js';
import { equalWorth } from './rank-worth.js';
import { relevanceGain, relevantCount } from './relevance.js';
import { separable } from './separable.js';

export const precision = defineMeasure({
  name: 'p',
  title: 'Precision',
  description:
    'P@k = relevant documents in the top k / k; a list shorter than k is filled up with documents that are not relevant. Undefined where no judged document is relevant.',
  citation: 'Cleverdon, Mills, Keen 1966',
  cutoff: 'required',
  range: [0, 1],
  parameters: { rel: relevanceParameter },
  aliases: ['P_*'],
  create: ({ rel }, { cut = Infinity, labels }) =>
    separable({
      labels,
      gain: relevanceGain(rel),
      worth: equalWorth,
      depth: () => cut,
      divisor: view => (relevantCount(view, labels, rel, 'judged') > 0 ? cut : Number.NaN),
    }),
});
