import { discountedGain } from '../forms/dcg-family.js';
import { discountParameter } from '../forms/discount.js';
import { gainFunction, gainParameter } from '../forms/gain.js';
import { defineMeasure } from '../measure.js';

export const dcg = defineMeasure({
  name: 'dcg',
  title: 'Discounted cumulative gain',
  description:
    'DCG@k = sum over ranks r <= k of gain(label at r) / log2(1 + r). Not normalised: queries with many relevant documents weigh more. Undefined where no judged document has a gain.',
  citation: 'Järvelin, Kekäläinen 2002',
  cutoff: 'optional',
  range: [0, Infinity],
  parameters: { gain: gainParameter, discount: discountParameter },
  create: ({ gain, discount }, { cut, labels }) =>
    discountedGain({ labels, cut, gain: gainFunction(gain), discount, ideal: 'judged', normalise: false }),
});
