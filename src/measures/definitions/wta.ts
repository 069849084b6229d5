import { noDiscount } from '../forms/rank-discount.js';
import { relevanceGain, relevantCount } from '../forms/relevance.js';
import { separable } from '../forms/separable.js';
import { defineMeasure, relevanceParameter } from '../measure.js';

export const wta = defineMeasure({
  name: 'wta',
  title: 'Winner takes all',
  description: '1 where the document at the top is relevant, else 0. Undefined where no judged document is relevant.',
  citation: 'Burges, Ragno, Le 2006',
  cutoff: 'none',
  range: [0, 1],
  parameters: { rel: relevanceParameter },
  create: ({ rel }, { labels }) =>
    separable({
      labels,
      gain: relevanceGain(rel),
      discount: noDiscount,
      depth: () => 1,
      divisor: view => (relevantCount(view, labels, rel, 'judged') > 0 ? 1 : Number.NaN),
    }),
});
