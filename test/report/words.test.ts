/** A label has one colour, whichever labels a query or a chart has. */
import { expect, it } from 'vitest';
import { labelColours, labelOrder, labelSeries } from '#listwise/report/words.js';

it('orders labels by their value, the highest first, what has none last', () => {
  expect(labelOrder([0, Number.NaN, 2, 10, 0.5, 2])).toEqual([10, 2, 0.5, 0, Number.NaN]);
});

it('numbers colours by the labels of all documents', () => {
  const all = [0, 1, 2, 10, Number.NaN];
  const colourOf = labelColours(all);
  expect(all.map(colourOf)).toEqual([3, 2, 1, 0, 4]);
  expect(labelColours([0, 1, 2, 10])(Number.NaN)).toBe(4);
  expect(all.map(labelSeries)).toEqual(['label 0', 'label 1', 'label 2', 'label 10', 'unjudged']);
});
