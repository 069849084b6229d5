/** Maximal marginal relevance. */
import { expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import { byCategory, bySimilarity } from '#listwise/serve/rules.js';

it('by category is what it is by a similarity of 0 or 1', () => {
  const random = new Random(1);
  for (let k = 0; k < 500; k++) {
    const n = random.below(30);
    // Few values, so that many are tied.
    const relevance = Array.from({ length: n }, () => random.below(5) / 4).sort((a, b) => b - a);
    const categories = Array.from({ length: n }, () => [undefined, '', 'a', 'b', 'c'][random.below(5)]);
    const alike = (a: number, b: number) => Number(categories[a] !== undefined && categories[a] === categories[b]);
    const lambda = random.below(5) / 4;
    expect(byCategory(relevance, categories, lambda)).toEqual(bySimilarity(relevance, alike, lambda));
  }
});
