import { choiceParameter } from '../../spec/parameters.js';
import { noDiscount } from '../forms/rank-discount.js';
import { relevanceGain, relevantCount } from '../forms/relevance.js';
import { separable } from '../forms/separable.js';
import { defineMeasure, relevanceParameter } from '../measure.js';

export const precision = defineMeasure({
  name: 'p',
  title: 'Precision',
  description: 'P@k = relevant documents in the top k / k. Undefined where no judged document is relevant.',
  citation: 'Cleverdon, Mills, Keen 1966',
  cutoff: 'required',
  range: [0, 1],
  parameters: {
    rel: relevanceParameter,
    over: choiceParameter({
      choices: ['cut', 'list'],
      default: 'cut',
      description:
        'What a list shorter than k is divided by: cut is k, as if it were filled up with documents that are not relevant (trec_eval, XGBoost); list is its length (RankLib).',
    }),
  },
  aliases: ['P_*', 'precision', 'prec'],
  create: ({ rel, over }, { cut = Infinity, labels }) =>
    separable({
      labels,
      gain: relevanceGain(rel),
      discount: noDiscount,
      depth: () => cut,
      divisor(view) {
        if (relevantCount(view, labels, rel, 'judged') === 0) return Number.NaN;
        return over === 'list' && view.n > 0 ? Math.min(view.n, cut) : cut;
      },
    }),
});
