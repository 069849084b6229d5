import { concordanceMeasure } from '../forms/concordance.js';
import { defineMeasure } from '../measure.js';

export const pairs = defineMeasure({
  name: 'pairs',
  title: 'Pairs in the right order',
  description:
    'The share of pairs of judged documents with different labels that are in the right order; a tie in score counts 1/2. On binary labels it is the area under the ROC curve. Undefined where all labels are the same.',
  citation: 'Burges, Ragno, Le 2006 (pairwise-correct); Hanley, McNeil 1982 (area under the curve)',
  cutoff: 'none',
  range: [0, 1],
  parameters: {},
  aliases: ['auc'],
  create: (_, { labels }) =>
    concordanceMeasure(
      labels,
      ({ right, wrong, tied }) => (right + tied / 2) / (right + wrong + tied),
      over => ({ times: 1, over, least: 0 }),
    ),
});
