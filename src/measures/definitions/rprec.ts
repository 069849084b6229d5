import { noDiscount } from '../forms/rank-discount.js';
import { relevanceGain, relevantCount } from '../forms/relevance.js';
import { separable } from '../forms/separable.js';
import { defineMeasure, idealParameter, relevanceParameter } from '../measure.js';

export const rprec = defineMeasure({
  name: 'rprec',
  title: 'R-precision',
  description:
    'P@R with R the relevant documents of the query: where precision and recall are the same. Undefined where R = 0.',
  citation: 'Buckley, Voorhees 2005',
  cutoff: 'none',
  range: [0, 1],
  parameters: { rel: relevanceParameter, ideal: idealParameter },
  aliases: ['Rprec'],
  create({ rel, ideal }, { labels }) {
    return separable({
      labels,
      gain: relevanceGain(rel),
      discount: noDiscount,
      depth: view => relevantCount(view, labels, rel, ideal),
      divisor: view => relevantCount(view, labels, rel, ideal) || Number.NaN,
    });
  },
});
