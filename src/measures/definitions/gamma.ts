import { concordanceMeasure } from '../forms/concordance.js';
import { defineMeasure } from '../measure.js';

export const gamma = defineMeasure({
  name: 'gamma',
  title: 'Goodman and Kruskal gamma',
  description:
    '(right - wrong) / (pairs of judged documents with different labels), which is 2 pairs - 1. A tie in score is neither right nor wrong but stays in the divisor. Undefined where all labels are the same.',
  citation: 'Goodman, Kruskal 1954',
  cutoff: 'none',
  range: [-1, 1],
  parameters: {},
  create: (_, { labels }) =>
    concordanceMeasure(
      labels,
      ({ right, wrong, tied }) => (right - wrong) / (right + wrong + tied),
      over => ({ times: 2, over, least: -1 }),
    ),
});
