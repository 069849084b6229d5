import { concordance, concordanceChange, differing, smoothConcordance } from '../forms/concordance.js';
import { defineMeasure, type QueryView } from '../measure.js';

function byPairs(view: QueryView, labels: string): number {
  const { right, wrong, tied } = concordance(view, labels);
  return (right - wrong) / (right + wrong + tied);
}

export const gamma = defineMeasure({
  name: 'gamma',
  title: 'Goodman and Kruskal gamma',
  description:
    '(right - wrong) / (pairs of judged documents with different labels), which is 2 pairs - 1. A tie in score is neither right nor wrong but stays in the divisor. Undefined where all labels are the same.',
  citation: 'Goodman, Kruskal 1954',
  cutoff: 'none',
  range: [-1, 1],
  parameters: {},
  create: (_, { labels }) => ({
    value: view => byPairs(view, labels),
    // Ties count as what they are: no order is taken for them.
    overTies: view => byPairs(view, labels),
    approx: {
      value(view, ranking) {
        const total = differing(view, labels);
        return total === 0 ? Number.NaN : smoothConcordance(view, labels, ranking, 2 / total) - 1;
      },
    },
    swap: {
      form: 'function',
      judgedOnly: true,
      begin(view) {
        const total = differing(view, labels);
        if (total === 0) return undefined;
        const change = concordanceChange(view, labels);
        return (a, b) => (2 * change(a, b)) / total;
      },
    },
  }),
});
