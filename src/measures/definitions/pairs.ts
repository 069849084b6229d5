import { concordance, concordanceChange, differing, smoothConcordance } from '../forms/concordance.js';
import { defineMeasure, type QueryView } from '../measure.js';

function byPairs(view: QueryView, labels: string): number {
  const { right, wrong, tied } = concordance(view, labels);
  return (right + tied / 2) / (right + wrong + tied);
}

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
  create: (_, { labels }) => ({
    value: view => byPairs(view, labels),
    // Ties count as what they are: no order is taken for them.
    overTies: view => byPairs(view, labels),
    approx: {
      value(view, ranking) {
        const total = differing(view, labels);
        return total === 0 ? Number.NaN : smoothConcordance(view, labels, ranking, 1 / total);
      },
    },
    swap: {
      form: 'function',
      judgedOnly: true,
      begin(view) {
        const total = differing(view, labels);
        if (total === 0) return undefined;
        const change = concordanceChange(view, labels);
        return (a, b) => change(a, b) / total;
      },
    },
  }),
});
