import { noDiscount } from '../forms/rank-discount.js';
import { relevanceGain, relevantCount } from '../forms/relevance.js';
import { separable } from '../forms/separable.js';
import { defineMeasure, idealParameter, relevanceParameter } from '../measure.js';

export const recall = defineMeasure({
  name: 'recall',
  title: 'Recall',
  description:
    'recall@k = relevant documents in the top k / R, with R the relevant documents of the query. Without a cut-off the whole list counts. Undefined where R = 0.',
  citation: 'Cleverdon, Mills, Keen 1966',
  cutoff: 'optional',
  range: [0, 1],
  parameters: { rel: relevanceParameter, ideal: idealParameter },
  aliases: ['recall_*', 'set_recall'],
  create: ({ rel, ideal }, { cut = Infinity, labels }) =>
    separable({
      labels,
      gain: relevanceGain(rel),
      discount: noDiscount,
      depth: () => cut,
      divisor: view => relevantCount(view, labels, rel, ideal) || Number.NaN,
    }),
});
