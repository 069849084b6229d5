import { type Concordance, concordanceMeasure } from '../forms/concordance.js';
import { defineMeasure } from '../measure.js';

function pairsValue({ right, wrong, tied, scored }: Concordance): number {
  const labelled = right + wrong + tied;
  if (labelled === 0) return Number.NaN;
  return scored === 0 ? 0 : (right - wrong) / Math.sqrt(labelled * scored);
}

export const tau = defineMeasure({
  name: 'tau',
  title: 'Kendall tau-b',
  description:
    '(right - wrong) / sqrt(U V), with U the pairs of judged documents with different labels and V those with different scores: below 1 even for a perfect ranking where labels tie. 0 where all scores are the same; undefined where all labels are.',
  citation: 'Kendall 1945',
  cutoff: 'none',
  range: [-1, 1],
  parameters: {},
  create: (_, { labels }) =>
    concordanceMeasure(labels, pairsValue, (labelled, view) => {
      const count = view.ideal(labels, 'list').length;
      const norm = 1 / Math.sqrt((labelled * count * (count - 1)) / 2);
      return { times: 2 * norm, over: 1, least: -labelled * norm };
    }),
});
