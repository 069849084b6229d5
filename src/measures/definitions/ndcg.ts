import { discountedGain } from '../forms/dcg-family.js';
import { discountParameter } from '../forms/discount.js';
import { gainFunction, gainParameter } from '../forms/gain.js';
import { defineMeasure, idealParameter } from '../measure.js';

export const ndcg = defineMeasure({
  name: 'ndcg',
  title: 'Normalised discounted cumulative gain',
  description:
    'DCG@k = sum over ranks r <= k of gain(label at r) / log2(1 + r), divided by the DCG@k of the best possible list. Without a cut-off the whole list counts. Undefined where no document has a gain.',
  citation: 'Järvelin, Kekäläinen 2002; gains 2^label - 1 after Burges et al. 2005',
  cutoff: 'optional',
  range: [0, 1],
  parameters: { gain: gainParameter, discount: discountParameter, ideal: idealParameter },
  aliases: ['ndcg_cut_*'],
  create: ({ gain, discount, ideal }, { cut, labels }) =>
    discountedGain({ labels, cut, gain: gainFunction(gain), discount, ideal, normalise: true }),
});
