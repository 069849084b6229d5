/** How many queries an update has. */
import { expect, it } from 'vitest';
import { parseObjective } from '#listwise/objectives/parse.js';
import { batchQueries } from '#listwise/training/descent/options.js';

const asks = (objective: string) => parseObjective(objective).updateAQuery;

it.each([
  ['lambdarank(ndcg)', 63, 3],
  ['approx(ndcg)', 63, 1],
  ['approx(ap)', 99, 1],
  ['approx(ndcg)', 100, 5],
  ['approx(ndcg)', 10_000, 16],
  ['lambdarank(ndcg)', 3, 1],
] as const)('by default, %s of %d queries: %d', (objective, queries, batch) => {
  expect(batchQueries('auto', queries, asks(objective))).toBe(batch);
});

it('as it is asked for', () => {
  expect(batchQueries(4, 50, true)).toBe(4);
  expect(batchQueries(100, 50, true)).toBe(50);
  expect(batchQueries('all', 50, true)).toBe(50);
});
