import { firstRelevant } from '../forms/first-relevant.js';
import { reciprocalDiscount } from '../forms/rank-discount.js';
import { defineMeasure, relevanceParameter } from '../measure.js';

export const rr = defineMeasure({
  name: 'rr',
  title: 'Reciprocal rank',
  description:
    'RR = 1 / (rank of the first relevant document), 0 where none is in the list or, with a cut-off, in the top k. Its mean over queries is MRR. Undefined where no judged document is relevant.',
  citation: 'Voorhees 1999',
  cutoff: 'optional',
  range: [0, 1],
  parameters: { rel: relevanceParameter },
  aliases: ['recip_rank', 'mrr'],
  create: ({ rel }, { cut = Infinity, labels }) => firstRelevant(labels, rel, reciprocalDiscount, cut),
});
