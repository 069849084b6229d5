import { countRelevant, fillRelevance, relevantCount } from '../forms/relevance.js';
import { defineMeasure, idealParameter, type MeasureBody, relevanceParameter } from '../measure.js';

function binaryPreference(labels: string, rel: number, ideal: 'list' | 'judged'): MeasureBody {
  /** What a relevant document earns, with documents above it that are not relevant. */
  const preferred = (above: number, counted: number) => (above === 0 ? 1 : 1 - Math.min(above, counted) / counted);
  return {
    value(view) {
      const relevant = relevantCount(view, labels, rel, ideal);
      const counted = Math.min(relevant, view.ideal(labels, ideal).length - relevant);
      const byRank = view.ranked(labels);
      let above = 0; // judged documents that are not relevant, so far
      let sum = 0;
      for (let r = 0; r < view.n; r++) {
        if (byRank[r]! >= rel) sum += preferred(above, counted);
        else if (!Number.isNaN(byRank[r])) above++;
      }
      return relevant > 0 ? sum / relevant : Number.NaN;
    },
    /** Of the others in its group, a relevant document has any number above it with the same probability. */
    overTies(view, tied) {
      const relevant = relevantCount(view, labels, rel, ideal);
      const counted = Math.min(relevant, view.ideal(labels, ideal).length - relevant);
      const byRank = tied.ranked(labels);
      let above = 0;
      let sum = 0;
      for (let g = 0; g < tied.groups; g++) {
        const start = tied.starts[g]!;
        const end = tied.starts[g + 1]!;
        const found = countRelevant(byRank, start, end, rel);
        const others = countRelevant(byRank, start, end, -Infinity) - found;
        let earned = 0;
        for (let i = 0; i <= others && found > 0; i++) earned += preferred(above + i, counted);
        sum += (found * earned) / (others + 1);
        above += others;
      }
      return relevant > 0 ? sum / relevant : Number.NaN;
    },
    swap: {
      form: 'tables',
      judgedOnly: true,
      /**
       * With N_t the documents that are not relevant above rank t and m = min(R, N): a relevant document moving from b
       * up to a gains min(N_b, m) - min(N_a, m), and 1 for each relevant t in between that has N_t <= m. Moving from a
       * down to b it loses min(N_b + 1, m) - min(N_a, m), and 1 for each in between that has N_t < m. All over R m.
       */
      fill(view, { gain, upper, slope, lower }) {
        fillRelevance(view, labels, rel, gain);
        const relevant = relevantCount(view, labels, rel, ideal);
        const m = Math.min(relevant, view.ideal(labels, ideal).length - relevant);
        const byRank = view.ranked(labels);
        let above = 0;
        let atMost = 0; // relevant documents so far with N_t <= m
        let less = 0; // … with N_t < m
        slope.fill(1, 0, view.n);
        for (let r = 0; r < view.n; r++) {
          if (byRank[r]! >= rel) {
            lower[r] = -Math.min(above, m) - atMost;
            if (above <= m) atMost++;
            if (above < m) less++;
            upper[r] = -Math.min(above, m) - less;
          } else {
            lower[r] = -Math.min(above + 1, m) - less;
            upper[r] = -Math.min(above, m) - atMost;
            if (!Number.isNaN(byRank[r])) above++;
          }
        }
        // Without documents that are not relevant (m = 0) all gains are equal and nothing changes.
        return relevant > 0 ? 1 / (relevant * Math.max(m, 1)) : Number.NaN;
      },
    },
  };
}

export const bpref = defineMeasure({
  name: 'bpref',
  title: 'Binary preference',
  description:
    'bpref = (1/R) sum over the relevant documents in the list of 1 - min(judged documents above it that are not relevant, m) / m, with m = min(R, N) and N the judged documents that are not relevant. Unjudged documents are passed over; relevant documents outside the list add 0. Undefined where R = 0.',
  citation: 'Buckley, Voorhees 2004',
  cutoff: 'none',
  range: [0, 1],
  parameters: { rel: relevanceParameter, ideal: idealParameter },
  create: ({ rel, ideal }, { labels }) => binaryPreference(labels, rel, ideal),
});
