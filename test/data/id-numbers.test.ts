import { expect, it } from 'vitest';
import { IdNumbers } from '#listwise/data/id-numbers.js';

it('numbers ids by their places, over several maps where one has no room', () => {
  const ids = ['c', 'a', '', 'b', 'd'];
  const numbers = IdNumbers.of(ids, 2);
  expect(numbers.size).toBe(5);
  expect(numbers.ids()).toEqual(ids);
  expect(ids.map(id => numbers.get(id))).toEqual([0, 1, 2, 3, 4]);
  expect([numbers.has('e'), numbers.get('e')]).toEqual([false, undefined]);
  expect(numbers.add('e')).toBe(5);
});
