import { noDiscount } from '../forms/rank-discount.js';
import { relevanceGain, relevantCount } from '../forms/relevance.js';
import { separable } from '../forms/separable.js';
import { defineMeasure, idealParameter, relevanceParameter } from '../measure.js';

export const f1 = defineMeasure({
  name: 'f1',
  title: 'F1',
  description:
    'The harmonic mean of P@k and recall@k: 2 (relevant documents in the top k) / (k + R). Without a cut-off k is the length of the list. Undefined where R = 0.',
  citation: 'van Rijsbergen 1979',
  cutoff: 'optional',
  range: [0, 1],
  parameters: { rel: relevanceParameter, ideal: idealParameter },
  aliases: ['set_F'],
  create: ({ rel, ideal }, { cut, labels }) =>
    separable({
      labels,
      gain: relevanceGain(rel),
      discount: noDiscount,
      depth: () => cut ?? Infinity,
      divisor(view) {
        const relevant = relevantCount(view, labels, rel, ideal);
        return relevant > 0 ? ((cut ?? view.n) + relevant) / 2 : Number.NaN;
      },
    }),
});
