import { numberParameter } from '../../spec/parameters.js';
import { interpolatedPrecision, roundingParameter } from '../forms/interpolated-precision.js';
import { defineMeasure, idealParameter, relevanceParameter } from '../measure.js';

export const iprec = defineMeasure({
  name: 'iprec',
  title: 'Interpolated precision at a recall level',
  description:
    'The largest precision at any rank where at least recall * R relevant documents (rounded) have been found; 0 where the list holds fewer. Undefined where R = 0.',
  citation: 'Buckley, Voorhees 2005',
  cutoff: 'none',
  range: [0, 1],
  parameters: {
    recall: numberParameter({ default: 0, min: 0, max: 1, description: 'The level of recall.' }),
    rel: relevanceParameter,
    ideal: idealParameter,
    rounding: roundingParameter,
  },
  aliases: ['iprec_at_recall_{recall}'],
  create: ({ recall, ...values }, { labels }) => interpolatedPrecision({ ...values, labels, levels: [recall] }),
});
