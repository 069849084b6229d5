import { concordance, concordanceChange, differing } from './concordance.js';
import { defineMeasure } from './measure.js';

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
    value(view) {
      const { right, wrong, tied, scored } = concordance(view, labels);
      const labelled = right + wrong + tied;
      if (labelled === 0) return Number.NaN;
      return scored === 0 ? 0 : (right - wrong) / Math.sqrt(labelled * scored);
    },
    swap: {
      form: 'function',
      begin(view) {
        const labelled = differing(view, labels);
        if (labelled === 0) return undefined;
        const change = concordanceChange(view, labels);
        const count = view.ideal(labels, 'list').length;
        const norm = 2 / Math.sqrt((labelled * count * (count - 1)) / 2); // all scores taken as different
        return (a, b) => norm * change(a, b);
      },
    },
  }),
});
