import { interpolatedPrecision, roundingParameter } from '../forms/interpolated-precision.js';
import { defineMeasure, idealParameter, relevanceParameter } from '../measure.js';

export const elevenPoint = defineMeasure({
  name: '11pt',
  title: 'Eleven-point average precision',
  description: 'The mean of interpolated precision (iprec) at recall 0, 0.1, …, 1. Undefined where R = 0.',
  citation: 'Salton, McGill 1983',
  cutoff: 'none',
  range: [0, 1],
  parameters: { rel: relevanceParameter, ideal: idealParameter, rounding: roundingParameter },
  aliases: ['11pt_avg'],
  create: (values, { labels }) =>
    interpolatedPrecision({ ...values, labels, levels: Array.from({ length: 11 }, (_, i) => i / 10) }),
});
