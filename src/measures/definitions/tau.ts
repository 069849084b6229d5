import { concordance, concordanceChange, differing, smoothConcordance } from '../forms/concordance.js';
import { defineMeasure, type QueryView } from '../measure.js';

/** 1 / sqrt(U V), all scores taken as different. */
function normOf(view: QueryView, labels: string, labelled: number): number {
  const count = view.ideal(labels, 'list').length;
  return 1 / Math.sqrt((labelled * count * (count - 1)) / 2);
}

function byPairs(view: QueryView, labels: string): number {
  const { right, wrong, tied, scored } = concordance(view, labels);
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
  create: (_, { labels }) => ({
    value: view => byPairs(view, labels),
    // Ties count as what they are: no order is taken for them.
    overTies: view => byPairs(view, labels),
    approx: {
      value(view, ranking) {
        const labelled = differing(view, labels);
        if (labelled === 0) return Number.NaN;
        const norm = normOf(view, labels, labelled);
        return smoothConcordance(view, labels, ranking, 2 * norm) - labelled * norm;
      },
    },
    swap: {
      form: 'function',
      judgedOnly: true,
      begin(view) {
        const labelled = differing(view, labels);
        if (labelled === 0) return undefined;
        const change = concordanceChange(view, labels);
        const norm = normOf(view, labels, labelled);
        return (a, b) => 2 * norm * change(a, b);
      },
    },
  }),
});
