import { ListwiseError } from '../../errors.js';
import { discountedGain } from '../forms/dcg-family.js';
import { discountParameter } from '../forms/discount.js';
import { defineMeasure, idealParameter } from '../measure.js';

/** 2^(4c) - 1: a click label of 1 gains as much as grade 4. */
function clickGain(click: number): number {
  if (click >= 0 && click <= 1) return 2 ** (4 * click) - 1;
  if (Number.isNaN(click)) return 0;
  throw new ListwiseError(
    'label-invalid',
    `cndcg takes click labels from 0 to 1, found ${click}; name their source, as in cndcg(labels=clicks)`,
  );
}

export const cndcg = defineMeasure({
  name: 'cndcg',
  title: 'Click NDCG',
  description:
    'NDCG with gains 2^(4c) - 1 for click labels c from 0 to 1; another label is an error. Mostly used with its own label source: cndcg(labels=clicks)@10. Undefined where no document was clicked.',
  citation: 'Svore, Volkovs, Burges 2011',
  cutoff: 'optional',
  range: [0, 1],
  parameters: { discount: discountParameter, ideal: idealParameter },
  create: ({ discount, ideal }, { cut, labels }) =>
    discountedGain({ labels, cut, gain: clickGain, discount, ideal, normalise: true }),
});
