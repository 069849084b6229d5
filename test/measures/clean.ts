import { defineMeasure } from '#listwise/measures/measure.js';

/** A measure of a user's, of which nothing is known but its value. */
export const clean = defineMeasure({
  name: 'clean',
  title: 'Share of documents that are not bad',
  description: 'documents in the top k with a label of at least 1 / k.',
  citation: 'none',
  cutoff: 'required',
  range: [0, 1],
  parameters: {},
  create: (_, { cut = 1, labels }) => ({
    value(view) {
      const byRank = view.ranked(labels);
      let found = 0;
      for (let r = 0; r < Math.min(cut, view.n); r++) found += Number(byRank[r]! >= 1);
      return found / cut;
    },
  }),
});
