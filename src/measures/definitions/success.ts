import { firstRelevant } from '../forms/first-relevant.js';
import { noDiscount } from '../forms/rank-discount.js';
import { defineMeasure, relevanceParameter } from '../measure.js';

export const success = defineMeasure({
  name: 'success',
  title: 'Success',
  description:
    'success@k = 1 where a relevant document is in the top k, else 0. Undefined where no judged document is relevant.',
  citation: 'Craswell, Hawking 2004',
  cutoff: 'required',
  range: [0, 1],
  parameters: { rel: relevanceParameter },
  aliases: ['success_*', 'hit', 'hits', 'hit_rate'],
  create: ({ rel }, { cut = 0, labels }) => firstRelevant(labels, rel, noDiscount, cut),
});
