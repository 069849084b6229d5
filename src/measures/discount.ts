/** Discounts: what a rank is worth to measures of the DCG family. */
import { choiceParameter } from '../parameters.js';
import { rankTable } from './rank-table.js';

export const discountParameter = choiceParameter({
  choices: ['log2', 'letor'],
  default: 'log2',
  description: 'The worth of rank r: log2 is 1/log2(1 + r); letor is 1 at ranks 1 and 2, then 1/log2(r).',
});

export type Discount = 'log2' | 'letor';

/** Discounts of ranks 1..n at indices 0..n-1. */
export const discounts: Record<Discount, (n: number) => Float64Array> = {
  log2: rankTable(rank => 1 / Math.log2(1 + rank)),
  letor: rankTable(rank => (rank <= 2 ? 1 : 1 / Math.log2(rank))),
};
