import { noDiscount } from '../forms/rank-discount.js';
import { separable } from '../forms/separable.js';
import { defineMeasure } from '../measure.js';

export const judged = defineMeasure({
  name: 'judged',
  title: 'Share of judged documents',
  description:
    'judged@k = documents with a label in the top k / k: how far the other measures can be trusted where judgments are incomplete. Always defined.',
  citation: 'Buckley, Voorhees 2004 on incomplete judgments',
  cutoff: 'required',
  range: [0, 1],
  parameters: {},
  create: (_, { cut = Infinity, labels }) =>
    separable({
      labels,
      gain: label => (Number.isNaN(label) ? 0 : 1),
      discount: noDiscount,
      depth: () => cut,
      divisor: () => cut,
    }),
});
