import { choiceParameter, numberParameter } from '../../spec/parameters.js';
import { gainFunction } from '../forms/gain.js';
import { rankDiscount } from '../forms/rank-discount.js';
import { relevanceGain, relevantCount } from '../forms/relevance.js';
import { separable } from '../forms/separable.js';
import { defineMeasure, relevanceParameter } from '../measure.js';

export const rbp = defineMeasure({
  name: 'rbp',
  title: 'Rank-biased precision',
  description:
    'RBP = (1 - p) sum over ranks r of gain(r) p^(r-1): the gain a reader finds who goes on to the next document with probability p. Undefined where no judged document has a gain. trec_eval: p = 0.9, grades=graded.',
  citation: 'Moffat, Zobel 2008',
  cutoff: 'optional',
  range: [0, 1],
  parameters: {
    p: numberParameter({ default: 0.8, min: 0, max: 1, open: true, description: "The reader's persistence." }),
    rel: relevanceParameter,
    grades: choiceParameter({
      choices: ['binary', 'graded'],
      default: 'binary',
      description:
        'binary: relevant documents gain 1; graded: a document gains its label over the largest of the query.',
    }),
  },
  create({ p, rel, grades }, { cut = Infinity, labels }) {
    const binary = grades === 'binary';
    return separable({
      labels,
      gain: binary ? relevanceGain(rel) : gainFunction('linear'),
      discount: rankDiscount({
        at: rank => (1 - p) * p ** (rank - 1),
        slope: rank => (1 - p) * p ** (rank - 1) * Math.log(p),
      }),
      depth: () => cut,
      divisor(view) {
        if (binary) return relevantCount(view, labels, rel, 'judged') > 0 ? 1 : Number.NaN;
        const largest = view.ideal(labels, 'judged')[0] ?? 0;
        return largest > 0 ? largest : Number.NaN;
      },
    });
  },
});
